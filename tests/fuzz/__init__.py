"""Bytes that nobody would send, and what every door of the program does with them; two peers under everything at once.

`target.py` says what a target is, `targets.py` lists them, `mutate.py` makes inputs out of real ones. A few run in the
test suite; `python scripts/soak.py fuzz` runs as many as one likes, `--atheris` guided by coverage.

What escapes is mended, and the input that did it comes into `corpus/<target>/` under a name that says what must become
of it: `refused-<what is wrong with it>` or `taken-<what it is>`.
"""
