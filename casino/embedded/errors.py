"""What can go wrong when a server is started on the spot. Text for the person at the terminal."""


class EmbeddedError(RuntimeError):
    """An embedded service cannot be prepared, started or stopped; the text says why."""
