/* search.c - expectimax against a plain recursion, with small caches, limits and collected leaves. */
#include <math.h>
#include <stdlib.h>

#include "network.h"
#include "selftest.h"

/* The value of a board: the sum over its rows and columns. */
static double worth(const double *table, bb_board board)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += table[board >> 16 * i & 0xFFFF] + table[bb_transposed(board) >> 16 * i & 0xFFFF];
    return sum;
}

/* V(after, depth) by its definition. */
static double plain(const double *table, bb_board after, int depth)
{
    double sum = 0;
    if (depth == 0)
        return worth(table, after);
    for (int shift = 0; shift < 64; shift += 4) {
        for (uint64_t tile = 1; tile <= 2; tile++) {
            if (after >> shift & 15)
                continue;
            bb_board board = after | tile << shift;
            double best = -HUGE_VAL;
            for (int direction = 0; direction < 4; direction++)
                if (bb_slid(board, direction) != board)
                    best = fmax(best, plain(table, bb_slid(board, direction), depth - 1));
            sum += (tile == 1 ? 0.9 : 0.1) * (best == -HUGE_VAL ? 0 : best);
        }
    }
    return sum / bb_count_empty(after);
}

static int close_to(double a, double b) { return fabs(a - b) <= 1e-9 * (1 + fabs(b)); }

/* With a network: one layer by its own loop against the values of the leaves one by one, on every CPU variant. */
static int test_network(void)
{
    static const uint16_t masks[2] = {0xF000, 0xCC80};
    static const uint64_t stage_from[2] = {0, 3};
    int failures = 0;
    bb_network network;
    bb_network_init(&network, 2, masks, 2, 0, stage_from);
    float *weights = network.weights = malloc((size_t)(2 * network.entries) * sizeof(float));
    for (uint64_t i = 0; i < 2 * network.entries; i++)
        weights[i] = (float)(bb_random_at(7, i) >> 48) / 64;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        bb_search *search = bb_search_new(cpu, NULL, &network, cpu ? 1 << 12 : 0);
        bb_search *collecting = bb_search_new(0, NULL, NULL, 0);
        failures += !EXPECT(search && collecting && search->images == 8);
        collecting->leaf_limit = 1 << 20;
        search->reward_weight = collecting->reward_weight = 1;
        for (uint64_t i = 0; i < 60; i++) {
            bb_board board = bb_random_at(8, i) & UINT64_C(0x3333333333333333);
            if (i < 16)
                board = UINT64_C(1) << 4 * i; /* as many leaves as there can be */
            double values[4], collected[4];
            failures += !EXPECT(!bb_search_values(search, board, (int)(i % 3), values));
            failures += !EXPECT(!bb_search_values(collecting, board, (int)(i % 3), collected));
            bb_board *asked = malloc((size_t)collecting->leaf_count * sizeof *asked + 1);
            double *answers = malloc((size_t)collecting->leaf_count * sizeof *answers + 1);
            bb_leaves_get(collecting, asked);
            bb_network_value_many(cpu, &network, asked, answers, (size_t)collecting->leaf_count);
            bb_leaves_put(collecting, answers);
            failures += !EXPECT(!bb_search_values(collecting, board, (int)(i % 3), collected));
            for (int d = 0; d < 4; d++)
                failures += !EXPECT(isnan(values[d]) ? isnan(collected[d]) : close_to(values[d], collected[d]));
            bb_leaves_clear(collecting);
            free(asked);
            free(answers);
        }
        bb_search_free(search);
        bb_search_free(collecting);
    }
    free(weights);
    return failures;
}

int selftest_search(void)
{
    int failures = test_network();
    double *table = malloc(65536 * sizeof *table);
    for (unsigned row = 0; row < 65536; row++) {
        unsigned mirrored = (row & 15) << 12 | (row & 0xF0) << 4 | (row & 0xF00) >> 4 | row >> 12;
        table[row] = (double)(bb_random_at(4, row < mirrored ? row : mirrored) >> 40) / 1e6;
    }
    for (size_t cache = 0; cache <= 1 << 20; cache = cache ? cache * 8 : 1) {
        bb_search *search = bb_search_new(bb_cpu_best(), table, NULL, cache);
        bb_search *collecting = bb_search_new(0, NULL, NULL, cache);
        failures += !EXPECT(search && collecting && search->images == 8);
        collecting->leaf_limit = 1 << 20;
        for (uint64_t i = 0; i < 60; i++) {
            bb_board board = bb_random_at(5, i);
            board = (board & UINT64_C(0x3333333333333333)) | (i % 3 ? UINT64_C(0x1000000010000000) : 0);
            int depth = (int)(i % 3);
            double values[4], mirrored[4], collected[4];
            failures += !EXPECT(!bb_search_values(search, board, depth, values));
            failures += !EXPECT(!bb_search_values(search, bb_transposed(board), depth, mirrored));
            failures += !EXPECT(!bb_search_values(collecting, board, depth, collected));
            uint64_t leaves = collecting->leaf_count;
            bb_board *asked = malloc((size_t)leaves * sizeof *asked + 1);
            double *answers = malloc((size_t)leaves * sizeof *answers + 1);
            bb_leaves_get(collecting, asked);
            bb_table_many(table, asked, answers, (size_t)leaves);
            bb_leaves_put(collecting, answers);
            bb_search_forget(collecting);
            failures += !EXPECT(!bb_search_values(collecting, board, depth, collected));
            failures += !EXPECT(collecting->leaf_count == leaves);
            for (int d = 0; d < 4; d++) {
                bb_board after = bb_slid(board, d);
                failures += !EXPECT(isnan(values[d]) == (after == board));
                failures += !EXPECT(isnan(values[d]) || values[d] == mirrored[3 - d]);
                if (after != board) {
                    failures += !EXPECT(close_to(values[d], plain(table, after, depth)));
                    failures += !EXPECT(close_to(collected[d], values[d]));
                }
            }
            free(asked);
            free(answers);
            bb_leaves_clear(collecting);
            bb_search_forget(collecting);
            bb_search_forget(search);
        }
        uint8_t depths[2] = {3, 3};
        int64_t best[2];
        bb_board boards[2] = {UINT64_C(0x1000000000000000), UINT64_C(0x1212212112122121)};
        failures += !EXPECT(bb_search_best_many(search, boards, depths, 0, best, 2) == 2 && best[1] == -1);
        depths[0] = 20; /* the most; the image that its slides share is one board */
        failures += !EXPECT(bb_search_best_many(search, boards, depths, 1, best, 2) == 2 && best[1] == -1);
        failures += !EXPECT(depths[0] == 2 && depths[1] == 0);
        depths[0] = depths[1] = 2;
        for (uint64_t i = 0; i < 20; i++) {
            bb_board board = bb_random_at(5, i) & UINT64_C(0x3333333333333333);
            int few = bb_search_depth(search, board, 20, 20), many = bb_search_depth(search, board, 20000, 20);
            failures += !EXPECT(few >= 1 && few <= many && many <= 20);
            failures += !EXPECT(bb_search_depth(search, bb_transposed(board), 20, 20) == few);
        }
        double exact[4], pruned[4];
        search->prune = 1; /* values do not grow */
        for (uint64_t i = 0; i < 40; i++) {
            bb_board board = bb_random_at(6, i) & UINT64_C(0x3333333333333333);
            failures += !EXPECT(!bb_search_values(search, board, 3, pruned));
            search->prune = i % 2 ? HUGE_VAL : 1e9;
            bb_search_forget(search);
            failures += !EXPECT(!bb_search_values(search, board, 3, exact));
            bb_search_forget(search);
            search->prune = 1;
            for (int d = 0; d < 4; d++)
                failures += !EXPECT(isnan(exact[d]) ? isnan(pruned[d]) : pruned[d] <= exact[d]);
        }
        search->prune = HUGE_VAL;
        search->node_limit = search->nodes;
        bb_search_forget(search);
        failures += !EXPECT(bb_search_best_many(search, boards, depths, 0, best, 2) == 0);
        failures += !EXPECT(bb_search_depth(search, boards[0], 100, 20) == -1);
        search->node_limit = UINT64_MAX;
        search->deadline = 1;
        double values[4];
        failures += !EXPECT(bb_search_values(search, boards[0], 3, values));
        collecting->leaf_limit = 10;
        failures += !EXPECT(bb_search_values(collecting, UINT64_C(0x0123012301230123), 2, values) && collecting->full);
        bb_search_free(search);
        bb_search_free(collecting);
    }
    free(table);
    return failures;
}
