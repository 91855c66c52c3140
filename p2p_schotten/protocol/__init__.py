"""Records, the session that anybody can fold, and the peer that holds the secrets: no input or output."""
