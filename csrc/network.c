/* network.c - n-tuple networks: how one is made, and its values. network_api.h has the definitions. */
#include "network.h"

#include <math.h>
#include <string.h>

void bb_network_init(bb_network *network, uint32_t patterns, const uint16_t *masks, uint32_t stages, uint32_t measure,
                     const uint64_t *stage_from)
{
    BB_ASSERT(patterns >= 1 && patterns <= BB_NETWORK_PATTERNS && measure <= 1);
    BB_ASSERT(stages >= 1 && stages <= BB_NETWORK_STAGES && stage_from[0] == 0);
    memset(network, 0, sizeof *network);
    network->patterns = patterns;
    network->stages = stages;
    network->measure = measure;
    for (uint32_t s = 0; s < stages; s++)
        network->stage_from[s] = stage_from[s];
    for (uint32_t p = 0; p < patterns; p++) {
        struct bb_pattern *pattern = &network->pattern[p];
        uint64_t width = 0; /* bits of the index so far */
        pattern->offset = network->entries;
        /* From the last cell to the first; bit b of masks[p] is the cell with the lowest bit 4 * b. */
        for (unsigned b = 0; b < 16; b++) {
            if (!(masks[p] >> b & 1))
                continue;
            if (!b || !(masks[p] >> (b - 1) & 1)) { /* a run begins */
                pattern->shift[pattern->runs] = 4 * b - width;
                pattern->runs++;
            }
            pattern->mask[pattern->runs - 1] |= UINT64_C(15) << width;
            width += 4;
            pattern->cells++;
        }
        BB_ASSERT(pattern->cells >= 1 && pattern->cells <= 7);
        network->entries += UINT64_C(1) << width;
    }
}

double bb_network_value(const bb_network *network, bb_board afterstate)
{
    return bb_network_value_of(network, afterstate);
}

void bb_network_values(const bb_network *network, bb_board board, double out[4])
{
    uint32_t reward[2] = {bb_rows_reward(bb_transposed(board)), bb_rows_reward(board)};
    for (int d = 0; d < 4; d++) {
        bb_board after = bb_slid(board, d);
        out[d] = after == board ? (double)NAN : (double)reward[d & 1] + bb_network_value(network, after);
    }
}

int bb_network_best(const bb_network *network, bb_board board)
{
    double values[4], most = -HUGE_VAL;
    int best = -1;
    bb_network_values(network, board, values);
    for (int d = 0; d < 4; d++)
        if (values[d] > most) {
            most = values[d];
            best = d;
        }
    return best;
}
