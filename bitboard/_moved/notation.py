from .core.notation import from_grid, parse, pretty, to_grid  # noqa: F401
