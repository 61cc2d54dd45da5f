/* env.c - what the environments tell about boards, in exact-length arrays. */
#include "selftest.h"

#include <stdlib.h>

#include "bitboard.h"

int selftest_env(void)
{
    int failures = 0;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        for (size_t n = 0; n < 70; n++) {
            bb_board *boards = malloc(n * sizeof *boards + !n);
            uint8_t *legal = malloc(n + !n);
            int8_t *masks = malloc(4 * n + !n);
            int64_t *max_tiles = malloc(n * sizeof *max_tiles + !n);
            if (!boards || !legal || !masks || !max_tiles)
                abort();
            for (size_t i = 0; i < n; i++) {
                boards[i] = i == 0 ? 0 : bb_random_at(1, i) & bb_random_at(2, n);
                legal[i] = (uint8_t)bb_legal(boards[i]);
            }
            bb_env_look(cpu, boards, legal, masks, max_tiles, n);
            for (size_t i = 0; i < n; i++) {
                int64_t largest = 0;
                for (int shift = 0; shift < 64; shift += 4) {
                    int64_t face = boards[i] >> shift & 15 ? INT64_C(1) << (boards[i] >> shift & 15) : 0;
                    largest = face > largest ? face : largest;
                }
                failures += !EXPECT(max_tiles[i] == largest);
                for (size_t d = 0; d < 4; d++)
                    failures += !EXPECT(masks[4 * i + d] == (legal[i] >> d & 1));
            }
            free(boards);
            free(legal);
            free(masks);
            free(max_tiles);
        }
    }
    return failures;
}
