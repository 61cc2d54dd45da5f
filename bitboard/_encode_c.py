"""For now the pure Python of this topic."""

from ._encode_py import *
