/* row_values.h - the value of a board by a table of rows: the sum over its rows and columns, in a fixed order. */
#ifndef BITBOARD_ROW_VALUES_H
#define BITBOARD_ROW_VALUES_H

#include "bitboard.h"

BB_INLINE unsigned line_of(bb_board board, int i) { return (unsigned)(board >> (48 - 16 * i)) & 0xFFFF; }

/* Outer lines and inner lines in pairs: the same sum for all images of a board. */
BB_INLINE double sum_of_lines(const double *table, bb_board lines)
{
    return (table[line_of(lines, 0)] + table[line_of(lines, 3)])
           + (table[line_of(lines, 1)] + table[line_of(lines, 2)]);
}

BB_INLINE double value_of(const double *table, bb_board board)
{
    return sum_of_lines(table, board) + sum_of_lines(table, bb_transposed(board));
}

#endif
