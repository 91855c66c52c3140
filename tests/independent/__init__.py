"""docs/protocol.md and docs/rules.md read a second time: a slow verifier that shares no code with the package.

Everything here was written from the two documents alone, with Python's integers, hashlib and hmac; what beats what is
asked of tests/engine/oracle.py, which tries every reply. Where it and the package disagree about a file, one of the two
or the document is wrong.
"""
