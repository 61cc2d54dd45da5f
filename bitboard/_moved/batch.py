from .many.batch import Batch  # noqa: F401
