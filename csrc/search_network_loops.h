/* search_network_loops.h - the loops of search_network.c, compiled once for each CPU variant. */

/* Every legal slide after every spawn. */
static void VARIANT(make_leaves)(const bb_search *search, bb_board after, int tiles, struct leaves *leaves)
{
    struct slides slides;
    int n = 0;
    leaves->cells = 0;
    make_slides(&slides, after);
    for (uint64_t empty = bb_empty_cells(after); empty; empty &= empty - 1, leaves->cells++) {
        int cell = cell_of(empty & (0 - empty));
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
                    /* Columns as rows: an image of the leaf, which is worth the same. */
                    leaves->after[n] = slid_line(&slides, view, side, i, entry);
                    leaves->earned[n] = earned;
                    n += (int)(legal >> direction_of(view, side) & 1); /* no branch, which would often be mispredicted */
                }
            }
            leaves->end[2 * leaves->cells + tile - 1] = n;
        }
    }
    leaves->n = n;
}

/* The value of each leaf: its entries are fetched AHEAD - 1 leaves before they are summed. */
static void VARIANT(value_leaves)(const bb_network *network, struct leaves *leaves)
{
    uint64_t index[AHEAD][BB_NETWORK_PATTERNS][BB_IMAGES];
    for (int i = 0; i < leaves->n + AHEAD - 1; i++) {
        if (i < leaves->n) {
            bb_indices(network, leaves->after[i], index[i & (AHEAD - 1)]);
            bb_network_prefetch(network, index[i & (AHEAD - 1)]);
        }
        int ready = i - (AHEAD - 1);
        if (ready >= 0)
            leaves->value[ready] = bb_network_value_at(network, index[ready & (AHEAD - 1)]);
    }
}

/* V(after, 1), summed in the order of chance() in search.c. */
static double VARIANT(layer)(bb_search *search, bb_board after, int tiles)
{
    struct leaves leaves;
    double sums[2] = {0, 0};
    VARIANT(make_leaves)(search, after, tiles, &leaves);
    VARIANT(value_leaves)(search->network, &leaves);
    for (int cell = 0, i = 0; cell < leaves.cells; cell++) {
        for (int tile = 0; tile < tiles; tile++) {
            const int end = leaves.end[2 * cell + tile];
            double best = i == end ? search->over_value : -HUGE_VAL;
            for (; i < end; i++) {
                double value = search->reward_weight == 0 ? leaves.value[i] : leaves.earned[i] + leaves.value[i];
                best = value > best ? value : best;
            }
            sums[tile] += best;
        }
    }
    search->nodes += (unsigned)(leaves.cells * tiles);
    return tiles == 2 ? (0.9 * sums[0] + 0.1 * sums[1]) / leaves.cells : sums[0] / leaves.cells;
}
