"""The levels of play: easy errs, never misses a claim, and plays between uniform and greedy; normal is greedy."""

from __future__ import annotations

import pytest

from p2p_schotten.bots import LEVELS, find_bot, make_bot
from p2p_schotten.bots.greedy import Greedy
from p2p_schotten.bots.levels import Easy
from p2p_schotten.bots.seated import Seated
from p2p_schotten.bots.uniform import Uniform
from p2p_schotten.engine.move import Claim, Move
from p2p_schotten.engine.rulesets import BASE
from p2p_schotten.engine.view import View
from p2p_schotten.errors import Unreadable
from tests.bots.games import course, dealt, seen_by, won
from tests.engine.positions import ME


def test_easy_plays_what_greedy_does_when_it_never_errs_and_as_often_otherwise_as_it_is_told() -> None:
    view = seen_by(dealt(BASE, ME, 3), ME)
    best = {make_bot("greedy", seed).choose(view) for seed in range(200)}
    assert {make_bot("easy,errs=0", seed).choose(view) for seed in range(60)} <= best
    assert len(best) in (9, 18, 27)  # a card, or a few that are worth the same, at any of nine stones
    assert len(view.choices()) == 6 * 9
    others = [make_bot("easy,errs=0.5", seed).choose(view) not in best for seed in range(200)]
    share = 0.5 * (1 - len(best) / len(view.choices()))
    assert abs(sum(others) - 200 * share) < 4 * (200 * share * (1 - share)) ** 0.5


def test_easy_plays_the_same_again_with_the_same_seed() -> None:
    def game(seed: int) -> object:
        return course(dealt(BASE, ME, 1), (make_bot("easy", seed), make_bot("easy", seed + 1)), 1)

    assert game(5) == game(5) != game(7)


@pytest.mark.parametrize("errs", ["1.5", "-1", "nan", "often"])
def test_easy_errs_with_a_chance(errs: str) -> None:
    with pytest.raises(Unreadable, match=rf"^easy cannot be made so: errs is a share from 0 to 1, not {errs}$"):
        find_bot(f"easy,errs={errs}")


def test_easy_knows_no_other_option() -> None:
    with pytest.raises(Unreadable, match=r"^easy has no option 'wins'; its options are: errs$"):
        find_bot("easy,wins=1")


def test_easy_never_misses_a_claim() -> None:
    chosen: list[Move] = []

    class Watched(Easy):
        def act(self, view: View, legal: tuple[Move, ...]) -> Move:
            move = super().act(view, legal)
            if any(isinstance(other, Claim) for other in legal):
                chosen.append(move)
            return move

    course(dealt(BASE, ME, 4), (Seated(Watched(errs=1), 1), Seated(Watched(errs=1), 2)), 4)
    assert len(chosen) > 4
    assert all(isinstance(move, Claim) for move in chosen)


def test_easy_plays_better_than_uniform_and_worse_than_greedy() -> None:
    assert won(BASE, Easy, Uniform, 4, 1) >= 6  # of 8; it is 50 of 50 or nearly
    assert won(BASE, Easy, Greedy, 4, 1) <= 3


def test_there_are_three_levels_and_normal_is_greedy() -> None:
    assert list(LEVELS) == ["easy", "normal", "hard"]
    assert type(find_bot("easy")) is Easy
    assert type(find_bot("normal")) is Greedy
    with pytest.raises(Unreadable, match=r"known are .*easy, .*normal, hard"):
        find_bot("harder")


@pytest.mark.parametrize("level", LEVELS)
def test_who_plays_at_a_level_is_called_by_it(level: str) -> None:
    bot = make_bot(f"{level},errs=0.2" if level == "easy" else level, 1)
    assert (bot.name, bot.again().name) == (level, level)
    assert [make_bot(name, 1).name for name in ("greedy", "search")] == ["greedy", "search"]


def test_a_bot_that_could_not_be_kept_beside_a_game_is_refused_at_once() -> None:
    name = "my\N{COMBINING GRAPHEME JOINER}bot"  # printable to Python, and invisible
    assert name.isprintable()
    with pytest.raises(Unreadable, match="500 printable characters"):
        find_bot(name)
