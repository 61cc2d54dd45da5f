from .games.rules import Rules  # noqa: F401
