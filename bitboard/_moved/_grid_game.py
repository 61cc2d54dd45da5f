from .games.sized import Game  # noqa: F401
