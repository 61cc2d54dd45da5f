"""Records: games as text, to be kept, sent, replayed without any random generator, and checked.

The functions stand in bitboard.games.records; the docstring of bitboard.games.text describes the format.
"""

from __future__ import annotations

from .games.records import append_file, from_shared, read, read_file, read_one, write, write_file

__all__ = ["append_file", "from_shared", "read", "read_file", "read_one", "write", "write_file"]
