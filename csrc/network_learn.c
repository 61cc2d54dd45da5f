/* network_learn.c - learning by temporal differences: several games in turn, so that while the entries of one
 * are fetched another one is computed. network_api.h has the definitions. */
#include "lanes.h"
#include "network.h"
#include "variants.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AHEAD = 6 }; /* afterstates whose entries are being fetched in a pass over a game */

struct lane {
    bb_board board;
    uint64_t stream, spawns;
    uint64_t score, moves; /* since the beginning of the full game */
    uint64_t restarted;
    bb_board *after; /* of the game so far: its afterstates, and the reward of the slide to each */
    uint32_t *rewards;
    size_t length, capacity;
    bb_board slid[4];
    uint32_t reward[2]; /* up or down, left or right */
    unsigned legal;
    uint64_t index[4][BB_NETWORK_PATTERNS][BB_IMAGES];
    uint64_t last[BB_NETWORK_PATTERNS][BB_IMAGES];
};

struct bb_trainer {
    bb_network *network;
    struct bb_training training;
    struct bb_trained done;
    uint32_t turn;
    struct lane *lane;
};

static int grow(struct lane *lane)
{
    size_t capacity = lane->capacity ? lane->capacity * 2 : 4096;
    bb_board *after = realloc(lane->after, capacity * sizeof *after);
    if (after)
        lane->after = after;
    uint32_t *rewards = realloc(lane->rewards, capacity * sizeof *rewards);
    if (rewards)
        lane->rewards = rewards;
    if (!after || !rewards)
        return 0;
    lane->capacity = capacity;
    return 1;
}

static void new_game(struct bb_trainer *trainer, struct lane *lane)
{
    const struct bb_training *training = &trainer->training;
    int late = lane < trainer->lane + training->start_lanes;
    lane->stream = bb_stream_of(training->seed, trainer->done.next_game);
    trainer->done.next_game += training->stride;
    if (late)
        lane->board = training->starts[bb_choose(bb_random_at(lane->stream, 0), (unsigned)training->start_count)];
    else
        lane->board = bb_first(lane->stream);
    lane->spawns = late ? 1 : BB_START_TILES;
    lane->restarted = (uint64_t)late;
    lane->score = lane->moves = 0;
    lane->length = 0;
}

/* The lane's game is over: count it, and begin the next. */
static void finish(struct bb_trainer *trainer, struct lane *lane)
{
    size_t half = lane->length / 2;
    if (!lane->restarted) {
        unsigned largest = bb_largest(lane->board);
        trainer->done.games++;
        trainer->done.sum_scores += lane->score;
        trainer->done.sum_lengths += lane->moves;
        for (unsigned k = 0; k <= largest; k++)
            trainer->done.reached[k]++;
    }
    if (trainer->training.least && half >= trainer->training.least) {
        trainer->done.restarts++;
        lane->restarted = 1;
        lane->after[0] = lane->after[half];
        lane->rewards[0] = lane->rewards[half];
        lane->length = 1;
        lane->board = bb_spawned(lane->after[0], bb_random_at(lane->stream, lane->spawns++));
    } else {
        new_game(trainer, lane);
    }
}

BB_INLINE void prefetch_errors(const bb_network *network, uint64_t (*index)[BB_IMAGES])
{
    if (network->errors)
        for (uint32_t p = 0; p < network->patterns; p++)
            for (int x = 0; x < BB_IMAGES; x++)
                PREFETCH(network->errors + 2 * index[p][x]);
}

/* Fetch weights and errors. */
BB_INLINE void prefetch_all(const bb_network *network, uint64_t (*index)[BB_IMAGES])
{
    bb_prefetch_weights(network->weights, network->patterns, index);
    prefetch_errors(network, index);
}

/* Whether another thread has set the flag. */
BB_INLINE int is_set(const int32_t *stop) { return stop && bb_atomic_load(stop); }

#define BB_LOOPS "network_learn_loops.h"
#include "variants_each.h"

typedef int run_loop(struct bb_trainer *trainer, uint64_t moves, const int32_t *stop);
typedef size_t update_loop(bb_network *network, const bb_board *boards, const double *targets, size_t n, double alpha);
static run_loop *const runs[] = BB_VARIANTS(run);
static update_loop *const updates[] = BB_VARIANTS(update_many);

int bb_trainer_run(int cpu, bb_trainer *trainer, uint64_t moves, const int32_t *stop)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    int code = runs[cpu](trainer, moves, stop);
    bb_network_changed(trainer->network);
    return code;
}

size_t bb_network_update(int cpu, bb_network *network, const bb_board *boards, const double *targets, size_t n,
                         double alpha)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best() && network->weights);
    size_t made = updates[cpu](network, boards, targets, n, alpha);
    bb_network_changed(network);
    return made;
}

void bb_trainer_free(bb_trainer *trainer)
{
    if (!trainer)
        return;
    for (uint32_t i = 0; trainer->lane && i < trainer->training.lanes; i++) {
        free(trainer->lane[i].after);
        free(trainer->lane[i].rewards);
    }
    free(trainer->lane);
    free(trainer);
}

bb_trainer *bb_trainer_new(bb_network *network, const struct bb_training *training)
{
    BB_ASSERT(network->weights && training->lanes >= 1 && training->start_lanes <= training->lanes);
    BB_ASSERT(!training->start_lanes || (training->starts && training->start_count));
    bb_trainer *trainer = calloc(1, sizeof *trainer);
    if (!trainer)
        return NULL;
    trainer->network = network;
    trainer->training = *training;
    trainer->lane = calloc(training->lanes, sizeof *trainer->lane);
    if (!trainer->lane) {
        free(trainer);
        return NULL;
    }
    trainer->done.next_game = training->first;
    for (uint32_t i = 0; i < training->lanes; i++) {
        if (!grow(&trainer->lane[i])) {
            bb_trainer_free(trainer);
            return NULL;
        }
        new_game(trainer, &trainer->lane[i]);
    }
    return trainer;
}

struct bb_trained bb_trainer_done(const bb_trainer *trainer) { return trainer->done; }

/* ---- the state to go on from: the counters, the turn, and for each lane its game so far ---- */

enum { STATE_HEAD = 26, STATE_LANE = 7 };

size_t bb_trainer_state_size(const bb_trainer *trainer)
{
    size_t size = STATE_HEAD;
    for (uint32_t i = 0; i < trainer->training.lanes; i++)
        size += STATE_LANE + 2 * trainer->lane[i].length;
    return size;
}

void bb_trainer_state(const bb_trainer *trainer, uint64_t *state)
{
    const struct bb_trained *done = &trainer->done;
    const uint64_t head[] = {trainer->training.lanes, trainer->turn, done->moves, done->updates, done->games,
                             done->restarts, done->sum_scores, done->sum_lengths, done->next_game, 0};
    memcpy(state, head, sizeof head);
    memcpy(state + STATE_HEAD - 16, done->reached, sizeof done->reached);
    state += STATE_HEAD;
    for (uint32_t i = 0; i < trainer->training.lanes; i++) {
        const struct lane *lane = &trainer->lane[i];
        const uint64_t game[STATE_LANE] = {lane->board, lane->stream, lane->spawns, lane->score, lane->moves,
                                           lane->restarted, lane->length};
        memcpy(state, game, sizeof game);
        state += STATE_LANE;
        for (size_t t = 0; t < lane->length; t++) {
            *state++ = lane->after[t];
            *state++ = lane->rewards[t];
        }
    }
}

int bb_trainer_restore(bb_trainer *trainer, const uint64_t *state, size_t size)
{
    struct bb_trained *done = &trainer->done;
    size_t at = STATE_HEAD;
    if (size < STATE_HEAD || state[0] != trainer->training.lanes || state[1] >= state[0])
        return BB_NETWORK_BAD_STATE;
    for (uint64_t i = 0; i < state[0]; i++) { /* first see that all of it is there */
        if (size - at < STATE_LANE || (size - at - STATE_LANE) / 2 < state[at + 6])
            return BB_NETWORK_BAD_STATE;
        at += STATE_LANE + 2 * (size_t)state[at + 6];
    }
    if (at != size)
        return BB_NETWORK_BAD_STATE;
    at = STATE_HEAD;
    for (uint32_t i = 0; i < trainer->training.lanes; i++) {
        struct lane *lane = &trainer->lane[i];
        size_t length = (size_t)state[at + 6];
        while (lane->capacity < length)
            if (!grow(lane))
                return BB_NETWORK_NO_MEMORY;
        lane->board = state[at];
        lane->stream = state[at + 1];
        lane->spawns = state[at + 2];
        lane->score = state[at + 3];
        lane->moves = state[at + 4];
        lane->restarted = state[at + 5];
        lane->length = length;
        at += STATE_LANE;
        for (size_t t = 0; t < length; t++, at += 2) {
            lane->after[t] = state[at];
            lane->rewards[t] = (uint32_t)state[at + 1];
        }
        if (length)
            bb_indices(trainer->network, lane->after[length - 1], lane->last);
    }
    trainer->turn = (uint32_t)state[1];
    done->moves = state[2];
    done->updates = state[3];
    done->games = state[4];
    done->restarts = state[5];
    done->sum_scores = state[6];
    done->sum_lengths = state[7];
    done->next_game = state[8];
    memcpy(done->reached, state + STATE_HEAD - 16, sizeof done->reached);
    return BB_NETWORK_OK;
}
