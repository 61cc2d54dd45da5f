/* play.c - uniformly random play to the end, many games in step.
 *
 * Each lane holds one game: its board, and where its two streams of random numbers stand. All
 * lanes make a slide together, without a branch; a lane whose game is over is given the next one
 * outside that loop. At the end the live lanes are moved together, so that none is stepped in vain.
 *
 * No points are counted on the way. Give the tile 2**k the weight 2**k * (k - 3): a merge into
 * 2**k adds 2**k to the sum of a board, its reward, and a spawn takes 4 off whether it is a 2 or
 * a 4. So the score follows from the first board, the last one and the number of slides.
 */
#include "bitboard.h"
#include "lanes.h"
#include "variants.h"

#include <string.h>

enum { LANES = 512, LANE_BLOCK = 64 }; /* 20 KB: with the rows that random play meets it fits the first-level cache */

#define BB_LOOPS "play_loops.h"
#include "variants_each.h"

typedef void play_step(bb_board *boards, uint64_t *spawn_at, uint64_t *choice_at, uint8_t *finished, size_t n);

struct lanes {
    bb_board boards[LANES];
    uint64_t spawn_at[LANES], choice_at[LANES]; /* a stream's seed plus BB_GOLDEN for each number up to the next */
    size_t game[LANES];
    uint32_t born[LANES]; /* the step that made its first slide */
    uint8_t finished[LANES];
};

struct task {
    const bb_board *starts; /* or NULL */
    size_t per_start;
    int afterstates;
    uint64_t seed;
    bb_board *boards; /* the results */
    int64_t *scores;
    int32_t *lengths;
    uint8_t *max_exponents;
};

/* The sum of the weights of a board. */
static int64_t weight(bb_board board)
{
    int64_t sum = 0;
    for (int shift = 0; shift < 64; shift += 4) {
        int64_t k = (int64_t)(board >> shift & 15);
        sum += k ? (k - 3) * ((int64_t)1 << k) : 0;
    }
    return sum;
}

/* Put game number `game` into lane i. */
static void begin(struct lanes *lanes, size_t i, const struct task *task, size_t game, uint32_t step)
{
    uint64_t stream;
    if (task->starts) {
        stream = bb_stream_of(bb_stream_of(task->seed, game / task->per_start), game % task->per_start);
        lanes->boards[i] = task->starts[game / task->per_start];
        if (task->afterstates)
            lanes->boards[i] = bb_spawned(lanes->boards[i], bb_random_at(stream, 1));
    } else {
        stream = bb_stream_of(task->seed, game);
        lanes->boards[i] = bb_first(stream);
    }
    lanes->spawn_at[i] = stream + (BB_START_TILES + 1) * BB_GOLDEN; /* of slide 0 */
    lanes->choice_at[i] = bb_stream_of(stream, 1) + BB_GOLDEN;
    lanes->game[i] = game;
    lanes->born[i] = step;
}

/* Move the last lane into lane i. */
static void replace(struct lanes *lanes, size_t i, size_t last)
{
    lanes->boards[i] = lanes->boards[last];
    lanes->spawn_at[i] = lanes->spawn_at[last];
    lanes->choice_at[i] = lanes->choice_at[last];
    lanes->game[i] = lanes->game[last];
    lanes->born[i] = lanes->born[last];
    lanes->finished[i] = lanes->finished[last];
    lanes->boards[last] = 0;
}

/* Write the results of lane i, whose game is over. */
static void finish(const struct lanes *lanes, size_t i, const struct task *task, uint32_t step)
{
    size_t game = lanes->game[i];
    int32_t length = (int32_t)(step - lanes->born[i]); /* step may wrap, a length cannot */
    int64_t first = -8;                                /* two spawns on the empty board */
    if (task->starts) {
        bb_board start = task->starts[game / task->per_start];
        first = weight(start) - (task->afterstates && bb_empty_cells(start) ? 4 : 0);
    }
    task->boards[game] = lanes->boards[i];
    task->scores[game] = weight(lanes->boards[i]) - first + 4 * (int64_t)length;
    task->lengths[game] = length;
    task->max_exponents[game] = (uint8_t)bb_largest(lanes->boards[i]);
}

/* Play the games first .. stop - 1. Game g plays with the stream (seed, g) from two tiles; or, with starts, it is
 * playout g % per_start of start g / per_start with the stream ((seed, start), playout), on an afterstate with a
 * spawn first. Entry g of each of the four arrays is written. */
void bb_play(int cpu, const bb_board *starts, size_t per_start, int afterstates, uint64_t seed, size_t first,
             size_t stop, bb_board *boards, int64_t *scores, int32_t *lengths, uint8_t *max_exponents)
{
    static play_step *const variants[] = BB_VARIANTS(play_step);
    const struct task task = {starts, per_start, afterstates, seed, boards, scores, lengths, max_exponents};
    struct lanes lanes;
    uint32_t step = 0;
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best() && first <= stop && (!starts || per_start > 0));
    size_t live = 0, next = first;
    memset(&lanes, 0, sizeof lanes);
    while (live < LANES && next < stop)
        begin(&lanes, live++, &task, next++, step);
    for (; live; step++) {
        size_t rounded = (live + LANE_BLOCK - 1) / LANE_BLOCK * LANE_BLOCK; /* the lanes above are empty boards */
        variants[cpu](lanes.boards, lanes.spawn_at, lanes.choice_at, lanes.finished, rounded);
        for (size_t block = 0; block < live; block += 8) {
            uint64_t flags;
            memcpy(&flags, lanes.finished + block, 8);
            for (size_t i = block; flags && i < block + 8; i++) {
                while (i < live && lanes.finished[i]) {
                    finish(&lanes, i, &task, step);
                    lanes.finished[i] = 0;
                    if (next < stop)
                        begin(&lanes, i, &task, next++, step + 1);
                    else
                        replace(&lanes, i, --live);
                }
            }
        }
    }
}

struct bb_two_sums bb_sums(const int64_t *scores, size_t n)
{
    struct bb_two_sums sums = {0, 0};
    BB_ASSERT(n <= 65536);
    for (size_t i = 0; i < n; i++) {
        sums.total += (uint64_t)scores[i];
        sums.squares += (uint64_t)scores[i] * (uint64_t)scores[i];
    }
    return sums;
}

void bb_sums_each(const int64_t *scores, size_t n, size_t groups, struct bb_two_sums *out)
{
    for (size_t i = 0; i < groups; i++)
        out[i] = bb_sums(scores + i * n, n);
}
