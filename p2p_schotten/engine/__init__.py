"""The rules: pure functions on public information only. Knows no keys, no clock, no hidden card."""
