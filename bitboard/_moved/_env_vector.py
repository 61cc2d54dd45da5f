from .env.vector import Game2048VectorEnv  # noqa: F401
