from .env.common import Settings  # noqa: F401
