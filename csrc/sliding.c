/* sliding.c - sliding-tile puzzles of up to ten cells: the distance of every board, and ways home.
 *
 * A table has one byte for each of the cells! arrangements; half of them cannot be reached. It is filled
 * breadth-first from the goal, and a solution walks down it: at each board the first direction, in the
 * order asked for, whose board is one move nearer.
 */
#include <string.h>

#include "sliding.h"

size_t bb_sliding_convert(const bb_board *boards, uint64_t *out, size_t n, int cells, const uint8_t *piece,
                          const uint8_t *place)
{
    unsigned complete = (1u << cells) - 1;
    for (size_t i = 0; i < n; i++) {
        unsigned seen = 0;
        uint64_t board = 0;
        for (int cell = 0; cell < cells; cell++) {
            int value = bb_piece_at(boards[i], cell);
            seen |= 1u << value;
            board |= (uint64_t)piece[value] << bb_cell_shift(place[cell]);
        }
        if (seen != complete || (cells < BB_CELLS_MAX && boards[i] << 4 * cells))
            return i;
        out[i] = board;
    }
    return n;
}

uint32_t bb_sliding_rank(bb_board board, int cells)
{
    uint64_t pieces = 0; /* the piece of cell 0 in the lowest nibble */
    for (int cell = 0; cell < cells; cell++)
        pieces |= (uint64_t)bb_piece_at(board, cell) << 4 * cell;
    return bb_pattern_index(pieces, cells, cells);
}

void bb_sliding_table(const struct bb_sliding_goal *goal, uint8_t *distance, uint64_t *queue, uint64_t *counts)
{
    int cells = goal->rows * goal->cols;
    size_t entries = (size_t)bb_pdb_entries(cells, cells), read = 0, end = 1;
    memset(distance, 255, entries);
    memset(counts, 0, 64 * sizeof *counts);
    queue[0] = 0;
    for (int cell = 0; cell < cells; cell++)
        queue[0] |= (uint64_t)cell << bb_cell_shift(cell);
    distance[bb_sliding_rank(queue[0], cells)] = 0;
    for (int level = 0; read < end; level++) {
        size_t level_end = end;
        counts[level] = level_end - read;
        for (; read < level_end; read++) {
            uint64_t board = queue[read];
            int blank = bb_cell_of(board, goal->blank, cells);
            for (int d = 0; d < 4; d++) {
                int to = bb_next_cell(goal->rows, goal->cols, blank, d);
                if (to == BB_WALL)
                    continue;
                uint64_t after = bb_exchanged(board, goal->blank, blank, to);
                uint8_t *known = distance + bb_sliding_rank(after, cells);
                if (*known == 255) {
                    *known = (uint8_t)(level + 1);
                    queue[end++] = after;
                }
            }
        }
    }
}

void bb_sliding_walk(const struct bb_sliding_goal *goal, const uint8_t *distance, const bb_board *boards, size_t n,
                     uint8_t *moves, size_t stride, uint8_t *lengths)
{
    int cells = goal->rows * goal->cols;
    for (size_t i = 0; i < n; i++) {
        uint64_t board = boards[i];
        int blank = bb_cell_of(board, goal->blank, cells);
        int left = distance[bb_sliding_rank(board, cells)];
        uint8_t *move = moves + i * stride;
        lengths[i] = (uint8_t)left;
        if (left == 255)
            continue;
        for (; left; left--) {
            for (int k = 0; k < 4; k++) {
                int d = goal->order[k], to = bb_next_cell(goal->rows, goal->cols, blank, d);
                if (to == BB_WALL)
                    continue;
                uint64_t after = bb_exchanged(board, goal->blank, blank, to);
                if (distance[bb_sliding_rank(after, cells)] == left - 1) {
                    *move++ = goal->letters[d];
                    board = after;
                    blank = to;
                    break;
                }
            }
        }
    }
}
