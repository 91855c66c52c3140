"""Points, hashes and proofs: no rules, no records."""
