from .many.afterstates import afterstates_many, spawns_array  # noqa: F401
