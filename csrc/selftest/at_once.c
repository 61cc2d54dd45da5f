/* at_once.c - every kernel in several threads at once, for the thread sanitizer.
 *
 * First all topics of the self-test side by side, each thread beginning with another one: they share what is const in
 * the core. Then what callers share: boards, a network, a row table, a table of distances that all threads read, and
 * arrays of games of which each thread has a slice, with bounds that no vector ends at. All of it comes out as in one
 * thread. Threads that share a network which learns: threads.c.
 */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "selftest.h"
#include "sliding.h"

enum { THREADS = 3, GAMES = 1003, STEPS = 40, PUZZLES = 500 };

/* What all threads read. */
struct shared {
    bb_board boards[GAMES];
    uint64_t puzzles[PUZZLES];
    uint8_t actions[STEPS][GAMES];
    bb_network network;
    double *table;
    struct bb_sliding_goal goal;
    uint8_t *distance;
};

/* What they write, each its slice. */
struct results {
    bb_board random_boards[GAMES], greedy_boards[GAMES], slid[GAMES], step_boards[GAMES], afterstates[GAMES];
    uint64_t streams[GAMES], legal_masks[GAMES];
    int64_t random_scores[GAMES], greedy_scores[GAMES], step_scores[GAMES];
    int32_t random_lengths[GAMES], greedy_lengths[GAMES], moves[GAMES], rewards[GAMES];
    uint8_t random_largest[GAMES], greedy_largest[GAMES], legal[GAMES], saturated[GAMES], over[GAMES], changed[GAMES];
    uint8_t exponents[GAMES][16], lengths[PUZZLES], ways[PUZZLES][40];
    double values[GAMES], by_table[GAMES][4], by_network[GAMES][4];
};

struct worker {
    const struct selftest *tests;
    size_t count, begin;
    const struct shared *shared; /* NULL: the topics */
    struct results *results;
    size_t first, stop, puzzle_first, puzzle_stop; /* its slices */
    int failures;
};

static int run_topics(const struct worker *worker)
{
    int failures = 0;
    for (size_t i = 0; i < worker->count; i++)
        failures += worker->tests[(worker->begin + i) % worker->count].run();
    return failures;
}

/* Two searches over what is shared, and a slice of their answers. */
static int run_searches(const struct shared *in, struct results *out, size_t first, size_t stop)
{
    int failures = 0;
    bb_search *by_table = bb_search_new(bb_cpu_best(), in->table, NULL, 1 << 14);
    bb_search *by_network = bb_search_new(bb_cpu_best(), NULL, &in->network, 1 << 14);
    if (!EXPECT(by_table && by_network))
        return 1;
    for (size_t i = first; i < stop; i++) {
        failures += !EXPECT(!bb_search_values(by_table, in->boards[i], 1, out->by_table[i]));
        failures += !EXPECT(!bb_search_values(by_network, in->boards[i], 0, out->by_network[i]));
    }
    bb_search_free(by_table);
    bb_search_free(by_network);
    return failures;
}

static int run_slice(const struct worker *worker)
{
    const struct shared *in = worker->shared;
    struct results *out = worker->results;
    size_t first = worker->first, stop = worker->stop, n = stop - first;
    int cpu = bb_cpu_best();
    struct bb_games games = {
        .boards = out->step_boards, .streams = out->streams, .scores = out->step_scores, .moves = out->moves,
        .legal = out->legal, .saturated = out->saturated, .rewards = out->rewards, .over = out->over,
        .changed = out->changed, .afterstates = out->afterstates,
    };
    bb_games_reset(&games, NULL, 1, 7, NULL, NULL, first, stop);
    for (int i = 0; i < STEPS; i++)
        bb_games_step(cpu, &games, in->actions[i], 1, BB_NEXT_STEP, first, stop);
    bb_play(cpu, NULL, 1, 0, 3, first, stop, out->random_boards, out->random_scores, out->random_lengths,
            out->random_largest);
    int failures = !EXPECT(bb_network_play(cpu, &in->network, 5, first, stop, out->greedy_boards, out->greedy_scores,
                                           out->greedy_lengths, out->greedy_largest) == BB_NETWORK_OK);
    bb_network_value_many(cpu, &in->network, in->boards + first, out->values + first, n);
    bb_move_many(cpu, in->boards + first, out->slid + first, n, BB_LEFT);
    bb_legal_moves_many(cpu, in->boards + first, out->legal_masks + first, n);
    bb_exponents_many(cpu, in->boards + first, out->exponents[first], n);
    bb_sliding_walk(&in->goal, in->distance, in->puzzles + worker->puzzle_first,
                    worker->puzzle_stop - worker->puzzle_first, out->ways[worker->puzzle_first],
                    sizeof out->ways[0], out->lengths + worker->puzzle_first);
    return failures + run_searches(in, out, first, stop);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    worker->failures = worker->shared ? run_slice(worker) : run_topics(worker);
    return NULL;
}

/* All workers at once, each in a thread of its own. */
static int run_all(struct worker *workers, int threads)
{
    pthread_t ids[THREADS];
    int failures = 0;
    for (int t = 0; t < threads; t++)
        if (!EXPECT(pthread_create(&ids[t], NULL, work, &workers[t]) == 0))
            exit(1);
    for (int t = 0; t < threads; t++) {
        pthread_join(ids[t], NULL);
        failures += workers[t].failures;
    }
    return failures;
}

/* Inputs of all kinds. */
static struct shared *new_shared(void)
{
    static const uint16_t masks[2] = {0xF000, 0xCC00};
    static const uint64_t stage_from[1] = {0};
    struct shared *shared = calloc(1, sizeof *shared);
    uint64_t *queue = malloc(181440 * sizeof *queue), counts[64];
    bb_network_init(&shared->network, 2, masks, 1, 0, stage_from);
    shared->network.weights = malloc((size_t)shared->network.entries * sizeof(float));
    for (uint64_t i = 0; i < shared->network.entries; i++)
        shared->network.weights[i] = (float)(bb_random_at(1, i) >> 48);
    shared->table = malloc(65536 * sizeof *shared->table);
    for (uint64_t i = 0; i < 65536; i++)
        shared->table[i] = (double)(bb_random_at(2, i) >> 40);
    for (uint64_t i = 0; i < GAMES; i++)
        shared->boards[i] = bb_random_at(3, i) & UINT64_C(0x7373737373737373);
    for (uint64_t i = 0; i < STEPS; i++)
        for (uint64_t g = 0; g < GAMES; g++)
            shared->actions[i][g] = (uint8_t)(bb_random_at(4 + i, g) & 3);
    shared->goal = (struct bb_sliding_goal){3, 3, 0, {BB_UP, BB_LEFT, BB_RIGHT, BB_DOWN}, {'U', 'R', 'D', 'L'}};
    shared->distance = malloc(362880);
    bb_sliding_table(&shared->goal, shared->distance, queue, counts);
    for (int i = 0; i < PUZZLES; i++) { /* the goal with one tile moved to and fro: any order of the blank's walk */
        uint64_t board = UINT64_C(0x0123456780000000);
        int at = 0;
        for (uint64_t k = 0; k < 50; k++) {
            int to = bb_next_cell(3, 3, at, (int)(bb_random_at(60 + (uint64_t)i, k) & 3));
            if (to != BB_WALL) {
                board = bb_exchanged(board, 0, at, to);
                at = to;
            }
        }
        shared->puzzles[i] = board;
    }
    free(queue);
    return shared;
}

int selftest_at_once(const struct selftest *tests, size_t count)
{
    struct worker workers[THREADS] = {{0}};
    for (int t = 0; t < THREADS; t++)
        workers[t] = (struct worker){.tests = tests, .count = count, .begin = (size_t)t * count / THREADS};
    int failures = run_all(workers, THREADS);
    printf("selftest of all topics in %d threads: %s\n", THREADS, failures ? "FAILED" : "ok");

    struct shared *shared = new_shared();
    struct results *one = calloc(1, sizeof *one), *many = calloc(1, sizeof *many);
    workers[0] = (struct worker){
        .shared = shared, .results = one, .stop = GAMES, .puzzle_stop = PUZZLES};
    int wrong = run_all(workers, 1);
    for (int t = 0; t < THREADS; t++) {
        size_t n = THREADS, i = (size_t)t;
        workers[t] = (struct worker){.shared = shared, .results = many, .first = i * GAMES / n,
                                     .stop = (i + 1) * GAMES / n, .puzzle_first = i * PUZZLES / n,
                                     .puzzle_stop = (i + 1) * PUZZLES / n};
    }
    wrong += run_all(workers, THREADS);
    wrong += !EXPECT(memcmp(one, many, sizeof *one) == 0);
    printf("selftest of shared arrays in %d threads: %s\n", THREADS, wrong ? "FAILED" : "ok");
    free(shared->network.weights);
    free(shared->table);
    free(shared->distance);
    free(shared);
    free(one);
    free(many);
    return failures + wrong;
}
