"""`python -m p2p_schotten` is `schotten`."""

from p2p_schotten.cli.main import run

if __name__ == "__main__":
    run()
