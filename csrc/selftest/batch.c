/* batch.c - many games without Python: random play, batches and encodings in exact-length arrays. */
#include "selftest.h"

#include <stdlib.h>
#include <string.h>

#include "bitboard.h"

/* Zeros for n items, allocated to their exact length. */
static void *zeros(size_t n, size_t size)
{
    void *memory = calloc(n + !n, size);
    if (!memory)
        abort();
    return memory;
}

struct game {
    bb_board board;
    int64_t score;
    int32_t length;
};

/* A random game from a board, as the documentation says it. */
static struct game slow_game(bb_board board, uint64_t stream)
{
    struct game game = {board, 0, 0};
    uint64_t choices = bb_stream_of(stream, 1);
    for (unsigned legal; (legal = bb_legal(game.board)) != 0; game.length++) {
        unsigned n = 0, d = 0;
        for (unsigned i = 0; i < 4; i++)
            n += legal >> i & 1;
        unsigned left = bb_choose(bb_random_at(choices, (uint64_t)game.length), n);
        while (!(legal >> d & 1) || left-- > 0)
            d++;
        game.score += d & 1 ? bb_rows_reward(game.board) : bb_rows_reward(bb_transposed(game.board));
        game.board = bb_spawned(bb_slid(game.board, (int)d), bb_random_at(stream, (uint64_t)game.length + 2));
    }
    return game;
}

int selftest_play(void)
{
    int failures = 0;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        static const size_t sizes[] = {0, 1, 63, 64, 65, 511, 512, 513, 900};
        for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            size_t n = sizes[s], per_start = 9;
            bb_board *starts = zeros(n / per_start + 1, sizeof *starts), *boards = zeros(n, sizeof *boards);
            int64_t *scores = zeros(n, sizeof *scores);
            int32_t *lengths = zeros(n, sizeof *lengths);
            uint8_t *largest = zeros(n, sizeof *largest);
            for (size_t i = 0; i < n / per_start + 1; i++)
                starts[i] = bb_random_at(1, i) | (i & 1 ? UINT64_C(0xF00F) << 48 : 0);
            for (int kind = 0; kind < 3; kind++) { /* whole games, playouts of boards, of afterstates */
                bb_play(cpu, kind ? starts : NULL, per_start, kind == 2, 7, 0, n, boards, scores, lengths, largest);
                for (size_t g = 0; g < n; g += 1 + n / 60) {
                    uint64_t stream = bb_stream_of(kind ? bb_stream_of(7, g / per_start) : 7, kind ? g % per_start : g);
                    bb_board start = kind ? starts[g / per_start] : bb_spawned(0, bb_random_at(stream, 0));
                    if (kind != 1)
                        start = bb_spawned(start, bb_random_at(stream, 1));
                    struct game game = slow_game(start, stream);
                    failures += !EXPECT(boards[g] == game.board && scores[g] == game.score);
                    failures += !EXPECT(lengths[g] == game.length && largest[g] == bb_largest(game.board));
                }
            }
            struct bb_two_sums *sums = zeros(n / per_start, sizeof *sums);
            bb_sums_each(scores, per_start, n / per_start, sums);
            for (size_t i = 0; i < n / per_start; i++) {
                struct bb_two_sums one = bb_sums(scores + i * per_start, per_start);
                failures += !EXPECT(sums[i].total == one.total && sums[i].squares == one.squares);
            }
            free(sums);
            free(starts), free(boards), free(scores), free(lengths), free(largest);
        }
    }
    return failures;
}

int selftest_batch(void)
{
    int failures = 0;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        for (size_t n = 0; n < 5000; n = n < 70 ? n + 1 : n + 2007) {
            struct bb_games games = {
                zeros(n, 8), zeros(n, 8), zeros(n, 8), zeros(n, 4), zeros(n, 1), zeros(n, 1), zeros(n, 4),
                zeros(n, 1), zeros(n, 1), zeros(n, 8), zeros(n, 8), zeros(n, 4), zeros(n, 4),
            };
            uint16_t *actions = zeros(n, sizeof *actions);
            char *odd = zeros(2 * n + 1, 1); /* where they begin at an odd address */
            bb_games_reset(&games, NULL, 1, n, NULL, NULL, 0, n);
            int steps = n < 70 ? 20 : 150;
            for (int t = 0; t < steps; t++) {
                for (size_t i = 0; i < n; i++)
                    actions[i] = (uint16_t)(bb_random_at((uint64_t)t, i) & 3);
                bb_board *before = zeros(n, sizeof *before);
                uint64_t *streams = zeros(n, sizeof *streams);
                int32_t *moves = zeros(n, sizeof *moves);
                memcpy(before, games.boards, n * sizeof *before);
                memcpy(streams, games.streams, n * sizeof *streams);
                memcpy(moves, games.moves, n * sizeof *moves);
                memcpy(odd + 1, actions, 2 * n);
                failures += !EXPECT(bb_games_step(cpu, &games, odd + 1, 2, BB_SAME_STEP, 0, n) == n);
                for (size_t i = 0; i < n; i++) {
                    bb_board after = bb_slid(before[i], actions[i]), board = after;
                    if (after != before[i])
                        board = bb_spawned(after, bb_random_at(streams[i], 2 + (uint64_t)moves[i]));
                    failures += !EXPECT(games.over[i] == (bb_legal(board) == 0));
                    failures += !EXPECT((games.over[i] ? games.final_boards[i] : games.boards[i]) == board);
                    failures += !EXPECT(games.afterstates[i] == after && games.changed[i] == (after != before[i]));
                    failures += !EXPECT(games.legal[i] == bb_legal(games.boards[i]));
                }
                free(before), free(streams), free(moves);
            }
            if (n) {
                actions[n - 1] = 4;
                failures += !EXPECT(bb_games_step(cpu, &games, actions, 2, BB_OFF, 0, n) == n - 1);
            }
            free(games.boards), free(games.streams), free(games.scores), free(games.moves), free(games.legal);
            free(games.saturated), free(games.rewards), free(games.over), free(games.changed), free(games.afterstates);
            free(games.final_boards), free(games.final_scores), free(games.final_moves), free(actions), free(odd);
        }
    }
    return failures;
}

int selftest_encode(void)
{
    int failures = 0;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        for (size_t n = 0; n < 70; n++) {
            bb_board *boards = zeros(n, sizeof *boards), *four = zeros(4 * n, sizeof *four);
            bb_board *eight = zeros(8 * n, sizeof *eight);
            int32_t *rewards = zeros(4 * n, sizeof *rewards);
            uint8_t *legal = zeros(n, 1), *cells = zeros(16 * n, 1), *planes = zeros(256 * n, 1);
            float *floats = zeros(256 * n, sizeof *floats);
            for (size_t i = 0; i < n; i++)
                boards[i] = bb_random_at(5, i) & bb_random_at(6, i);
            bb_afterstates_many(cpu, boards, four, rewards, legal, n);
            bb_exponents_many(cpu, boards, cells, n);
            bb_one_hot_many(cpu, boards, planes, n);
            bb_one_hot_float_many(cpu, boards, floats, n);
            bb_symmetries_many(cpu, boards, eight, n);
            for (size_t i = 0; i < n; i++) {
                for (size_t d = 0; d < 4; d++)
                    failures += !EXPECT(four[4 * i + d] == bb_slid(boards[i], (int)d));
                failures += !EXPECT(rewards[4 * i] == (int32_t)bb_rows_reward(bb_transposed(boards[i])));
                failures += !EXPECT(legal[i] == bb_legal(boards[i]));
                failures += !EXPECT(eight[8 * i + 1] == bb_flipped_horizontal(eight[8 * i + 6]));
                for (size_t c = 0; c < 16; c++) {
                    uint64_t k = boards[i] >> (60 - 4 * c) & 15;
                    failures += !EXPECT(cells[16 * i + c] == k && planes[256 * i + 16 * k + c] == 1);
                    failures += !EXPECT(floats[256 * i + 16 * k + c] == 1);
                }
            }
            free(boards), free(four), free(eight), free(rewards), free(legal), free(cells), free(planes), free(floats);
        }
    }
    return failures;
}
