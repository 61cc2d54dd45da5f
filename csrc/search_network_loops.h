/* search_network_loops.h - the loops of search_network.c, compiled once for each CPU variant. */

/* The different leaves, and those after each spawn: spawns of a tile into neighbouring cells of a line slide along it
 * to the same board. */
static void VARIANT(make_leaves)(const bb_search *search, bb_board after, int tiles, struct leaves *leaves)
{
    struct slides slides;
    int latest[2][4][2][2]; /* [view][line][tile][side]: the leaf of the neighbour that came before, -1 without one */
    int n = 0, m = 0;
    leaves->cells = 0;
    make_slides(&slides, after);
    memset(latest, -1, sizeof latest);
    const uint64_t empty = bb_empty_cells(after);
    for (uint64_t left = empty; left; left &= left - 1, leaves->cells++) {
        uint64_t bit = left & (0 - left);
        int cell = cell_of(bit);
        /* The cells to the right and below came before. */
        int joined[2] = {(cell & 3) < 3 && (empty & bit >> 4), cell < 12 && (empty & bit >> 16)};
        for (int view = 0; view < 2; view++)
            if (!joined[view])
                memset(latest[view][view ? cell & 3 : cell >> 2], -1, sizeof latest[0][0]);
        for (int tile = 1; tile <= tiles; tile++) {
            for (int view = 0; view < 2; view++) {
                /* The line with the spawn is slid anew; the others are those of the slide without it. */
                int i = view ? cell & 3 : cell >> 2, at = view ? cell >> 2 : cell & 3;
                unsigned line = line_of(slides.lines[view], i) | (unsigned)tile << (12 - 4 * at);
                uint64_t entry = bb_rows[line];
                unsigned legal = slides.legal_without[view][i]
                                 | (view ? bb_entry_legal_column(entry) : bb_entry_legal_row(entry));
                double earned = 0;
                if (search->reward_weight != 0)
                    earned = search->reward_weight
                             * (double)(reward_without(&slides, view, i) + bb_entry_reward(entry));
                for (int side = 0; side < 2; side++) {
                    /* Columns as rows: an image of the leaf, which is worth the same. No branch: it would be
                     * mispredicted often. */
                    int *before = &latest[view][i][tile - 1][side];
                    int is_legal = (int)(legal >> direction_of(view, side) & 1), is_new = *before < 0;
                    int leaf = is_new ? n : *before;
                    leaves->after[n] = slid_line(&slides, view, side, i, entry);
                    leaves->earned[n] = earned;
                    leaves->which[m] = (uint8_t)leaf;
                    *before = is_legal ? leaf : *before;
                    n += is_legal & is_new;
                    m += is_legal;
                }
            }
            leaves->end[2 * leaves->cells + tile - 1] = m;
        }
    }
    leaves->n = n;
}

/* V(after, 1), summed in the order of chance() in search.c. */
static double VARIANT(layer)(bb_search *search, bb_board after, int tiles)
{
    struct leaves leaves;
    double sums[2] = {0, 0};
    VARIANT(make_leaves)(search, after, tiles, &leaves);
    bb_network_value_many(search->cpu, search->network, leaves.after, leaves.value, (size_t)leaves.n);
    for (int i = 0; i < leaves.n && search->reward_weight != 0; i++)
        leaves.value[i] = leaves.earned[i] + leaves.value[i];
    for (int cell = 0, i = 0; cell < leaves.cells; cell++) {
        for (int tile = 0; tile < tiles; tile++) {
            const int end = leaves.end[2 * cell + tile];
            double best = i == end ? search->over_value : -HUGE_VAL;
            for (; i < end; i++) {
                double value = leaves.value[leaves.which[i]];
                best = value > best ? value : best;
            }
            sums[tile] += best;
        }
    }
    search->nodes += (unsigned)(leaves.cells * tiles);
    return tiles == 2 ? (0.9 * sums[0] + 0.1 * sums[1]) / leaves.cells : sums[0] / leaves.cells;
}
