/* network.c - networks against plain loops, in arrays of exact length: values, updates, trainers whose state
 * is taken out and put back, play, few entries in steps. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "selftest.h"

enum { PATTERNS = 3, SLIDES = 6000 };

static const uint16_t masks[PATTERNS] = {0xF000, 0x0F00, 0x6600}; /* 0123 4567 1256 */
static const uint64_t stage_from[2] = {0, 7};

/* A network of zeros whose arrays are as long as they have to be. */
static bb_network new_network(uint32_t stages, int with_errors)
{
    bb_network network;
    bb_network_init(&network, PATTERNS, masks, stages, 0, stage_from);
    network.weights = calloc((size_t)(stages * network.entries), sizeof(float));
    network.errors = with_errors ? calloc((size_t)(2 * stages * network.entries), sizeof(float)) : NULL;
    return network;
}

static void free_network(bb_network *network)
{
    free(network->weights);
    free(network->errors);
}

/* The value by the definition, cell by cell. */
static double plain_value(const bb_network *network, bb_board board)
{
    double s[8] = {0};
    for (int x = 0; x < 8; x++) {
        bb_board image = x & 1 ? bb_flip_horizontal(board) : board;
        uint64_t base = network->stages > 1 && bb_max_exponent(board) >= 7 ? network->entries : 0;
        image = x & 2 ? bb_rotate_180(image) : image;
        image = x & 4 ? bb_transpose(image) : image;
        for (int p = 0; p < PATTERNS; p++, base += 65536) {
            uint64_t index = 0;
            for (int cell = 0; cell < 16; cell++)
                if (masks[p] >> (15 - cell) & 1)
                    index = index << 4 | (image >> (60 - 4 * cell) & 15);
            s[x] += (double)network->weights[base + index];
        }
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static int test_values(void)
{
    int failures = 0;
    for (uint32_t stages = 1; stages <= 2; stages++) {
        bb_network network = new_network(stages, 0);
        bb_board *boards = malloc(300 * sizeof *boards);
        double *many = malloc(300 * sizeof *many);
        for (uint64_t i = 0; i < stages * network.entries; i++)
            network.weights[i] = (float)(bb_random64(1, i) >> 40);
        for (uint64_t i = 0; i < 300; i++)
            boards[i] = bb_random64(2, i) & (i % 2 ? UINT64_C(0x7777777777777777) : UINT64_MAX);
        for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
            bb_network_value_many(cpu, &network, boards, many, 300);
            for (int i = 0; i < 300; i++) {
                double values[4];
                failures += !EXPECT(many[i] == plain_value(&network, boards[i]));
                failures += !EXPECT(many[i] == bb_network_value(&network, bb_rotate_90(boards[i])));
                bb_network_values(&network, boards[i], values);
                for (int d = 0; d < 4; d++) {
                    bb_board after = bb_slid(boards[i], d);
                    double reward = d & 1 ? bb_reward_rows(boards[i]) : bb_reward_columns(boards[i]);
                    failures += !EXPECT(after == boards[i] ? isnan(values[d])
                                                           : values[d] == reward + plain_value(&network, after));
                }
            }
        }
        free(boards);
        free(many);
        free_network(&network);
    }
    return failures;
}

/* Greedy games one after the other. */
static int test_play(const bb_network *network, int cpu)
{
    enum { GAMES = 13 };
    int failures = 0;
    bb_board *boards = malloc(GAMES * sizeof *boards);
    int64_t *scores = malloc(GAMES * sizeof *scores);
    int32_t *lengths = malloc(GAMES * sizeof *lengths);
    uint8_t *largest = malloc(GAMES);
    failures += !EXPECT(bb_network_play(cpu, network, 5, 2, GAMES, boards, scores, lengths, largest) == BB_NETWORK_OK);
    for (int g = 2; g < GAMES; g++) {
        uint64_t stream = bb_stream(5, (uint64_t)g), i = 2;
        bb_board board = bb_spawn(bb_spawn(0, bb_random64(stream, 0)), bb_random64(stream, 1));
        int64_t score = 0;
        for (int d; (d = bb_network_best(network, board)) >= 0; i++) {
            score += d & 1 ? bb_reward_rows(board) : bb_reward_columns(board);
            board = bb_spawn(bb_slid(board, d), bb_random64(stream, i));
        }
        failures += !EXPECT(boards[g] == board && scores[g] == score && (uint64_t)lengths[g] == i - 2);
        failures += !EXPECT(largest[g] == bb_max_exponent(board));
    }
    free(boards);
    free(scores);
    free(lengths);
    free(largest);
    return failures;
}

/* Learning in one go, and in pieces with the state taken out and put into another trainer. */
static int test_trainer(int with_errors, double lambda)
{
    int failures = 0;
    const bb_board starts[2] = {UINT64_C(0x1234432112344322), UINT64_C(0x7654000000000000)};
    const struct bb_training training = {9, 0, 1, with_errors ? 1 : 0.1, lambda, 3, 20, starts, 2, 1};
    bb_network reference = new_network(2, with_errors);
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        bb_network network = new_network(2, with_errors);
        size_t bytes = (size_t)(2 * network.entries) * sizeof(float);
        bb_trainer *trainer = bb_trainer_new(&network, &training);
        int32_t stop = 0;
        failures += !EXPECT(trainer && bb_trainer_run(cpu, trainer, cpu ? 777 : SLIDES, &stop) == BB_NETWORK_OK);
        if (cpu == 0) {
            memcpy(reference.weights, network.weights, bytes);
        } else {
            size_t size = bb_trainer_state_size(trainer);
            uint64_t *state = malloc(size * sizeof *state);
            bb_trainer_state(trainer, state);
            bb_trainer_free(trainer);
            trainer = bb_trainer_new(&network, &training);
            failures += !EXPECT(bb_trainer_restore(trainer, state, size - 1) == BB_NETWORK_BAD_STATE);
            failures += !EXPECT(bb_trainer_restore(trainer, state, size) == BB_NETWORK_OK);
            failures += !EXPECT(bb_trainer_run(cpu, trainer, SLIDES - 777, NULL) == BB_NETWORK_OK);
            failures += !EXPECT(memcmp(network.weights, reference.weights, bytes) == 0);
            free(state);
        }
        failures += !EXPECT(bb_trainer_done(trainer).moves == SLIDES && bb_trainer_done(trainer).games > 0);
        stop = 1;
        failures += !EXPECT(bb_trainer_run(cpu, trainer, 1000, &stop) == BB_NETWORK_OK);
        failures += !EXPECT(bb_trainer_done(trainer).moves < SLIDES + 10);
        failures += test_play(&network, cpu);
        for (uint64_t i = 0; i < 2 * network.entries; i++)
            network.weights[i] = NAN;
        failures += !EXPECT(bb_trainer_run(cpu, trainer, 1000, NULL) == BB_NETWORK_RAN_AWAY);
        bb_trainer_free(trainer);
        free_network(&network);
    }
    free_network(&reference);
    return failures;
}

/* Updates of a list; what runs away is not made; few entries learn alone; the packed form has the rounded values. */
static int test_few(void)
{
    enum { BOARDS = 400 };
    int failures = 0;
    bb_network network = new_network(1, 1), packed;
    bb_board *boards = malloc(BOARDS * sizeof *boards);
    double *targets = malloc(BOARDS * sizeof *targets), *values = malloc(BOARDS * sizeof *values);
    size_t n;
    for (uint64_t i = 0; i < BOARDS; i++) {
        boards[i] = bb_random64(3, i) & UINT64_C(0x3333333333333333);
        targets[i] = (double)(i * 100);
    }
    failures += !EXPECT(bb_network_update(bb_cpu_best(), &network, boards, targets, BOARDS, 1) == BOARDS);
    failures += !EXPECT(bb_network_shrink(&network, 50) == 50);
    for (int round = 0; round < 20; round++)
        failures += !EXPECT(bb_network_update(0, &network, boards, targets, BOARDS, 1) == BOARDS);
    targets[7] = NAN;
    failures += !EXPECT(bb_network_update(0, &network, boards, targets, BOARDS, 1) == 7);
    n = bb_network_pack(&network, 0.5, NULL, NULL);
    failures += !EXPECT(n > 0 && n <= 50);
    failures += !EXPECT(bb_network_pack(&network, 1e-9, NULL, NULL) == SIZE_MAX);
    uint32_t *gaps = malloc(n * sizeof *gaps);
    int16_t *multiples = malloc(n * sizeof *multiples);
    uint64_t *blocks = malloc((size_t)((network.entries + 1023) / 1024) * sizeof *blocks);
    failures += !EXPECT(bb_network_pack(&network, 0.5, gaps, multiples) == n);
    packed = network;
    packed.weights = NULL;
    packed.blocks = blocks;
    packed.step = 0.5;
    size_t numbers = bb_network_blocks(&packed, gaps, n, blocks);
    failures += !EXPECT(numbers > 32 && numbers <= 32 * (n + 1));
    int16_t *unpacked = calloc(numbers, sizeof *unpacked);
    bb_network_unpack(blocks, gaps, multiples, n, unpacked);
    packed.multiples = unpacked;
    for (uint64_t i = 0; i < network.entries; i++)
        network.weights[i] = (float)(nearbyint((double)network.weights[i] / 0.5) * 0.5);
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        bb_network_value_many(cpu, &packed, boards, values, BOARDS);
        for (int i = 0; i < BOARDS; i++)
            failures += !EXPECT(values[i] == bb_network_value(&network, boards[i]));
    }
    gaps[n - 1] = UINT32_MAX;
    failures += !EXPECT(!bb_network_blocks(&packed, gaps, n, blocks));
    free(gaps);
    free(multiples);
    free(blocks);
    free(unpacked);
    free(boards);
    free(targets);
    free(values);
    free_network(&network);
    return failures;
}

int selftest_network(void)
{
    int failures = test_values() + test_few();
    for (int with_errors = 0; with_errors < 2; with_errors++)
        failures += test_trainer(with_errors, -1) + test_trainer(with_errors, 0.5);
    return failures;
}
