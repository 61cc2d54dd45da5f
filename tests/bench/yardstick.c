/* yardstick.c - random games one at a time, as fast as a plain loop goes: what play.py compares with.
 *
 * The way of the C++ engines: try a random direction until one changes the board, a row's result and
 * points from one 8-byte entry, pdep for the spawn's cell, a fast generator (wyrand). It stands alone:
 * nothing of csrc/ is used but the row table, and its games follow the same law, not the same numbers.
 *
 *      python csrc/ffi_build.py > build/rows.c
 *      cc -O3 -march=x86-64-v3 -Icsrc tests/bench/yardstick.c build/rows.c -o build/yardstick
 *      build/yardstick 200000          prints games, slides, mean score, seconds of CPU time, slides a second
 */
#include <immintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

extern const uint64_t bb_rows[65536]; /* left, right, points / 4: 16 bits each from the lowest */

static uint64_t state = 1;

static inline uint64_t next_random(void)
{
    state += UINT64_C(0xA0761D6478BD642F);
    unsigned __int128 product = (unsigned __int128)state * (state ^ UINT64_C(0xE7037ED1A0B428DB));
    return (uint64_t)(product >> 64) ^ (uint64_t)product;
}

static inline uint64_t transposed(uint64_t x)
{
    uint64_t t = (x ^ x >> 12) & UINT64_C(0x0000F0F00000F0F0);
    x ^= t ^ t << 12;
    t = (x ^ x >> 24) & UINT64_C(0x00000000FF00FF00);
    return x ^ t ^ t << 24;
}

static inline uint64_t slid(uint64_t board, unsigned direction, uint32_t *points)
{
    uint64_t rows = direction & 1 ? board : transposed(board);
    unsigned shift = direction == 1 || direction == 2 ? 16 : 0;
    uint64_t a = bb_rows[rows >> 48], b = bb_rows[rows >> 32 & 0xFFFF];
    uint64_t c = bb_rows[rows >> 16 & 0xFFFF], d = bb_rows[rows & 0xFFFF];
    *points = (uint32_t)((a >> 32 & 0xFFFF) + (b >> 32 & 0xFFFF) + (c >> 32 & 0xFFFF) + (d >> 32 & 0xFFFF)) * 4;
    rows = (a >> shift & 0xFFFF) << 48 | (b >> shift & 0xFFFF) << 32 | (c >> shift & 0xFFFF) << 16
           | (d >> shift & 0xFFFF);
    return direction & 1 ? rows : transposed(rows);
}

static inline uint64_t spawned(uint64_t board)
{
    uint64_t any = board | board >> 1;
    uint64_t empty = ~(any | any >> 2) & UINT64_C(0x1111111111111111);
    uint64_t random64 = next_random();
    uint64_t k = (random64 >> 32) * (uint64_t)_mm_popcnt_u64(empty) >> 32;
    uint64_t cell = _pdep_u64(UINT64_C(1) << k, empty);
    return board | cell << ((uint32_t)random64 < 429496730);
}

static inline int any_legal(uint64_t board)
{
    uint32_t points;
    for (unsigned d = 0; d < 4; d++)
        if (slid(board, d, &points) != board)
            return 1;
    return 0;
}

/* Play one game; the slides are added to *slides. Legality of all four is asked only when a try fails
 * on a full board: elsewhere some direction is legal. */
static uint64_t game(uint64_t *slides)
{
    uint64_t board = spawned(spawned(0)), score = 0;
    for (;;) {
        uint32_t points;
        uint64_t after = slid(board, (unsigned)(next_random() >> 62), &points);
        if (after != board) {
            score += points;
            board = spawned(after);
            ++*slides;
            continue;
        }
        uint64_t any = board | board >> 1;
        if (!(~(any | any >> 2) & UINT64_C(0x1111111111111111)) && !any_legal(board))
            return score;
    }
}

int main(int argc, char **argv)
{
    long games = argc > 1 ? atol(argv[1]) : 200000;
    uint64_t slides = 0, score = 0;
    struct timespec t0, t1;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    for (long i = 0; i < games; i++)
        score += game(&slides);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    double seconds = (double)(t1.tv_sec - t0.tv_sec) + 1e-9 * (double)(t1.tv_nsec - t0.tv_nsec);
    printf("%ld games, %llu slides, mean score %.2f, %.4f s, %.2f M slides/s\n", games, (unsigned long long)slides,
           (double)score / (double)games, seconds, (double)slides / seconds * 1e-6);
    return 0;
}
