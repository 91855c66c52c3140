"""Bytes that nobody would send, and what every door does with them. `python scripts/soak.py fuzz --help`."""
