/* selftest.c - the C core without Python, for the address and undefined-behaviour sanitizers.
 *
 *      python csrc/ffi_build.py > build/rows.c
 *      cc -std=gnu99 -g -O1 -fsanitize=address,undefined -Icsrc -DBB_CHECKED csrc/[a-z]*.c
 *          csrc/selftest/[a-z]*.c build/rows.c -lm -pthread && ./a.out
 *
 * Each topic has a function here or in <topic>.c that returns the number of failures. Arrays are
 * allocated to their exact length, so the address sanitizer sees a read or write past an end, and
 * BB_CHECKED has the core check what it takes for granted.
 */
#include "selftest.h"

#include <stdlib.h>
#include <string.h>

#include "bitboard.h"

/* Boards of all kinds of crowding from a counter. */
static bb_board some_board(uint64_t i)
{
    bb_board board = bb_random_at(1, 2 * i);
    return i % 4 == 0 ? board : board & bb_random_at(1, 2 * i + 1);
}

/* One-board functions: legality is what slides change, symmetries commute with slides, spawns fill one cell. */
static int selftest_board(void)
{
    int failures = 0;
    for (uint64_t i = 0; i < 20000; i++) {
        bb_board board = some_board(i);
        bb_board slid[4] = {bb_move_up(board), bb_move_right(board), bb_move_down(board), bb_move_left(board)};
        unsigned changed = 0;
        for (int d = 0; d < 4; d++) {
            changed |= (unsigned)(slid[d] != board) << d;
            failures += !EXPECT(bb_tile_sum(slid[d]) == bb_tile_sum(board));
        }
        failures += !EXPECT(bb_legal_moves(board) == changed);
        failures += !EXPECT(bb_is_over(board) == (changed == 0));
        failures += !EXPECT(bb_move_right(bb_rotate_90(board)) == bb_rotate_90(slid[BB_UP]));
        failures += !EXPECT(bb_move_down(bb_rotate_180(board)) == bb_rotate_180(slid[BB_UP]));
        failures += !EXPECT(bb_canonical(bb_rotate_270(board)) == bb_canonical(board));
        failures += !EXPECT(bb_reward_rows(bb_transpose(board)) == bb_reward_columns(board));
        bb_board filled = bb_spawn(board, bb_random64(2, i));
        failures += !EXPECT(bb_empty_count(filled) + (bb_empty_count(board) > 0) == bb_empty_count(board));
    }
    failures += !EXPECT(bb_spawn(0, 0) == UINT64_C(0x2000000000000000));
    failures += !EXPECT(bb_spawn(0, UINT64_MAX) == 1);
    failures += !EXPECT(bb_first_board(1) == bb_spawn(bb_spawn(0, bb_random64(1, 0)), bb_random64(1, 1)));
    failures += !EXPECT(bb_next_board(3, 1, 5) == bb_spawn(3, bb_random64(1, 7)));
    failures += !EXPECT(bb_perft(UINT64_C(0x1000000000000001), 3) == 1124032);
    return failures;
}

/* The loops over arrays, each variant against the one-board functions, in exact-length arrays. */
static int selftest_many(void)
{
    int failures = 0;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        for (size_t n = 0; n < 70; n++) {
            bb_board *boards = malloc(n * sizeof *boards + !n);
            uint64_t *random64 = malloc(n * sizeof *random64 + !n);
            uint64_t *out = malloc(n * sizeof *out + !n);
            for (size_t i = 0; i < n; i++) {
                boards[i] = some_board(i + 1000 * n);
                random64[i] = bb_random_at(3, i);
            }
            for (int direction = 0; direction < 4; direction++) {
                bb_move_many(cpu, boards, out, n, direction);
                for (size_t i = 0; i < n; i++)
                    failures += !EXPECT(out[i] == bb_slid(boards[i], direction));
                bb_reward_many(cpu, boards, out, n, direction);
                for (size_t i = 0; i < n; i++)
                    failures +=
                        !EXPECT(out[i] == (direction & 1 ? bb_reward_rows(boards[i]) : bb_reward_columns(boards[i])));
            }
            bb_legal_moves_many(cpu, boards, out, n);
            for (size_t i = 0; i < n; i++)
                failures += !EXPECT(out[i] == bb_legal_moves(boards[i]));
            bb_spawn_many(cpu, boards, random64, out, n);
            for (size_t i = 0; i < n; i++)
                failures += !EXPECT(out[i] == bb_spawn(boards[i], random64[i]));
            free(boards);
            free(random64);
            free(out);
        }
    }
    return failures;
}

/* All topics, or those that are named; "at-once": all in several threads. */
int main(int count, char **names)
{
    static const struct selftest tests[] = {
        {"board", selftest_board},
        {"many", selftest_many},
        {"grid", selftest_grid},
        {"play", selftest_play},
        {"batch", selftest_batch},
        {"encode", selftest_encode},
        {"env", selftest_env},
        {"sliding", selftest_sliding},
        {"search", selftest_search},
        {"network", selftest_network},
        {"threads", selftest_threads},
    };
    int failures = 0;
    if (count == 2 && strcmp(names[1], "at-once") == 0)
        return selftest_at_once(tests, sizeof tests / sizeof *tests) != 0;
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        int wanted = count < 2;
        for (int k = 1; k < count; k++)
            wanted |= strcmp(names[k], tests[i].topic) == 0;
        if (!wanted)
            continue;
        int failed = tests[i].run();
        printf("selftest %s: %s\n", tests[i].topic, failed ? "FAILED" : "ok");
        failures += failed;
    }
    return failures != 0;
}
