"""The wire: TLS, identities, frames, invites and the lobby."""
