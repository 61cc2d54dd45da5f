"""For now the pure Python of this topic."""

from ._batch_py import *
