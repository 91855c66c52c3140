"""An invite is read exactly as it was written; a typing error is recognised and said."""

from __future__ import annotations

import base64
import hashlib
import ipaddress
import socket
import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p_schotten.crypto.identity import Identity
from p2p_schotten.errors import Malformed
from p2p_schotten.net import addresses
from p2p_schotten.net.addresses import addresses_of, usable_addresses
from p2p_schotten.net.invite import (
    MAX_ADDRESSES,
    MAX_INVITE,
    PREFIX,
    Address,
    Target,
    check_address,
    may_go_on,
    parse_address,
    parse_target,
    write_invite,
)

KEY = Identity.generate(bytes(range(32))).public
SECRET = bytes(range(16))
PLAIN = write_invite(KEY, SECRET, (Address("192.168.1.20", 4000), Address("fd00::1", 4000)))

PORTS = st.integers(1, 65535)
NAMES = st.from_regex(r"[a-z]([a-z0-9-]{0,20}[a-z0-9])?(\.[a-z]{2,8}){0,3}", fullmatch=True)
HOSTS = st.one_of(st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(str), NAMES)
ADDRESSES = st.lists(st.builds(Address, HOSTS, PORTS), min_size=1, max_size=MAX_ADDRESSES).map(tuple)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=16, max_size=16), ADDRESSES)
def test_what_was_written_is_read(entropy: bytes, secret: bytes, addresses: tuple[Address, ...]) -> None:
    key = Identity.generate(entropy).public
    invite = write_invite(key, secret, addresses)
    assert parse_target(invite) == Target(addresses, key, secret)
    assert len(invite) <= MAX_INVITE


def test_an_invite_is_one_word_of_capitals_and_digits_that_a_qr_code_stores_well() -> None:
    assert PLAIN.startswith("SCHOTTEN1:")
    assert set(PLAIN[len(PREFIX) :]) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")


def test_the_example_of_the_specification_is_made_by_hand_from_its_grammar() -> None:
    """docs/protocol.md 9.4, put together without the code under test: SHA-512 of the encoded list of section 1.2."""
    key = Identity.generate(bytes(32)).public
    content = key + bytes(16) + (4242).to_bytes(2, "big") + b"\x04" + bytes([192, 0, 2, 1])

    def sized(letter: bytes, count: int, body: bytes) -> bytes:
        return letter + count.to_bytes(8, "big") + body

    parts = sized(b"s", 12, b"p2p_schotten") + sized(b"s", 6, b"invite") + sized(b"b", len(content), content)
    check = hashlib.sha512(sized(b"l", 3, parts)).digest()[:4]
    word = "SCHOTTEN1:" + base64.b32encode(content + check).decode().rstrip("=")
    assert word == (
        "SCHOTTEN1:HNVCPPGOW2SC2YVDVDICU3YNONSTEFLXDXREHJR2YBEKDC2Z3IUQAAAAAAAAAAAAAAAAAAAAAAAAAEESATAAAAQBELRJBPQ"
    )
    assert write_invite(key, bytes(16), (Address("192.0.2.1", 4242),)) == word


def test_case_and_surrounding_blanks_do_not_matter() -> None:
    assert parse_target(f"  {PLAIN.lower()}\n") == parse_target(PLAIN)


@given(st.binary(min_size=16, max_size=16), ADDRESSES, st.data())
def test_every_beginning_of_an_invite_may_go_on_and_its_pieces_make_it_whole(
    secret: bytes, addresses: tuple[Address, ...], data: st.DataObject
) -> None:
    invite = write_invite(KEY, secret, addresses)
    cut = data.draw(st.integers(1, len(invite) - 1))
    assert may_go_on(invite[:cut])
    assert not may_go_on(invite)
    assert parse_target(f"{invite[:cut]}\n  {invite[cut:]}") == Target(addresses, KEY, secret)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hello",
        "192.0.2.1:4000",
        "SCHOTTEN2:AAAA",
        PREFIX + "A1",  # no invite has that letter
        PREFIX + "A" * 90,  # the first address would have no letter: its mark is 0
        PREFIX + "A" * (MAX_INVITE - len(PREFIX)),
    ],
)
def test_what_can_never_become_an_invite_does_not_go_on(text: str) -> None:
    assert not may_go_on(text)


def test_a_whole_invite_with_a_typing_error_does_not_go_on_unless_its_check_may_begin_an_address() -> None:
    content = KEY + SECRET + b"\x0f\xa0\x04\xc0\x00\x02\x01"
    for check, goes_on in ((b"\0\0\0\0", False), (b"\0\0\4\0", True), (b"\0\0\x05\0", False)):
        word = PREFIX + base64.b32encode(content + check).decode().rstrip("=")
        assert may_go_on(word) is goes_on


@given(st.data())
def test_one_wrong_character_is_recognised(data: st.DataObject) -> None:
    at = data.draw(st.integers(len(PREFIX), len(PLAIN) - 1))
    wrong = data.draw(st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567").filter(lambda c: c != PLAIN[at]))
    with pytest.raises(Malformed, match=r"mistyped|another way"):
        parse_target(PLAIN[:at] + wrong + PLAIN[at + 1 :])


@given(st.integers(len(PREFIX), len(PLAIN) - 1))
def test_a_cut_invite_is_recognised(length: int) -> None:
    with pytest.raises(Malformed, match="the invite is cut"):
        parse_target(PLAIN[:length])


def test_a_letter_that_no_invite_has_is_not_taken_for_a_cut() -> None:
    with pytest.raises(Malformed, match="the invite is mistyped: only letters and the digits 2 to 7"):
        parse_target(PLAIN[:20] + "1")
    with pytest.raises(Malformed, match="cut: it goes on for at least 90 characters, here for 6"):
        parse_target("SCHOTTEN1:abcdef")


def test_the_shortest_invite_is_not_called_cut() -> None:
    word = write_invite(KEY, SECRET, (Address("a", 1),))
    assert parse_target(word).addresses == (Address("a", 1),)


@given(st.text(max_size=300))
def test_any_text_is_a_target_or_malformed(text: str) -> None:
    for attempt in (text, PREFIX + text):
        try:
            target = parse_target(attempt)
        except Malformed:
            continue
        assert target.addresses


def test_an_invite_of_a_later_form_is_named_so() -> None:
    with pytest.raises(Malformed, match="an invite of form 2; this program reads form 1"):
        parse_target("SCHOTTEN2:ABC")


def test_a_huge_invite_is_refused_before_it_is_decoded() -> None:
    with pytest.raises(Malformed, match="at most"):
        parse_target(PREFIX + "A" * 1_000_000)


def test_an_invite_with_a_small_order_key_names_no_player() -> None:
    for key in (bytes(32), b"\1" + bytes(31)):
        with pytest.raises(Malformed, match="names no player"):
            parse_target(write_invite(key, SECRET, (Address("::1", 1),)))


@pytest.mark.parametrize("count", [0, MAX_ADDRESSES + 1])
def test_an_invite_has_1_to_8_addresses(count: int) -> None:
    with pytest.raises(ValueError, match="1 to 8 addresses"):
        write_invite(KEY, SECRET, (Address("::1", 1),) * count)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("127.0.0.1:4000", Address("127.0.0.1", 4000)),
        ("[::1]:4000", Address("::1", 4000)),
        ("[FD00:0:0::1]:1", Address("fd00::1", 1)),
        ("Example.COM.:65535", Address("example.com", 65535)),
        ("localhost:7", Address("localhost", 7)),
        ("schottenhof.de:7", Address("schottenhof.de", 7)),
        ("my_nas:7", Address("my_nas", 7)),
    ],
)
def test_a_host_and_a_port_are_trusted_on_first_use(text: str, address: Address) -> None:
    assert parse_target(text) == Target((address,), None, None)
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "expected an invite"),
        ("localhost", "expected an invite"),
        (":4000", "expected an invite"),
        ("localhost:", "port from 1 to 65535"),
        ("localhost:0", "from 1 to 65535"),
        ("localhost:65536", "from 1 to 65535"),
        ("localhost:-1", "port from 1 to 65535"),
        ("localhost:٣", "port from 1 to 65535"),
        ("::1:4000", "stands in brackets"),
        ("[localhost]:4000", "only an IPv6 address"),
        ("[fe80::1%eth0]:4000", "a host is an address or a name"),
        ("256.1.1.1:4000", "neither an IPv4 address nor a name"),
        ("127.1:4000", "neither an IPv4 address nor a name"),
        ("a b:4000", "a host is an address or a name"),
        ("\x1b[2J:4000", "a host is an address or a name"),
        ("-a.de:4000", "a host is an address or a name"),
        ("a..de:4000", "a host is an address or a name"),
        ("ä.de:4000", "a host is an address or a name"),
        ("x" * 101 + ":4000", "at most 100 characters"),
        ("x" * 64 + ":4000", "a host is an address or a name"),
    ],
)
def test_what_is_no_address_is_refused_with_the_reason(text: str, why: str) -> None:
    with pytest.raises(Malformed, match=why):
        parse_target(text)


def test_every_usable_address_can_stand_in_an_invite_and_loopback_is_last() -> None:
    found = usable_addresses()
    assert len(set(found)) == len(found)
    assert [check_address(host, 1).host for host in found] == list(found)
    loopback = [ipaddress.ip_address(host).is_loopback for host in found]
    assert loopback == sorted(loopback)
    assert "127.0.0.1" in found


def test_a_name_server_that_does_not_answer_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    known, asked, end = usable_addresses(), list[str](), threading.Event()

    def ask(host: str, *_args: object, **_options: object) -> list[object]:
        asked.append(host)
        end.wait(30)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", ask)
    monkeypatch.setattr(addresses, "NAME_SECONDS", 0.05)
    begun = time.monotonic()
    found = addresses_of(["0.0.0.0", "::"])
    took = time.monotonic() - begun
    end.set()
    assert asked == [socket.gethostname()]  # once for both families
    assert took < 10
    assert set(found) <= set(known)
    assert "127.0.0.1" in found


def test_a_listener_on_one_address_invites_to_that_one_only() -> None:
    assert addresses_of(["127.0.0.1"]) == ("127.0.0.1",)
    assert all(":" not in host for host in addresses_of(["0.0.0.0"]))
    assert set(addresses_of(["0.0.0.0", "::"])) == set(usable_addresses())
