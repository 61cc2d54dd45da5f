from .games.classic import Game  # noqa: F401
