/* grid.c - boards of any size: every variant against a slide and a search that are written plainly. */
#include <stdlib.h>
#include <string.h>

#include "bitboard.h"
#include "selftest.h"

/* Slide one line of n cells, `step` apart, towards its start, as the rule is told: the points. */
static uint64_t slide_line(uint8_t *line, int n, int step, int top)
{
    uint64_t points = 0;
    int end = 0, may_merge = 0;
    for (int i = 0; i < n; i++) {
        uint8_t tile = line[i * step];
        line[i * step] = 0;
        if (tile && may_merge && line[(end - 1) * step] == tile && tile < top) {
            line[(end - 1) * step]++;
            points += UINT64_C(1) << (tile + 1);
            may_merge = 0;
        } else if (tile) {
            line[end++ * step] = tile;
            may_merge = 1;
        }
    }
    return points;
}

static uint64_t slide_plainly(uint8_t *cells, int height, int width, int direction, int top)
{
    uint64_t points = 0;
    for (int c = 0; c < width && direction == BB_UP; c++)
        points += slide_line(cells + c, height, width, top);
    for (int c = 0; c < width && direction == BB_DOWN; c++)
        points += slide_line(cells + width * (height - 1) + c, height, -width, top);
    for (int r = 0; r < height && direction == BB_LEFT; r++)
        points += slide_line(cells + width * r, width, 1, top);
    for (int r = 0; r < height && direction == BB_RIGHT; r++)
        points += slide_line(cells + width * r + width - 1, width, -1, top);
    return points;
}

/* The largest exponent within some slides and, as 256 * exponent - slides, how soon: every sequence is tried. */
static int search_plainly(const uint8_t *cells, int height, int width, int top, int slides, int made)
{
    uint8_t next[9];
    int best = 0;
    for (int i = 0; i < height * width; i++)
        if (256 * cells[i] - made > best)
            best = 256 * cells[i] - made;
    for (int d = 0; d < 4 && made < slides; d++) {
        int found;
        memcpy(next, cells, (size_t)(height * width));
        slide_plainly(next, height, width, d, top);
        found = search_plainly(next, height, width, top, slides, made + 1);
        best = found > best ? found : best;
    }
    return best;
}

/* Random tiles of a few exponents, in an array of the exact length. */
static uint8_t *some_grid(int height, int width, uint64_t seed, unsigned exponents, unsigned lowest)
{
    size_t n = (size_t)(height * width);
    uint8_t *cells = malloc(n);
    for (size_t i = 0; i < n; i++) {
        unsigned k = bb_choose(bb_random_at(seed, i), exponents);
        cells[i] = (uint8_t)(k ? k + lowest : 0);
    }
    return cells;
}

int selftest_grid(void)
{
    int failures = 0;
    for (int cpu = 0; cpu <= bb_cpu_best(); cpu++) {
        for (uint64_t i = 0; i < 3000; i++) {
            int height = 1 + (int)bb_choose(bb_random_at(5, 2 * i), 32);
            int width = 1 + (int)bb_choose(bb_random_at(5, 2 * i + 1), 32);
            int top = i % 3 == 0 ? 3 : 62, direction = (int)(i % 4);
            uint8_t *cells = some_grid(height, width, i, 2 + (unsigned)(i % 5), i % 7 == 0 ? 40 : 0);
            uint8_t *out = malloc((size_t)(height * width));
            int64_t reward[2];
            int changed = bb_grid_slide(cpu, cells, out, height, width, direction, top, reward);
            uint8_t *plain = some_grid(height, width, i, 2 + (unsigned)(i % 5), i % 7 == 0 ? 40 : 0);
            uint64_t points = slide_plainly(plain, height, width, direction, top);
            failures += !EXPECT(memcmp(out, plain, (size_t)(height * width)) == 0);
            failures += !EXPECT((uint64_t)(reward[0] + reward[1] * (INT64_C(1) << 32)) == points);
            failures += !EXPECT(changed == (memcmp(out, cells, (size_t)(height * width)) != 0));
            free(cells);
            free(out);
            free(plain);
        }
        for (uint64_t i = 0; i < 300; i++) {
            int height = 1 + (int)(i % 3), width = 1 + (int)(i / 3 % 3);
            int slides = (int)(i % 6), top = i % 5 == 0 ? 3 : 62;
            uint8_t *cells = some_grid(height, width, i, 4, 0);
            bb_grid_search *search = bb_grid_search_new(cpu, cells, height, width, slides, top);
            while (!bb_grid_search_run(search, 3))
                continue;
            failures += !EXPECT(256 * bb_grid_search_best(search) - bb_grid_search_length(search) ==
                                search_plainly(cells, height, width, top, slides, 0));
            for (int j = 0; j < bb_grid_search_length(search); j++)
                slide_plainly(cells, height, width, bb_grid_search_direction(search, j), top);
            failures += !EXPECT(memchr(cells, bb_grid_search_best(search), (size_t)(height * width)) != NULL);
            bb_grid_search_free(search);
            free(cells);
        }
    }
    for (uint64_t i = 0; i < 400; i++) { /* larger ones, for all sizes of what is noted on the way */
        int height = 4 + (int)(i % 17), width = 4 + (int)(i % 13);
        uint8_t *cells = some_grid(height, width, i, 3 + (unsigned)(i % 9), 0);
        int best[2];
        for (int j = 0; j < 2; j++) {
            bb_grid_search *search =
                bb_grid_search_new(j ? bb_cpu_best() : 0, cells, height, width, 2 + (int)(i % 5), 62);
            while (!bb_grid_search_run(search, 1000))
                continue;
            best[j] = bb_grid_search_best(search);
            bb_grid_search_free(search);
        }
        failures += !EXPECT(best[0] == best[1]);
        free(cells);
    }
    {
        uint8_t *cells = some_grid(32, 32, 9, 8, 0); /* the largest board, deep, and left unfinished */
        bb_grid_search *search = bb_grid_search_new(0, cells, 32, 32, 255, 62);
        failures += !EXPECT(!bb_grid_search_run(search, 3000) && bb_grid_search_nodes(search) == 3000);
        bb_grid_search_free(search);
        free(cells);
    }
    return failures;
}
