"""What `scripts/bench.py` measures, one module per section."""
