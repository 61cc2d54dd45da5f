"""For now the pure Python of this topic."""

from ._play_py import *
