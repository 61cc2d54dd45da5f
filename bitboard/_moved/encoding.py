from .many.encoding import exponents_many, one_hot_many, symmetries_many  # noqa: F401
