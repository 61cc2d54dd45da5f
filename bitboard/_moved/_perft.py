from .core.perft import perft  # noqa: F401
