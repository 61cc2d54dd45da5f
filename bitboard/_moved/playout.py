from .many.playout import Playouts, playouts, random_games  # noqa: F401
