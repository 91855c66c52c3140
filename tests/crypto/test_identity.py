"""Signatures are those of RFC 8032, under keys that are points of the prime-order group."""

from __future__ import annotations

import random
from hashlib import sha512

import pytest

from p2p_schotten.crypto import group, identity
from p2p_schotten.crypto.group import Point
from p2p_schotten.crypto.identity import Identity, check_identity, fingerprint, verify_signature
from p2p_schotten.errors import InvalidProof
from tests.crypto import slow

# RFC 8032 section 7.1, tests 1 to 3: secret, public, message, signature
VECTORS = [
    (
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555"
        "fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
        "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]


@pytest.mark.parametrize(("private", "public", "message", "signature"), VECTORS)
def test_signatures_of_rfc_8032(private: str, public: str, message: str, signature: str) -> None:
    me = Identity(bytes.fromhex(private))
    assert me.public.hex() == public
    assert me.private_bytes().hex() == private
    assert me.sign(bytes.fromhex(message)).hex() == signature
    verify_signature(me.public, bytes.fromhex(message), bytes.fromhex(signature))
    assert check_identity(me.public) == me.public


def test_a_new_identity_comes_from_the_entropy_given_or_from_the_operating_system() -> None:
    assert Identity.generate(b"\7" * 32).public == Identity(b"\7" * 32).public
    first, second = Identity.generate(), Identity.generate()
    assert first.public != second.public
    assert Identity(first.private_bytes()).public == first.public


def test_any_flipped_bit_of_message_signature_or_key_is_refused() -> None:
    me, bits = Identity(b"\7" * 32), random.Random(1)
    message = b"the record"
    signature = me.sign(message)
    for place, data in enumerate((me.public, message, signature)):
        for _ in range(20):
            bit = bits.randrange(8 * len(data))
            flipped = (int.from_bytes(data, "big") ^ 1 << bit).to_bytes(len(data), "big")
            changed = [me.public, message, signature]
            changed[place] = flipped
            with pytest.raises(InvalidProof):
                verify_signature(*changed)


def test_a_signature_with_s_not_reduced_or_another_length_is_refused() -> None:
    me = Identity(b"\7" * 32)
    signature = me.sign(b"m")
    s = int.from_bytes(signature[32:], "little")
    for forged in (signature[:32] + (s + slow.L).to_bytes(32, "little"), signature[:-1], signature + b"\0", b""):
        with pytest.raises(InvalidProof, match="the signature is not one of"):
            verify_signature(me.public, b"m", forged)


@pytest.mark.parametrize("number", range(8))
def test_a_key_of_small_order_is_refused_though_one_constant_signature_fits_its_messages(number: int) -> None:
    key = slow.encode(slow.TORSION[number])
    constant = slow.encode(slow.IDENTITY) + bytes(32)  # R = identity, s = 0
    fooled = 0
    for message in (b"message %d" % i for i in range(64)):
        k = int.from_bytes(sha512(constant[:32] + key + message).digest(), "little")
        fooled += slow.mul(k, slow.TORSION[number]) == slow.IDENTITY  # sB = R + kA of RFC 8032 holds
        with pytest.raises(InvalidProof, match="the identity key is not a point of the prime-order group"):
            verify_signature(key, message, constant)
    assert fooled >= 2  # the attack is real: without the check of the key these messages verify
    with pytest.raises(InvalidProof, match="the identity key is not a point of the prime-order group"):
        check_identity(key)


@pytest.mark.parametrize("number", range(1, 8))
def test_a_key_with_a_torsion_part_is_refused(number: int) -> None:
    key = slow.decode(Identity(b"\7" * 32).public)
    with pytest.raises(InvalidProof, match="the identity key is not a point of the prime-order group"):
        check_identity(slow.encode(slow.add(key, slow.TORSION[number])))


@pytest.mark.parametrize("key", [b"", b"\1" * 31, b"\1" * 33, (2).to_bytes(32, "little"), b"\xff" * 32])
def test_a_key_of_another_length_or_off_the_curve_is_refused(key: bytes) -> None:
    with pytest.raises(InvalidProof, match="identity key"):
        check_identity(key)


def test_a_key_is_checked_once_not_for_each_record(monkeypatch: pytest.MonkeyPatch) -> None:
    identity._public_key.cache_clear()
    check, checked = group.check_point, []

    def counted(P: Point) -> Point:
        checked.append(P)
        return check(P)

    monkeypatch.setattr(group, "check_point", counted)
    me = Identity(b"\7" * 32)
    for message in (b"1", b"2", b"3"):
        verify_signature(me.public, message, me.sign(message))
    assert checked == [me.public]
    bad = slow.encode(slow.TORSION[4])
    for _ in range(2):
        with pytest.raises(InvalidProof):
            check_identity(bad)
    assert checked == [me.public, bad, bad]


def test_a_fingerprint_has_100_bits_in_groups_to_read_aloud() -> None:
    shown = fingerprint(Identity(b"\7" * 32).public)
    groups = shown.split("-")
    assert [len(group_) for group_ in groups] == [4] * 5
    assert set("".join(groups)) <= set("abcdefghijklmnopqrstuvwxyz234567")
    assert shown != fingerprint(Identity(b"\x08" * 32).public)


def test_an_identity_shows_its_fingerprint_and_no_private_byte() -> None:
    me = Identity(b"\7" * 32)
    assert repr(me) == f"Identity({fingerprint(me.public)})"
