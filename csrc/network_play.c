/* network_play.c - greedy play, several games in turn as in network_learn.c. */
#include "lanes.h"
#include "network.h"
#include "variants.h"

#include <math.h>
#include <stdlib.h>

enum { LANES = 8, AHEAD = 8 };

struct lane {
    bb_board board;
    uint64_t stream, slides;
    int64_t score;
    size_t game;
    bb_board slid[4];
    uint32_t reward[2];
    unsigned legal;
    uint64_t index[4][BB_NETWORK_PATTERNS][BB_IMAGES];
};

#define BB_LOOPS "network_play_loops.h"
#include "variants_each.h"

typedef void play_loop(const bb_network *network, struct lane *lanes, uint64_t seed, size_t first, size_t stop,
                       bb_board *boards, int64_t *scores, int32_t *lengths, uint8_t *max_exponents);
typedef void values_loop(const bb_network *network, const bb_board *boards, double *out, size_t n);
static play_loop *const plays[] = BB_VARIANTS(play);
static values_loop *const values[] = BB_VARIANTS(value_many);

int bb_network_play(int cpu, const bb_network *network, uint64_t seed, size_t first, size_t stop, bb_board *boards,
                    int64_t *scores, int32_t *lengths, uint8_t *max_exponents)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best() && first <= stop);
    struct lane *lanes = calloc(LANES, sizeof *lanes);
    if (!lanes)
        return BB_NETWORK_NO_MEMORY;
    plays[cpu](network, lanes, seed, first, stop, boards, scores, lengths, max_exponents);
    free(lanes);
    return BB_NETWORK_OK;
}

void bb_network_value_many(int cpu, const bb_network *network, const bb_board *boards, double *out, size_t n)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    values[cpu](network, boards, out, n);
}
