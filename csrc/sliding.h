/* sliding.h - sliding-tile puzzles: geometry, moves, and the index into a pattern database.
 *
 * A board is packed as everywhere (bitboard.h), cell 0 in the top nibble, up to 16 cells in
 * reading order and zeros in the nibbles left over. Here its pieces carry the number of the
 * cell where they belong, the blank included, so that every goal is 0123...; Python has put
 * other goals into this form. A direction says where the blank goes.
 */
#ifndef BITBOARD_SLIDING_H
#define BITBOARD_SLIDING_H

#include "bitboard.h"

enum { BB_CELLS_MAX = 16, BB_WALL = 255 };

BB_INLINE int bb_cell_shift(int cell) { return 60 - 4 * cell; }
BB_INLINE int bb_piece_at(uint64_t board, int cell) { return (int)(board >> bb_cell_shift(cell) & 15); }

/* The cell next to `cell` in a direction, or BB_WALL. */
BB_INLINE int bb_next_cell(int rows, int cols, int cell, int direction)
{
    int row = cell / cols, col = cell % cols;
    switch (direction) {
    case BB_UP: return row > 0 ? cell - cols : BB_WALL;
    case BB_RIGHT: return col < cols - 1 ? cell + 1 : BB_WALL;
    case BB_DOWN: return row < rows - 1 ? cell + cols : BB_WALL;
    default: return col > 0 ? cell - 1 : BB_WALL;
    }
}

/* The board after the blank, piece number `blank` at cell `from`, changes places with the piece at `to`. */
BB_INLINE uint64_t bb_exchanged(uint64_t board, int blank, int from, int to)
{
    uint64_t change = (uint64_t)(bb_piece_at(board, to) ^ blank);
    return board ^ change << bb_cell_shift(from) ^ change << bb_cell_shift(to);
}

/* The cell where a piece is. */
BB_INLINE int bb_cell_of(uint64_t board, int piece, int cells)
{
    int cell = 0;
    while (cell < cells - 1 && bb_piece_at(board, cell) != piece)
        cell++;
    return cell;
}

/* Number the ways to put `length` pieces on `cells` cells: 0 to cells!/(cells-length)! - 1, the
 * first piece most significant. `where` holds the cells of the pieces, the first in its lowest nibble.
 * A nibble of `free` counts the cells before it that are still free: one shift and one subtraction
 * of 1 from all cells behind a piece replace a popcount. */
BB_INLINE uint32_t bb_pattern_index(uint64_t where, int length, int cells)
{
    BB_ASSERT(length >= 0 && length <= cells && cells <= BB_CELLS_MAX);
    uint64_t free = UINT64_C(0xFEDCBA9876543210);
    uint32_t index = 0;
    for (int i = 0; i < length; i++) {
        unsigned shift = (unsigned)(where & 15) * 4;
        where >>= 4;
        index = index * (uint32_t)(cells - i) + (uint32_t)(free >> shift & 15);
        free -= UINT64_C(0x1111111111111110) << shift;
    }
    return index;
}

/* Entry `index` of a table of nibbles, the even ones in the low half of a byte. */
BB_INLINE unsigned bb_nibble(const uint8_t *table, uint32_t index)
{
    return table[index >> 1] >> (index & 1) * 4 & 15;
}

#endif
