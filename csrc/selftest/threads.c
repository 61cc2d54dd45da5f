/* threads.c - what several threads do with one network at a time: two learn, one reads values, one plays, one searches.
 *
 * For the thread sanitizer, which is to find nothing: weights and errors alone are shared (network.h). */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "network.h"
#include "selftest.h"

enum { PATTERNS = 2, LEARNERS = 2, SLIDES = 20000, BOARDS = 500, GAMES = 4 };

static const uint16_t masks[PATTERNS] = {0xF000, 0x0F00}; /* 0123 4567 */
static const uint64_t stage_from[1] = {0};

struct work {
    bb_network *network;
    bb_trainer *trainer;
    int failures;
};

static void *learn(void *given)
{
    struct work *work = given;
    for (int round = 0; round < 4; round++)
        work->failures += !EXPECT(bb_trainer_run(bb_cpu_best(), work->trainer, SLIDES / 4, NULL) == BB_NETWORK_OK);
    return NULL;
}

static void *values(void *given)
{
    struct work *work = given;
    bb_board boards[BOARDS];
    double out[BOARDS];
    for (uint64_t i = 0; i < BOARDS; i++)
        boards[i] = bb_random64(5, i) & UINT64_C(0x7777777777777777);
    for (int round = 0; round < 20; round++) {
        bb_network_value_many(bb_cpu_best(), work->network, boards, out, BOARDS);
        for (int i = 0; i < BOARDS; i++)
            work->failures += !EXPECT(fabs(out[i]) < BB_NETWORK_MOST);
    }
    return NULL;
}

static void *play(void *given)
{
    struct work *work = given;
    bb_board boards[GAMES];
    int64_t scores[GAMES];
    int32_t lengths[GAMES];
    uint8_t largest[GAMES];
    int code = bb_network_play(bb_cpu_best(), work->network, 3, 0, GAMES, boards, scores, lengths, largest);
    work->failures += !EXPECT(code == BB_NETWORK_OK);
    for (int g = 0; g < GAMES; g++)
        work->failures += !EXPECT(lengths[g] > 0);
    return NULL;
}

static void *search(void *given)
{
    struct work *work = given;
    bb_search *search = bb_search_new(bb_cpu_best(), NULL, work->network, 1 << 16);
    double out[4];
    work->failures += !EXPECT(search != NULL);
    for (uint64_t i = 0; search && i < 30; i++) {
        bb_search_values(search, bb_random64(6, i) & UINT64_C(0x7777777777777777), 1, out);
        for (int d = 0; d < 4; d++)
            work->failures += !EXPECT(isnan(out[d]) || fabs(out[d]) < 2.0 * BB_NETWORK_MOST);
    }
    bb_search_free(search);
    return NULL;
}

int selftest_threads(void)
{
    void *(*const jobs[])(void *) = {learn, learn, values, play, search};
    enum { JOBS = sizeof jobs / sizeof *jobs };
    pthread_t threads[JOBS];
    struct work work[JOBS];
    bb_network network;
    int failures = 0;
    bb_network_init(&network, PATTERNS, masks, 1, 0, stage_from);
    network.weights = calloc((size_t)network.entries, sizeof(float));
    network.errors = calloc((size_t)(2 * network.entries), sizeof(float));
    for (int i = 0; i < JOBS; i++) {
        const struct bb_training training = {9, (uint64_t)i, LEARNERS, 1, i ? 0.5 : -1, 3, 20, NULL, 0, 0};
        work[i] = (struct work){&network, i < LEARNERS ? bb_trainer_new(&network, &training) : NULL, 0};
        failures += !EXPECT(i >= LEARNERS || work[i].trainer);
    }
    for (int i = 0; i < JOBS; i++)
        failures += !EXPECT(pthread_create(&threads[i], NULL, jobs[i], &work[i]) == 0);
    for (int i = 0; i < JOBS; i++) {
        failures += !EXPECT(pthread_join(threads[i], NULL) == 0);
        failures += work[i].failures;
    }
    for (int i = 0; i < LEARNERS; i++) {
        failures += !EXPECT(bb_trainer_done(work[i].trainer).moves == SLIDES);
        bb_trainer_free(work[i].trainer);
    }
    free(network.weights);
    free(network.errors);
    return failures;
}
