from .sliding.solver import LimitReached, Solution, Unsolvable  # noqa: F401
