"""Boards into other arrays in pure Python: the same functions as _encode_c.

Results are made whole before the first is written, so an output may overlap the input or another.
"""

from __future__ import annotations

from array import array

from . import _py

_MOVES = (_py.move_up, _py.move_right, _py.move_down, _py.move_left)
_SYMMETRIES = (_py.rotate_90, _py.rotate_180, _py.rotate_270, _py.flip_horizontal, _py.flip_vertical, _py.transpose)


def afterstates_many(boards: memoryview, afters: memoryview, rewards: memoryview, legal: memoryview) -> None:
    given = boards.tolist()
    all_rewards = [(_py.reward_columns(board), _py.reward_rows(board)) * 2 for board in given]
    all_legal = [_py.legal_moves(board) for board in given]
    afters[:] = array("Q", [move(board) for board in given for move in _MOVES])
    rewards[:] = array("i", [reward for four in all_rewards for reward in four])
    legal[:] = array("B", all_legal)


def exponents_many(boards: memoryview, out: memoryview) -> None:
    for i, board in enumerate(boards.tolist()):
        for cell in range(16):
            out[16 * i + cell] = board >> 60 - 4 * cell & 15


def one_hot_many(boards: memoryview, out: memoryview) -> None:
    """out holds bytes or floats."""
    for i, board in enumerate(boards.tolist()):
        for cell in range(16):
            for k in range(16):
                out[256 * i + 16 * k + cell] = board >> 60 - 4 * cell & 15 == k


def symmetries_many(boards: memoryview, out: memoryview) -> None:
    for i, board in enumerate(boards.tolist()):
        out[8 * i] = board
        for k, image in enumerate(_SYMMETRIES, 1):
            out[8 * i + k] = image(board)
        out[8 * i + 7] = _py.transpose(_py.rotate_180(board))
