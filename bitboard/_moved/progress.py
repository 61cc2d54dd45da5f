from .tools.progress import bar, track  # noqa: F401
