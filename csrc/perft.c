/* perft.c - the leaves of the game tree, to check the rule as a whole. */
#include "bitboard.h"

/* The number of leaves after `depth` plies, 0 to a handful: one ply is a legal slide and then
 * each spawn of a 2 or a 4 in each empty cell. A board without a legal slide adds none. The last
 * ply is not played: it has two leaves for each empty cell of the afterstate. */
uint64_t bb_perft(bb_board board, int depth)
{
    uint64_t leaves = 0;
    BB_ASSERT(depth >= 0);
    if (depth == 0)
        return 1;
    for (int direction = 0; direction < 4; direction++) {
        bb_board after = bb_slid(board, direction);
        if (after == board)
            continue;
        if (depth == 1) {
            leaves += 2 * bb_count_empty(after);
            continue;
        }
        for (uint64_t empty = bb_empty_cells(after); empty; empty &= empty - 1) {
            uint64_t cell = empty & (0 - empty);
            leaves += bb_perft(after | cell, depth - 1);
            leaves += bb_perft(after | cell << 1, depth - 1);
        }
    }
    return leaves;
}
