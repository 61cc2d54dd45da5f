/* sliding.c - sliding puzzles without Python: tables, databases and searches agree. */
#include <stdlib.h>
#include <string.h>

#include "selftest.h"
#include "sliding.h"

/* The goal of a size with the blank in a cell, moves tried in the order U L R D. */
static struct bb_sliding_goal goal_of(int rows, int cols, int blank)
{
    struct bb_sliding_goal goal = {rows, cols, blank, {BB_UP, BB_LEFT, BB_RIGHT, BB_DOWN}, {'U', 'R', 'D', 'L'}};
    return goal;
}

/* A board some random moves from the goal. */
static uint64_t some_puzzle(const struct bb_sliding_goal *goal, int moves, uint64_t seed)
{
    int cells = goal->rows * goal->cols, at = goal->blank;
    uint64_t board = 0;
    for (int cell = 0; cell < cells; cell++)
        board |= (uint64_t)cell << bb_cell_shift(cell);
    for (int i = 0; i < moves; i++) {
        int to = bb_next_cell(goal->rows, goal->cols, at, (int)(bb_random_at(seed, (uint64_t)i) & 3));
        if (to != BB_WALL) {
            board = bb_exchanged(board, goal->blank, at, to);
            at = to;
        }
    }
    return board;
}

/* One pattern with these pieces, built into exact-length memory, given to a heuristic as part p. */
static int add_part(struct bb_sliding_heuristic *with, const struct bb_sliding_goal *goal, int p, int slot,
                    const uint8_t *pieces, int length)
{
    int cells = goal->rows * goal->cols, status;
    uint64_t entries = bb_pdb_entries(cells, length);
    uint8_t *table = calloc((size_t)(entries + 1) / 2, 1);
    struct bb_pdb_build *build = bb_pdb_begin(goal->rows, goal->cols, goal->blank, pieces, length);
    if (!EXPECT(table && build))
        return 1;
    while ((status = bb_pdb_step(build, table, 1000)) == 0)
        ;
    int failures = !EXPECT(status == 1) + !EXPECT(bb_pdb_done(build) == 2 * entries);
    bb_pdb_free(build);
    with->parts = p + 1;
    with->first[p] = (uint8_t)slot;
    with->table[p] = table;
    for (int i = 0; i < length; i++) {
        with->slot[pieces[i]] = (uint8_t)(slot + i);
        with->part[pieces[i]] = (uint8_t)p;
        with->weight[p][i] = (uint32_t)bb_pdb_entries(cells - i - 1, length - i - 1);
    }
    return failures;
}

int selftest_sliding(void)
{
    static const uint8_t upper[] = {1, 2, 3, 4}, lower[] = {5, 6, 7, 8};
    struct bb_sliding_goal goal = goal_of(3, 3, 0);
    struct bb_sliding_search *search = calloc(1, sizeof *search);
    uint8_t *distance = malloc(362880), moves[256], walked[40], length;
    uint64_t *queue = malloc(181440 * sizeof *queue), counts[64], converted;
    int failures = 0;
    if (!EXPECT(search && distance && queue))
        return 1;
    search->goal = goal;
    bb_sliding_table(&goal, distance, queue, counts);
    failures += !EXPECT(counts[0] == 1 && counts[31] == 2 && counts[32] == 0);
    failures += add_part(&search->using, &goal, 0, 0, upper, 4) + add_part(&search->using, &goal, 1, 4, lower, 4);
    for (int kind = 0; kind < 3; kind++) { /* mirrored database, database, Manhattan distance */
        search->using.mirrored = kind == 0;
        search->using.parts = kind < 2 ? 2 : 0;
        for (uint64_t i = 0; i < 200; i++) {
            uint64_t board = some_puzzle(&goal, 60, i);
            bb_sliding_walk(&goal, distance, &board, 1, walked, sizeof walked, &length);
            bb_sliding_begin(search, board);
            failures += !EXPECT(search->bound <= length);
            while (bb_sliding_step(search, search->nodes + 100) == 0)
                ;
            bb_sliding_moves(search, moves);
            failures += !EXPECT(search->bound == length && memcmp(moves, walked, length) == 0);
            struct bb_sliding_astar *astar = bb_sliding_astar_begin(&goal, board);
            int status;
            while ((status = bb_sliding_astar_step(astar, bb_sliding_astar_nodes(astar) + 100, 1u << 24)) == 0)
                ;
            bb_sliding_astar_moves(astar, moves);
            failures += !EXPECT(status == 1 && bb_sliding_astar_bound(astar) == length);
            failures += !EXPECT(bb_sliding_astar_step(astar, UINT64_MAX, 0) != 0);
            bb_sliding_astar_free(astar);
        }
    }
    free((void *)(uintptr_t)search->using.table[0]);
    free((void *)(uintptr_t)search->using.table[1]);

    /* no way and no memory are told, not looked for for ever */
    uint64_t odd = UINT64_C(0x0213456780000000);
    bb_sliding_walk(&goal, distance, &odd, 1, walked, sizeof walked, &length);
    failures += !EXPECT(length == 255);
    struct bb_sliding_goal large = goal_of(4, 4, 0);
    struct bb_sliding_astar *astar = bb_sliding_astar_begin(&large, some_puzzle(&large, 500, 1));
    failures += !EXPECT(bb_sliding_astar_step(astar, UINT64_MAX, 1u << 16) == -2);
    bb_sliding_astar_free(astar);

    /* boards that are none */
    uint8_t same[16];
    for (int i = 0; i < 16; i++)
        same[i] = (uint8_t)i;
    uint64_t boards[] = {UINT64_C(0x0123456780000000), UINT64_C(0x0123456780000001), UINT64_C(0x0123456770000000)};
    for (size_t i = 0; i < 3; i++)
        failures += !EXPECT(bb_sliding_convert(boards + i, &converted, 1, 9, same, same) == (i == 0));

    /* a build can be given up at any time; sides of other sizes */
    for (int steps = 0; steps < 60; steps += 7) {
        uint8_t out[3024] = {0};
        static const uint8_t pieces[] = {0, 2, 5, 9};
        struct bb_pdb_build *build = bb_pdb_begin(2, 5, 1, pieces, 4);
        for (int i = 0; i < steps && !bb_pdb_step(build, out, 1); i++)
            ;
        bb_pdb_free(build);
    }
    bb_pdb_free(NULL);
    bb_sliding_astar_free(NULL);
    free(search);
    free(distance);
    free(queue);
    return failures;
}
