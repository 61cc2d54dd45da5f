/* search_table.c - boards valued by a table of rows, and the last layer of an expectimax search over one.
 *
 * A spawn changes one row and one column, so the layer keeps the four slides of the afterstate and replaces a line: 6
 * look-ups a leaf, most of them in the first-level cache. */
#include "search_lines.h"

#include <math.h>

void bb_table_many(const double *table, const bb_board *boards, double *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = value_of(table, boards[i]);
}

/* V(after, 1): every spawn, and the best leaf of each. `tiles` and `rewards` are constants where this is used. */
BB_INLINE double last_layer(bb_search *search, bb_board after, const int tiles, const int rewards)
{
    static const double unless_legal[2] = {-HUGE_VAL, 0}; /* added: no branch, which would often be mispredicted */
    const double *table = search->table;
    struct slides slides;
    bb_board across[2][2];
    double partner[2][2][4], others[2][2][4]; /* [view][side][line]: of its pair, and the other pair */
    double sums[2] = {0, 0};
    unsigned n = 0;
    /* The four slides of the afterstate without a spawn: the sums that the value of a changed line is added to. */
    make_slides(&slides, after);
    for (int view = 0; view < 2; view++) {
        for (int side = 0; side < 2; side++) {
            bb_board slid = slides.slid[view][side];
            double value[4];
            for (int i = 0; i < 4; i++)
                value[i] = table[line_of(slid, i)];
            across[view][side] = bb_transposed(slid);
            for (int i = 0; i < 4; i++) {
                partner[view][side][i] = value[3 - i];
                others[view][side][i] = i == 0 || i == 3 ? value[1] + value[2] : value[0] + value[3];
            }
        }
    }
    /* Each spawn changes one line of each view: that line is slid anew, and the lines across it follow. */
    for (uint64_t empty = bb_empty_cells(after); empty; empty &= empty - 1, n++) {
        int cell = cell_of(empty & (0 - empty));
        for (int tile = 1; tile <= tiles; tile++) {
            double best = -HUGE_VAL;
            unsigned any = 0;
            for (int view = 0; view < 2; view++) {
                int i = view ? cell & 3 : cell >> 2, at = view ? cell >> 2 : cell & 3;
                unsigned line = line_of(slides.lines[view], i) | (unsigned)tile << (12 - 4 * at);
                uint64_t entry = bb_rows[line];
                unsigned legal = slides.legal_without[view][i]
                                 | (view ? bb_entry_legal_column(entry) : bb_entry_legal_row(entry));
                bb_board mask = ~(UINT64_C(0xF000F000F000F000) >> 4 * i);
                double earned = 0;
                any |= legal;
                if (rewards)
                    earned = search->reward_weight
                             * (double)(reward_without(&slides, view, i) + bb_entry_reward(entry));
                for (int side = 0; side < 2; side++) {
                    unsigned slid = side ? bb_entry_right(entry) : bb_entry_left(entry);
                    bb_board lines = (across[view][side] & mask) | spread(slid) >> 4 * i;
                    double value = ((table[slid] + partner[view][side][i]) + others[view][side][i])
                                   + sum_of_lines(table, lines);
                    if (rewards)
                        value = earned + value;
                    value += unless_legal[legal >> direction_of(view, side) & 1];
                    best = value > best ? value : best;
                }
            }
            sums[tile - 1] += any ? best : search->over_value;
        }
    }
    search->nodes += n * (unsigned)tiles;
    return tiles == 2 ? (0.9 * sums[0] + 0.1 * sums[1]) / n : sums[0] / n;
}

double bb_table_layer(bb_search *search, bb_board after, int tiles)
{
    if (search->reward_weight != 0)
        return last_layer(search, after, tiles, 1);
    return tiles == 2 ? last_layer(search, after, 2, 0) : last_layer(search, after, 1, 0);
}
