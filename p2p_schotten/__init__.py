"""Schotten Totten between two peers: no server, no trust, and a transcript that anybody can verify."""

__version__ = "0.1.0"
