import pytest

from p2p_schotten.crypto import cells, dleq, group, identity, shuffle
from p2p_schotten.crypto.secret import Secret
from p2p_schotten.errors import InvalidProof


def test_all() -> None:
    group.self_test()
    a, b = Secret(b"\1" * 32), Secret(b"\2" * 32)
    x, y = a.scalar("x"), b.scalar("x")
    X, Yy = group.mul_base(x), group.mul_base(y)
    dleq.verify_key(X, b"c", dleq.prove_key(a, x, X, b"c"))
    Y = group.add(X, Yy)
    for n in (1, 2, 6, 54):
        e = cells.start_cells(0, n, Y)
        one = shuffle.shuffle(a, b"1", Y, e)
        shuffle.verify_shuffle(b"1", Y, e, one.cells, one.proof)
        assert len(one.proof) == shuffle.proof_size(n)
        two = shuffle.shuffle(b, b"2", Y, one.cells)
        shuffle.verify_shuffle(b"2", Y, one.cells, two.cells, two.proof)
        shuffle.verify_shuffle(b"2", Y, one.cells, two.cells, two.proof, one.logs)
        assert shuffle.remake(b, b"2", Y, one.cells) == two.cells
        with pytest.raises(InvalidProof):
            shuffle.verify_shuffle(b"3", Y, one.cells, two.cells, two.proof)
        s0 = dleq.verify_share(X, b"s", two.cells[0], dleq.prove_share(a, x, X, b"s", two.cells[0]))
        s1 = dleq.verify_share(Yy, b"s", two.cells[0], dleq.prove_share(b, y, Yy, b"s", two.cells[0]))
        assert cells.opens_to(two.cells[0], s0, s1) == cells.card_point(0, one.permutation[two.permutation[0]])
    i = identity.Identity.generate(bytes(32))
    identity.verify_signature(i.public, b"m", i.sign(b"m"))
    assert len(identity.fingerprint(i.public)) == 24
