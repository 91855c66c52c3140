"""Front ends over one stream of events."""
