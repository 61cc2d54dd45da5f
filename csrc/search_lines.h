/* search_lines.h - what expectimax asks of a board: the sum over its lines, its images, the slides after a spawn. */
#ifndef BITBOARD_SEARCH_LINES_H
#define BITBOARD_SEARCH_LINES_H

#include "bitboard.h"
#include "network.h"
#include "row_values.h"

/* A bijection of 64-bit words whose upper bits depend on all of them. */
BB_INLINE uint64_t hashed(bb_board board)
{
    board = (board ^ board >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (board ^ board >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
}

BB_INLINE bb_board smaller(bb_board a, bb_board b) { return a < b ? a : b; }

/* The smallest of the eight images. */
BB_INLINE bb_board least_image(bb_board board)
{
    bb_board a = bb_transposed(board), b = bb_flipped_horizontal(board), c = bb_flipped_horizontal(a);
    bb_board bt = bb_transposed(b), ct = bb_transposed(c);
    bb_board d = bb_flipped_horizontal(bt), e = bb_flipped_horizontal(ct);
    return smaller(smaller(smaller(board, a), smaller(b, c)), smaller(smaller(bt, ct), smaller(d, e)));
}

/* The smallest of the images that have the same value. */
BB_INLINE bb_board canonical(const bb_search *search, bb_board board)
{
    if (search->images == 1)
        return board;
    return search->images == 8 ? least_image(board) : smaller(board, bb_transposed(board));
}

/* ---- slides ---- */

/* The slides of an afterstate to both sides of its rows (lines of view 0) and columns (view 1). */
struct slides {
    bb_board lines[2];            /* the board and its transpose */
    bb_board slid[2][2];          /* [view][side], line by line */
    unsigned legal_without[2][4]; /* the directions that lines other than i make legal */
};

/* The cells of a line as the first cells of four lines: 0xabcd -> 0xa000_b000_c000_d000. */
BB_INLINE bb_board spread(unsigned line)
{
    uint64_t x = line;
    x = (x & 0xFF00) << 48 | (x & 0xFF) << 24;
    return (x & UINT64_C(0xF0000000F0000000)) | (x & UINT64_C(0x0F0000000F000000)) >> 12;
}

BB_INLINE void make_slides(struct slides *slides, bb_board after)
{
    slides->lines[0] = after;
    slides->lines[1] = bb_transposed(after);
    for (int view = 0; view < 2; view++) {
        unsigned legal[4];
        bb_board left = 0, right = 0;
        for (int i = 0; i < 4; i++) {
            uint64_t entry = bb_rows[line_of(slides->lines[view], i)];
            left = left << 16 | bb_entry_left(entry);
            right = right << 16 | bb_entry_right(entry);
            legal[i] = view ? bb_entry_legal_column(entry) : bb_entry_legal_row(entry);
        }
        slides->slid[view][0] = left;
        slides->slid[view][1] = right;
        slides->legal_without[view][0] = legal[1] | legal[2] | legal[3];
        slides->legal_without[view][1] = legal[0] | legal[2] | legal[3];
        slides->legal_without[view][2] = legal[0] | legal[1] | legal[3];
        slides->legal_without[view][3] = legal[0] | legal[1] | legal[2];
    }
}

/* The points of the lines other than i, for each view. Used where rewards count. */
BB_INLINE uint32_t reward_without(const struct slides *slides, int view, int i)
{
    return bb_rows_reward(slides->lines[view] & ~(UINT64_C(0xFFFF) << (48 - 16 * i)));
}

/* The afterstate of a slide of view and side once a tile is in line i, whose entry of the row table this is. Columns
 * are lines of it: for view 1 it is the transposed board. */
BB_INLINE bb_board slid_line(const struct slides *slides, int view, int side, int i, uint64_t entry)
{
    bb_board line = side ? bb_entry_right(entry) : bb_entry_left(entry);
    return (slides->slid[view][side] & ~(UINT64_C(0xFFFF) << (48 - 16 * i))) | line << (48 - 16 * i);
}

/* The direction of view and side. */
BB_INLINE unsigned direction_of(int view, int side)
{
    return view ? (side ? BB_DOWN : BB_UP) : (side ? BB_RIGHT : BB_LEFT);
}

/* The number of the cell, 0 the top-left one, whose lowest bit this is. */
BB_INLINE int cell_of(uint64_t bit)
{
    return 15 - (int)(((bit - 1) & BB_EACH_CELL) * BB_EACH_CELL >> 60);
}

/* Whether the search has to end now: asked at every node above the last layer. */
int bb_search_ends(bb_search *search);

/* ---- leaves ---- */

/* What bb_leaves_put gave; a leaf not seen before is collected and worth 0 (search_leaves.c). */
double bb_collected_leaf(bb_search *search, bb_board after, uint64_t hash);

/* V(after, 0): the hook of the models. A new one is a line here, and where it pays a last layer in chance(). */
BB_INLINE double leaf_value(bb_search *search, bb_board after, uint64_t hash)
{
    if (search->table)
        return value_of(search->table, after);
    if (search->network)
        return bb_network_value(search->network, after);
    return bb_collected_leaf(search, after, hash);
}

/* V(after, 1) by a table or a network, 2s alone or 2s and 4s: search_table.c, search_network.c. */
double bb_table_layer(bb_search *search, bb_board after, int tiles);
double bb_network_layer(bb_search *search, bb_board after, int tiles);

#endif
