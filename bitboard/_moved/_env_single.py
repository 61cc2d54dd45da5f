from .env.single import Game2048Env  # noqa: F401
