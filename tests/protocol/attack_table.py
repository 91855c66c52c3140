"""Every attack of the specification (protocol.md section 11), and the tests that make it.

`how`: live (through the real session code of a peer, or the channel's), spliced (into a file, properly signed), both,
or later (with the reason). Four of the texts are the section's own words, the fifth tells what tactic cards and the
siege add to them, the last what going on over a new connection does; test_attacks_table.py holds the rows against
them. The file is long because it is one table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

How = Literal["live", "spliced", "both", "later"]


@dataclass(frozen=True, slots=True)
class Row:
    """One attack in the words of the section, and where it is made ("module::test")."""

    attack: str
    how: How
    tests: tuple[str, ...] = ()
    reason: str = ""  # why it waits, or why it is not both
    title: str = ""  # the attack in full, where the section's words lean on those before


TEXTS = {
    "channel and set-up": (
        "identity key of small order; HELLO key other than the channel's; relay in the middle; pin mismatch; secret "
        "replayed by another identity; HELLO and COMMIT replayed in a second sitting (framing); X = identity; X of "
        "small order; X = valid + T; rogue key X = Z - X_mine; my X echoed; proof of possession from another game; "
        "OPEN that does not open COMMIT; my COMMIT copied; other rules digest, suite, options or version; seed "
        "commitment used before; escape sequences in a name."
    ),
    "shuffle": (
        "a card twice and one dropped; the whole deck replaced by an own deck in known order; all cells equal; a card "
        "swapped for a foreign point; ciphertext scaled; witness not a permutation; two cells swapped after proving; "
        "proof for the other deck, role, input or key; the other's proof replayed; N - 1 or N + 1 cells; truncated or "
        "longer proof; scalar s + L, zero, all ones; torsion, identity, non-canonical, off-curve point in any place; "
        "challenge chosen first and the rest computed back; shuffle sent twice or left out."
    ),
    "shares and plays": (
        "random point; x + 1 with a fitting proof; right share of another cell; D + T with an even challenge; share "
        "from another session or another position; a share missing, doubled or one too many; draw twice, out of turn, "
        "from an empty deck; face j for a cell that opens to i, caught by the peer, and the same passed on by a "
        "colluding peer, caught by the file; a cell of the pile, of my hand, already open; a returned cell played; "
        "proof under my key; a third return, or a play before the second; mix with a foreign, lost or doubled cell, "
        "another count, of the other hand, not due, left out; an earlier mix replayed; share of a returned card "
        "refused; exchange in the wrong order."
    ),
    "transcript": (
        "flipped bit, replaced body, wrong seq, wrong prev; signed by another key; my own record echoed; other msgpack "
        "encoding of the same value, trailing bytes, huge length; slow drip; two records at one seq; resume with a "
        "rolled-back journal and another move; resume with another identity; another outcome sealed; reveal of another "
        "seed; reveal before the seals; CLOSE before the end, with a wrong seed, after a false face; file edited, cut, "
        "spliced from two games, seats exchanged."
    ),
    "tactic cards and siege": (
        "false face of a tactic card; a tactic card named for a cell of the other deck; mixes of two decks in the "
        "wrong order, doubled, left out, not due, of the other deck or hand; a tactic card over the limit; a "
        "second joker; a card of the wrong side or of nowhere taken; a scout's pile chosen for him; a return of "
        "another deck, cell or mix; share of a returned card given; two gifts at one place; a gift of another "
        "count, order, deck or place; gifts paid too early, too little or with other cells; a card that was given "
        "away played; a restock by the wrong seat, twice, too early or of another pile; of other cells; under "
        "another label; an earlier shuffle replayed; debts left out; a restocked card played or kept in the open; "
        "the draw behind it left out; oil by the attacker, out of turn, twice, late, without target, a fourth "
        "time; retreat by the defender or late; control by the defender, unproven or late; flags and first seats "
        "written otherwise, or not offered; another place in the match; another name in a later game of a connection."
    ),
    "going on": (
        "records claimed that do not exist; a head of records that he does not have, or that the records handed over "
        "do not lead to; a stand in another game or of another form; records that I have told again and again; my own "
        "records back when I lack none, under another signature, with another body, of another game; a commitment of "
        "mine to another seed than I keep; HELLOs of another game for one who lost everything; a tail withheld from "
        "one whose disk was put back, or who had no choice."
    ),
}

_SETUP = "tests.protocol.test_attacks_setup::"
_TERMS = "tests.protocol.test_attacks_terms::"
_SHUFFLE = "tests.protocol.test_attacks_shuffle::"
_MIXES = "tests.protocol.test_attacks_mixes::"
_ENCODING = "tests.protocol.test_attacks_encoding::"
_PLACES = "tests.protocol.test_attacks_places::"
_SHARES = "tests.protocol.test_attacks_shares::"
_PLAYS = "tests.protocol.test_attacks_plays::"
_CHAIN = "tests.protocol.test_attacks_transcript::"
_FILE = "tests.protocol.test_attacks_file::"
_CLOSING = "tests.protocol.test_attacks_closing::"
_TACTICS = "tests.protocol.test_attacks_tactics::"
_RETURNS = "tests.protocol.test_attacks_tactics_returns::"
_HELLOS = "tests.protocol.test_attacks_tactics_hello::"
_SIEGE = "tests.protocol.test_attacks_siege::"
_EXCHANGE = "tests.protocol.test_attacks_siege_exchange::"
_RESTOCK = "tests.protocol.test_attacks_siege_restock::"
_RESUME = "tests.protocol.test_attacks_resume::"
_BACK = "tests.protocol.test_attacks_resume_records::"
_HANDSHAKE = "tests.net.test_handshake::"

_CHANNEL_ONLY = "the channel leaves no record"
_STAND = "a stand, and what is sent on account of it, is no part of a file"
_OUTSIDE = "a CLOSE stands outside the chain: it is checked in a file"

ROWS: dict[str, tuple[Row, ...]] = {
    "channel and set-up": (
        Row(
            "identity key of small order",
            "both",
            (
                _SETUP + "test_an_identity_key_of_small_order_signs_nothing",
                _SETUP + "test_an_identity_key_with_torsion_signs_nothing_even_where_openssl_would_accept",
                _HANDSHAKE + "test_an_identity_key_of_small_order_is_refused_by_both_sides",
            ),
        ),
        Row(
            "HELLO key other than the channel's",
            "live",
            (_SETUP + "test_a_hello_with_a_key_other_than_the_channels_is_refused",),
            "no file knows the channel",
        ),
        Row(
            "relay in the middle",
            "live",
            (_HANDSHAKE + "test_a_relay_in_the_middle_fails_with_and_without_a_pin",),
            _CHANNEL_ONLY,
        ),
        Row(
            "pin mismatch",
            "live",
            (
                "tests.net.test_dial::test_a_pin_mismatch_ends_the_attempt_and_nothing_is_tried_without_the_pin",
                _HANDSHAKE + "test_a_listener_with_another_key_than_the_pin_ends_the_attempt_before_anything_is_signed",
            ),
            _CHANNEL_ONLY,
        ),
        Row(
            "secret replayed by another identity",
            "live",
            (
                "tests.net.test_lobby::test_the_secret_binds_to_the_first_identity_that_proves_it",
                _HANDSHAKE + "test_a_dialers_proof_recorded_earlier_opens_no_second_channel",
            ),
            _CHANNEL_ONLY,
        ),
        Row(
            "HELLO and COMMIT replayed in a second sitting (framing)",
            "both",
            (
                _SETUP + "test_hello_and_commit_replayed_in_a_second_sitting_frame_nobody",
                _SETUP + "test_a_hello_in_somebodys_name_under_another_key_blames_nobody",
            ),
        ),
        Row("X = identity", "both", (_SETUP + "test_x_identity_is_refused",)),
        Row("X of small order", "both", (_SETUP + "test_x_of_small_order_is_refused",)),
        Row("X = valid + T", "both", (_SETUP + "test_x_valid_plus_torsion_is_refused_though_its_proof_fits",)),
        Row(
            "rogue key X = Z - X_mine",
            "both",
            (
                _SETUP + "test_a_rogue_key_is_refused",
                _SETUP + "test_keys_that_cancel_to_the_identity_are_refused",
            ),
        ),
        Row("my X echoed", "both", (_SETUP + "test_my_key_echoed_is_refused",)),
        Row(
            "proof of possession from another game",
            "both",
            (_SETUP + "test_a_proof_of_possession_from_another_game_or_place_is_refused",),
        ),
        Row(
            "OPEN that does not open COMMIT",
            "both",
            (
                _SETUP + "test_an_open_that_does_not_open_the_commit_is_refused",
                _SETUP + "test_a_commitment_made_for_the_other_seat_does_not_open",
            ),
        ),
        Row("my COMMIT copied", "both", (_SETUP + "test_my_commitment_copied_is_refused",)),
        Row(
            "other rules digest, suite, options or version",
            "both",
            (
                _TERMS + "test_another_rules_digest_is_refused",
                _TERMS + "test_another_suite_is_refused",
                _TERMS + "test_other_options_are_refused",
                _TERMS + "test_an_answer_with_other_options_or_rules_is_refused_in_words",
                _TERMS + "test_another_match_is_refused",
                _TERMS + "test_a_game_that_has_no_place_in_a_match_is_refused",
                _TERMS + "test_another_version_is_refused_and_said_in_words",
            ),
        ),
        Row(
            "seed commitment used before",
            "both",
            (_SETUP + "test_a_seed_commitment_used_before_convicts_at_the_reveal",),
        ),
        Row(
            "escape sequences in a name",
            "both",
            (
                _TERMS + "test_escape_sequences_in_a_name_are_refused_and_reach_no_message",
                _TERMS + "test_a_name_of_more_than_32_bytes_is_refused",
            ),
        ),
    ),
    "shuffle": (
        Row("a card twice and one dropped", "both", (_SHUFFLE + "test_a_card_twice_and_one_dropped",)),
        Row(
            "the whole deck replaced by an own deck in known order",
            "both",
            (
                _SHUFFLE + "test_the_whole_deck_replaced_by_an_own_deck_in_known_order",
                _SHUFFLE + "test_the_starting_deck_instead_of_the_others_shuffle",
            ),
        ),
        Row("all cells equal", "both", (_SHUFFLE + "test_all_cells_equal",)),
        Row("a card swapped for a foreign point", "both", (_SHUFFLE + "test_a_card_swapped_for_a_foreign_point",)),
        Row("ciphertext scaled", "both", (_SHUFFLE + "test_ciphertexts_scaled",)),
        Row("witness not a permutation", "both", (_SHUFFLE + "test_a_witness_that_is_not_a_permutation",)),
        Row(
            "two cells swapped after proving",
            "both",
            (
                _SHUFFLE + "test_two_cells_swapped_after_proving",
                _SHUFFLE + "test_halves_of_two_cells_swapped",
            ),
        ),
        Row(
            "proof for the other deck, role, input or key",
            "both",
            (_SHUFFLE + "test_a_proof_made_for_another_deck_role_input_or_key",),
        ),
        Row(
            "the other's proof replayed",
            "both",
            (
                _SHUFFLE + "test_the_others_proof_replayed",
                _SHUFFLE + "test_a_shuffle_of_another_game_replayed",
            ),
        ),
        Row("N - 1 or N + 1 cells", "both", (_SHUFFLE + "test_one_cell_too_few_or_too_many",)),
        Row(
            "truncated or longer proof",
            "both",
            (_SHUFFLE + "test_a_truncated_or_longer_proof", _SHUFFLE + "test_no_proof_at_all"),
        ),
        Row(
            "scalar s + L, zero, all ones",
            "both",
            (
                _PLACES + "test_bad_points_and_scalars_in_every_place_of_a_mix",
                _PLACES + "test_bad_points_and_scalars_in_places_of_the_deck",
                _PLACES + "test_bad_points_and_scalars_in_a_share",
                _PLACES + "test_bad_scalars_in_a_proof_of_possession",
            ),
            "of each list of a proof one lie is spliced, the others are told live",
        ),
        Row(
            "torsion, identity, non-canonical, off-curve point in any place",
            "both",
            (
                _PLACES + "test_bad_points_and_scalars_in_every_place_of_a_mix",
                _PLACES + "test_bad_points_and_scalars_in_places_of_the_deck",
                _PLACES + "test_bad_points_and_scalars_in_a_share",
            ),
            "of each list of a proof one lie is spliced, the others are told live",
        ),
        Row(
            "challenge chosen first and the rest computed back",
            "both",
            (_SHUFFLE + "test_the_challenge_chosen_first_and_the_rest_computed_back",),
        ),
        Row(
            "shuffle sent twice or left out",
            "both",
            (
                _SHUFFLE + "test_a_shuffle_sent_twice",
                _SHUFFLE + "test_a_shuffle_sent_twice_before_the_others",
                _SHUFFLE + "test_a_shuffle_left_out",
                _SHUFFLE + "test_a_deck_that_the_game_has_not",
            ),
        ),
    ),
    "shares and plays": (
        Row("random point", "both", (_SHARES + "test_a_random_point",)),
        Row("x + 1 with a fitting proof", "both", (_SHARES + "test_x_plus_1_with_a_fitting_proof",)),
        Row(
            "right share of another cell",
            "both",
            (_SHARES + "test_the_right_share_of_another_cell", _SHARES + "test_shares_in_another_order"),
        ),
        Row(
            "D + T with an even challenge",
            "both",
            (_SHARES + "test_the_share_plus_torsion_with_a_challenge_that_hides_it",),
        ),
        Row(
            "share from another session or another position",
            "both",
            (
                _SHARES + "test_a_share_from_another_session",
                _SHARES + "test_a_share_from_another_position_record_deck_or_purpose",
            ),
        ),
        Row(
            "a share missing, doubled or one too many",
            "both",
            (
                _SHARES + "test_a_share_missing",
                _SHARES + "test_a_share_doubled",
                _SHARES + "test_a_share_one_too_many",
                _SHARES + "test_half_a_share",
                _SHARES + "test_a_share_paid_in_the_wrong_field",
                _SHARES + "test_a_debt_paid_before_the_deal",
                _SHARES + "test_shares_before_both_have_shuffled",
                _SHARES + "test_shares_when_nothing_is_owed",
            ),
        ),
        Row(
            "draw twice, out of turn, from an empty deck",
            "both",
            (
                _PLAYS + "test_drawing_twice_or_by_choice",
                _PLAYS + "test_drawing_from_an_empty_deck",
                _PLAYS + "test_a_move_out_of_turn",
                _PLAYS + "test_a_second_move_at_once",
                _PLAYS + "test_a_move_that_the_rules_refuse",
                _TACTICS + "test_drawing_by_choice_twice_not_at_all_or_before_the_card",
                _TACTICS + "test_drawing_from_an_empty_tactic_deck",
                _TACTICS + "test_a_draw_told_under_the_digest_of_the_other",
                _RETURNS + "test_a_scouts_fourth_card",
                _RETURNS + "test_a_scouts_draw_from_an_empty_pile",
            ),
        ),
        Row(
            "face j for a cell that opens to i, caught by the peer",
            "both",
            (
                _PLAYS + "test_a_false_face_is_caught_by_the_peer_at_once",
                _PLAYS + "test_a_false_face_of_another_card_of_the_same_hand",
                _PLAYS + "test_a_false_face_is_not_proven_by_a_forged_fault",
            ),
            title="face j for a cell that opens to i",
        ),
        Row(
            "the same passed on by a colluding peer, caught by the file",
            "spliced",
            (
                _PLAYS + "test_a_false_face_passed_on_by_a_colluder_is_caught_by_the_file",
                _PLAYS + "test_a_false_face_passed_on_is_caught_where_a_move_pays_the_share",
            ),
            "both peers lie: only a reader is left to catch them",
            title="a false face passed on by a colluding peer",
        ),
        Row(
            "a cell of the pile, of my hand, already open",
            "both",
            (
                _PLAYS + "test_a_cell_that_is_not_in_the_hand",
                _PLAYS + "test_a_cell_of_the_pile_or_of_my_hand_shared_as_the_one_laid",
                _PLAYS + "test_a_false_face_that_is_a_card_of_my_hand",
                _PLAYS + "test_a_card_that_is_open_already",
            ),
        ),
        Row(
            "a returned cell played",
            "both",
            (
                _RETURNS + "test_a_returned_cell_played",
                _RETURNS + "test_a_returned_cell_that_the_other_has_drawn_played",
                _RETURNS + "test_a_returned_cell_played_and_passed_on_by_a_colluder",
            ),
        ),
        Row("proof under my key", "both", (_SHARES + "test_a_proof_under_my_key",)),
        Row(
            "a third return, or a play before the second",
            "both",
            (
                _RETURNS + "test_a_third_return",
                _RETURNS + "test_a_play_before_the_second_return",
                _RETURNS + "test_a_turn_of_the_other_before_the_second_return",
                _RETURNS + "test_a_scout_that_does_something_else_before_he_has_drawn_three",
            ),
        ),
        Row(
            "mix with a foreign, lost or doubled cell, another count, of the other hand, not due, left out",
            "both",
            (
                _MIXES + "test_a_mix_with_a_foreign_cell",
                _MIXES + "test_a_mix_with_a_lost_or_doubled_cell",
                _MIXES + "test_a_mix_of_another_count",
                _MIXES + "test_a_mix_of_the_other_hand",
                _MIXES + "test_a_mix_that_is_not_due",
                _MIXES + "test_a_mix_left_out",
                _MIXES + "test_a_mix_done_twice_or_of_a_deck_that_is_not_there",
            ),
        ),
        Row("an earlier mix replayed", "both", (_MIXES + "test_an_earlier_mix_replayed",)),
        Row(
            "share of a returned card refused",
            "both",
            (
                _RETURNS + "test_the_share_of_a_card_put_back_refused_when_it_is_drawn",
                _RETURNS + "test_another_share_than_that_of_the_card_put_back",
            ),
            title="share of a returned card not given",
        ),
        Row(
            "exchange in the wrong order",
            "both",
            (
                _EXCHANGE + "test_the_second_gives_first",
                _EXCHANGE + "test_the_first_gives_twice_or_takes_his_gift_back",
                _EXCHANGE + "test_something_else_where_a_gift_is_due",
                _EXCHANGE + "test_a_gift_when_there_is_no_exchange",
                _EXCHANGE + "test_an_exchange_played_again",
            ),
        ),
    ),
    "transcript": (
        Row("flipped bit", "both", (_CHAIN + "test_a_flipped_bit_anywhere_in_a_record",)),
        Row(
            "replaced body",
            "both",
            (
                _CHAIN + "test_another_body_under_the_old_signature",
                _ENCODING + "test_a_body_of_another_shape_convicts_its_author",
                _PLAYS + "test_another_move_under_an_honest_digest",
                _PLAYS + "test_a_position_that_the_digest_does_not_name",
            ),
        ),
        Row("wrong seq", "both", (_CHAIN + "test_a_wrong_number",)),
        Row("wrong prev", "both", (_CHAIN + "test_a_wrong_previous_hash",)),
        Row(
            "signed by another key",
            "both",
            (
                _CHAIN + "test_signed_by_another_key",
                _CHAIN + "test_signed_for_another_game",
                _CHAIN + "test_a_record_of_another_game",
            ),
        ),
        Row(
            "my own record echoed",
            "both",
            (_CHAIN + "test_my_own_record_echoed", _CHAIN + "test_a_record_sent_once_more"),
        ),
        Row(
            "other msgpack encoding of the same value",
            "both",
            (
                _ENCODING + "test_another_encoding_of_the_same_value",
                _ENCODING + "test_values_that_no_record_holds",
                _ENCODING + "test_arrays_nested_deeper_than_any_record",
            ),
        ),
        Row(
            "trailing bytes",
            "both",
            (_ENCODING + "test_trailing_bytes", _ENCODING + "test_trailing_bytes_in_a_file"),
        ),
        Row(
            "huge length",
            "both",
            (
                _ENCODING + "test_a_huge_length",
                _ENCODING + "test_a_length_in_the_file_that_nothing_has",
                "tests.net.test_link_faults::test_a_record_longer_than_any_that_may_come_now_is_refused_before_it_is_read",
            ),
        ),
        Row(
            "slow drip",
            "live",
            (
                "tests.net.test_link_ends::test_a_slow_drip_inside_a_frame_is_no_sign_of_life",
                "tests.net.test_lobby_strangers::test_nobody_holds_an_unproven_connection_for_longer_than_the_handshake_may_take",
            ),
            "no record comes of it",
        ),
        Row(
            "two records at one seq",
            "both",
            (
                _CHAIN + "test_two_records_at_one_place",
                _CHAIN + "test_two_moves_at_one_place_both_legal",
                _CHAIN + "test_two_hellos_are_no_fork",
            ),
        ),
        Row(
            "resume with a rolled-back journal and another move",
            "both",
            (
                _RESUME + "test_a_journal_rolled_back_and_another_move",
                _RESUME + "test_another_move_sent_as_if_it_were_the_next_record",
            ),
        ),
        Row(
            "resume with another identity",
            "live",
            (
                _RESUME + "test_a_resume_with_another_identity",
                "tests.net.test_reconnect::test_nobody_but_the_other_player_may_go_on_with_the_game",
            ),
            "the channel proves the key before any record; under another key nothing in a file is of this game",
        ),
        Row(
            "another outcome sealed",
            "both",
            (
                _CHAIN + "test_another_outcome_sealed",
                _CHAIN + "test_another_head_sealed",
                _CHAIN + "test_a_seal_before_the_end",
            ),
        ),
        Row("reveal of another seed", "both", (_CHAIN + "test_a_reveal_of_another_seed",)),
        Row(
            "reveal before the seals",
            "both",
            (
                _CHAIN + "test_a_reveal_before_the_seals",
                _CHAIN + "test_seat_1_seals_or_reveals_before_seat_0",
            ),
        ),
        Row(
            "CLOSE before the end",
            "spliced",
            (
                _CLOSING + "test_a_close_before_the_end",
                _CLOSING + "test_a_close_when_it_is_its_authors_turn",
                _CLOSING + "test_a_close_behind_a_complete_game",
            ),
            _OUTSIDE,
        ),
        Row(
            "with a wrong seed",
            "spliced",
            (
                _CLOSING + "test_a_close_with_a_wrong_seed",
                _CLOSING + "test_a_close_over_a_mix_of_another_seed_is_not_proven",
            ),
            _OUTSIDE,
            title="CLOSE with a wrong seed",
        ),
        Row(
            "after a false face",
            "spliced",
            (_CLOSING + "test_a_close_after_a_false_face",),
            _OUTSIDE,
            title="CLOSE after a false face",
        ),
        Row(
            "file edited",
            "spliced",
            (
                _FILE + "test_a_file_edited_record_by_record",
                _FILE + "test_a_file_whose_header_is_edited_or_cut",
                _CHAIN + "test_a_record_behind_the_last",
            ),
            "the attack is on the file",
        ),
        Row(
            "cut",
            "spliced",
            (
                _FILE + "test_a_file_cut_between_records_is_unfinished_and_blames_nobody",
                _FILE + "test_a_file_cut_inside_a_record",
            ),
            "the attack is on the file",
            title="file cut",
        ),
        Row(
            "spliced from two games",
            "spliced",
            (_FILE + "test_a_file_spliced_from_two_games_of_the_same_two",),
            "the attack is on the file",
            title="file spliced from two games",
        ),
        Row(
            "seats exchanged",
            "spliced",
            (_FILE + "test_a_file_with_its_seats_exchanged",),
            "the attack is on the file",
            title="file with its seats exchanged",
        ),
    ),
    "tactic cards and siege": (
        Row(
            "false face of a tactic card",
            "both",
            (
                _TACTICS + "test_a_false_face_of_a_tactic_card",
                _TACTICS + "test_the_other_of_two_leaders",
                _SIEGE + "test_a_false_face_of_a_ruse_in_a_siege",
                _RESTOCK + "test_a_support_of_a_false_face",
                _RESTOCK + "test_a_support_of_a_false_face_passed_on_by_a_colluder",
            ),
        ),
        Row(
            "a tactic card named for a cell of the other deck",
            "both",
            (
                _TACTICS + "test_a_tactic_card_named_for_a_cell_of_the_other_deck",
                _TACTICS + "test_a_numbered_card_named_for_a_cell_of_the_tactic_deck",
                _TACTICS + "test_a_tactic_card_played_by_a_hand_without_one",
                _TACTICS + "test_a_share_of_a_tactic_card_proven_for_the_other_deck",
            ),
        ),
        Row(
            "mixes of two decks in the wrong order, doubled, left out, not due, of the other deck or hand",
            "both",
            (
                _TACTICS + "test_a_mix_of_the_deck_that_no_card_leaves",
                _TACTICS + "test_the_mix_of_a_tactic_card_left_out_doubled_or_beside_another",
                _TACTICS + "test_a_mix_of_cells_of_the_other_deck_or_the_other_hand",
                _TACTICS + "test_a_mix_proven_for_the_other_deck",
                _TACTICS + "test_a_tactic_card_doubled_in_a_mix",
                _EXCHANGE + "test_two_mixes_in_the_wrong_order_doubled_or_one_left_out",
                _EXCHANGE + "test_a_mix_of_two_that_is_not_due",
                _EXCHANGE + "test_a_mix_of_two_with_cells_of_the_other_deck_or_hand",
                _EXCHANGE + "test_a_mix_of_two_proven_for_the_other",
                _EXCHANGE + "test_the_mix_of_the_gift_replayed_for_the_next_play",
            ),
        ),
        Row(
            "a tactic card over the limit",
            "both",
            (_TACTICS + "test_a_tactic_card_over_the_limit",),
        ),
        Row(
            "a second joker",
            "both",
            (_TACTICS + "test_a_second_leader",),
        ),
        Row(
            "a card of the wrong side or of nowhere taken",
            "both",
            (
                _TACTICS + "test_a_tactic_card_that_does_something_else",
                _SIEGE + "test_a_ruse_that_takes_what_it_may_not",
                _SIEGE + "test_a_support_with_other_cards_than_it_may_take",
            ),
        ),
        Row(
            "a scout's pile chosen for him",
            "both",
            (
                _RETURNS + "test_a_scouts_pile_chosen_by_the_seat_that_pays",
                _RETURNS + "test_a_scouts_draw_told_under_the_digest_of_the_other_pile",
                _TACTICS + "test_a_share_of_a_card_of_the_pile_that_was_not_drawn",
            ),
        ),
        Row(
            "a return of another deck, cell or mix",
            "both",
            (
                _RETURNS + "test_a_return_of_a_deck_that_the_hand_does_not_hold",
                _RETURNS + "test_a_return_with_the_mix_of_another_deck",
                _RETURNS + "test_a_hand_mixed_again_for_the_second_return",
                _RETURNS + "test_a_return_of_a_cell_of_the_other_deck_hand",
                _RETURNS + "test_another_cell_put_back_than_told",
                _RETURNS + "test_two_cards_put_back_at_one_place",
            ),
        ),
        Row(
            "share of a returned card given",
            "both",
            (
                _RETURNS + "test_the_share_of_a_card_put_back_given_with_it",
                _RETURNS + "test_the_share_of_a_card_put_back_given_afterwards",
                _RETURNS + "test_the_share_of_a_card_put_back_demanded",
            ),
        ),
        Row(
            "two gifts at one place",
            "both",
            (_EXCHANGE + "test_two_gifts_at_one_place",),
        ),
        Row(
            "a gift of another count, order, deck or place",
            "both",
            (
                _EXCHANGE + "test_a_gift_of_another_count_or_order",
                _EXCHANGE + "test_a_gift_of_cells_of_the_other_deck_hand",
                _EXCHANGE + "test_other_decks_than_those_of_the_cells",
            ),
        ),
        Row(
            "gifts paid too early, too little or with other cells",
            "both",
            (
                _EXCHANGE + "test_the_first_pays_before_the_other_has_given",
                _EXCHANGE + "test_the_second_pays_before_he_has_given",
                _EXCHANGE + "test_the_second_gift_without_its_shares_or_with_others",
                _EXCHANGE + "test_the_first_gift_paid_with_other_shares",
            ),
        ),
        Row(
            "a card that was given away played",
            "both",
            (
                _EXCHANGE + "test_a_card_that_was_given_away_played",
                _EXCHANGE + "test_a_card_that_was_received_played_out_of_an_unmixed_hand",
            ),
        ),
        Row(
            "a restock by the wrong seat, twice, too early or of another pile",
            "both",
            (
                _RESTOCK + "test_a_restock_by_the_wrong_seat_or_in_the_wrong_order",
                _RESTOCK + "test_a_move_or_a_share_before_both_have_shuffled",
                _RESTOCK + "test_a_restock_when_none_is_due",
                _RESTOCK + "test_a_restock_of_another_pile_of_both_or_of_none",
            ),
        ),
        Row(
            "of other cells",
            "both",
            (
                _RESTOCK + "test_a_restock_of_other_cells",
                _RESTOCK + "test_a_restock_with_a_cell_more",
                _RESTOCK + "test_a_cell_of_the_restocked_pile_lost_and_another_doubled",
            ),
            title="a restock of other cells",
        ),
        Row(
            "under another label",
            "both",
            (_RESTOCK + "test_a_restock_proven_for_another_place",),
            title="a restock under another label",
        ),
        Row(
            "an earlier shuffle replayed",
            "both",
            (_RESTOCK + "test_an_earlier_shuffle_replayed_as_a_restock",),
            title="an earlier shuffle replayed as a restock",
        ),
        Row(
            "debts left out",
            "both",
            (
                _RESTOCK + "test_a_restock_without_its_authors_debts",
                _RESTOCK + "test_the_share_of_a_restocked_card_given",
            ),
            title="a restock with debts left out",
        ),
        Row(
            "a restocked card played or kept in the open",
            "both",
            (
                _RESTOCK + "test_a_restocked_card_played_out_of_the_hand",
                _RESTOCK + "test_a_restocked_card_left_in_the_discard_pile_too",
                _RESTOCK + "test_a_support_told_under_another_order_of_the_pile",
            ),
        ),
        Row(
            "the draw behind it left out",
            "both",
            (_RESTOCK + "test_the_draw_after_a_support_left_out_or_from_the_empty_pile",),
            title="the draw behind a restock left out",
        ),
        Row(
            "oil by the attacker, out of turn, twice, late, without target, a fourth time",
            "both",
            (
                _SIEGE + "test_oil_poured_by_the_attacker",
                _SIEGE + "test_oil_out_of_turn",
                _SIEGE + "test_oil_poured_twice_in_a_turn",
                _SIEGE + "test_oil_poured_after_the_play",
                _SIEGE + "test_oil_at_a_tile_without_an_attacker_or_at_none",
                _SIEGE + "test_a_fourth_oil",
                _SIEGE + "test_oil_told_under_the_digest_of_another_tile",
                _SIEGE + "test_oil_that_spares_the_card_that_lies_longest",
                _SIEGE + "test_a_card_shown_or_a_place_named_with_oil",
            ),
        ),
        Row(
            "retreat by the defender or late",
            "both",
            (
                _SIEGE + "test_a_retreat_by_the_defender",
                _SIEGE + "test_a_retreat_after_the_play",
                _SIEGE + "test_a_retreat_from_a_tile_without_cards_or_twice",
                _SIEGE + "test_a_retreat_told_under_the_digest_of_another_tile",
                _SIEGE + "test_a_retreat_out_of_turn",
            ),
        ),
        Row(
            "control by the defender, unproven or late",
            "both",
            (
                _SIEGE + "test_a_control_by_the_defender",
                _SIEGE + "test_a_control_that_is_not_proven",
                _SIEGE + "test_a_control_after_the_draw",
                _SIEGE + "test_a_control_told_under_the_digest_of_letting_be",
            ),
        ),
        Row(
            "flags and first seats written otherwise, or not offered",
            "both",
            (
                _HELLOS + "test_flags_written_in_another_way",
                _HELLOS + "test_flags_and_first_seats_that_a_siege_does_not_know",
                _HELLOS + "test_flags_under_the_digest_of_other_rules",
                _HELLOS + "test_an_answer_with_other_flags",
                _HELLOS + "test_an_answer_with_another_attacker",
            ),
        ),
        Row(
            "another place in the match",
            "both",
            (
                _HELLOS + "test_an_answer_from_another_place_in_the_match",
                _HELLOS + "test_an_offer_from_another_place_than_insisted_on",
                _HELLOS + "test_an_offer_of_another_form_or_another_first_seat_than_insisted_on",
                _HELLOS + "test_a_game_that_can_stand_in_no_match",
                _HELLOS + "test_a_match_written_with_other_lengths_and_numbers",
            ),
            "an offer to one who insists on another is told live: a file does not know what he wanted",
        ),
        Row(
            "another name in a later game of a connection",
            "live",
            (
                "tests.protocol.test_attacks_series::test_a_host_who_becomes_a_friends_namesake_in_a_later_game_is_refused",
                "tests.protocol.test_attacks_series::test_a_guest_who_becomes_a_friends_namesake_in_a_later_game_is_refused",
            ),
            "a file holds one game: it does not know the name of the one before",
        ),
    ),
    "going on": (
        Row(
            "records claimed that do not exist",
            "live",
            (_RESUME + "test_records_claimed_that_do_not_exist",),
            _STAND,
        ),
        Row(
            "a head of records that he does not have, or that the records handed over do not lead to",
            "live",
            (
                _RESUME + "test_a_head_of_records_that_he_does_not_have",
                _RESUME + "test_a_head_that_the_records_handed_over_do_not_lead_to",
            ),
            _STAND,
        ),
        Row(
            "a stand in another game or of another form",
            "live",
            (
                _RESUME + "test_a_stand_in_another_game",
                _RESUME + "test_a_stand_of_another_form",
            ),
            _STAND,
        ),
        Row(
            "records that I have told again and again",
            "live",
            (_BACK + "test_records_that_i_have_told_again_and_again",),
            _STAND,
        ),
        Row(
            "my own records back when I lack none, under another signature, with another body, of another game",
            "live",
            (
                _BACK + "test_my_own_records_back_when_i_lack_none",
                _BACK + "test_my_own_record_back_under_another_signature_or_with_another_body",
            ),
            _STAND,
        ),
        Row(
            "a commitment of mine to another seed than I keep",
            "live",
            (_BACK + "test_a_commitment_of_mine_to_another_seed_than_i_keep",),
            "no file knows my seed",
        ),
        Row(
            "HELLOs of another game for one who lost everything",
            "live",
            (_BACK + "test_hellos_of_another_game_for_one_who_lost_everything",),
            "no file knows which game was meant",
        ),
        Row(
            "a tail withheld from one whose disk was put back, or who had no choice",
            "live",
            (
                _BACK + "test_a_tail_withheld_from_one_whose_disk_was_put_back",
                _BACK + "test_a_tail_withheld_where_i_had_no_choice_gives_the_same_bytes_again",
            ),
            _STAND,
        ),
    ),
}
