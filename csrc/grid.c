/* grid.c - boards of any size up to 32 x 32, and the largest tile within k slides.
 *
 * A grid comes and goes as height * width bytes, exponents in reading order. Inside it is a
 * square of 32 rows of 32 lanes, the rest empty, so that all columns of it slide at once:
 *
 *      byte 32 * r + c            the cell in row r, column c     slides up and down
 *      byte 32 * c + r ("turned") the same cell                   slides left and right
 *
 * The search. Let f(j) be the largest exponent within j slides. A slide raises the largest
 * exponent by one at most, so f(j) is f(j - 1) or one more, and "is target = f(j - 1) + 1 within
 * j slides?" asked for j = 1, 2, ... gives f and a shortest path to f(slides). Each question is a
 * depth-first search in the order U R D L, cut where one of these proves that the target is not
 * reached from a position with r slides left:
 *
 *  1. Mass. A tile grows by one exponent a slide, so a tile below target - r never becomes a part
 *     of the target in time. The target is made of two tiles one lower; those that are not on the
 *     board are made of two each, and so on down to exponent target - r + 1. The pairs of
 *     target - r must merge in the very next slide or never, and how many do is known for either
 *     axis without sliding: LEFT and RIGHT merge the same number of them, half of every run. With
 *     one slide left this is no bound but the answer, so the last slide is never made; nor is the
 *     one before it: what could follow it is seen from the order and number of the tiles that it
 *     leaves in each line.
 *  2. Seen before with as many slides left, in this question or an earlier one. In an earlier
 *     one: had it reached today's target with r slides left at depth j - r, then f(j) would be the
 *     target, and it is not.
 *  3. After a slide that merged nothing, the opposite slide gives what it would have given before:
 *     the tiles of each line are the same in the same order. That is 2 at one slide more.
 *  4. A symmetric position: the search below a direction is the mirror image of the search below
 *     its image, so one of them is enough.
 *  5. A slide that changes nothing is none.
 *
 * Positions are told apart by 120 bits of a hash. For a million of them the chance that two
 * different ones share it is below 10**-24.
 */
#include <stdlib.h>
#include <string.h>

#include "bitboard.h"
#include "variants.h"

enum { SIDE = 32, LANES = 32, CELLS = SIDE * LANES };
enum { CHANGED = 1, MERGED = 2 }; /* what a slide did */
enum { ALONG = 1, ACROSS = 2, UNDECIDED = 4 }; /* what could follow one */

struct kernels {
    int (*slide)(const uint8_t *from, uint8_t *to, int height, int down, int top);
    void (*transpose)(const uint8_t *from, uint8_t *to);
    unsigned (*count)(const uint8_t *board, int height, unsigned exponent);
    unsigned (*merges)(const uint8_t *board, int height, unsigned exponent);
    int (*foresee)(const uint8_t *from, int height, int down, int top, unsigned exponent);
};

#if BB_X86_VARIANTS
#pragma GCC push_options
#pragma GCC optimize("no-loop-unroll-and-jam") /* it would take two rows at once and then find no vectors */
#endif
#define BB_LOOPS "grid_loops.h"
#include "variants_each.h"
#if BB_X86_VARIANTS
#pragma GCC pop_options
#endif

static const struct kernels *const variants[] = BB_VARIANTS(&kernels);

/* Bytes in reading order into a square, or the square turned; the rest of it is empty. */
static void spread(const uint8_t *cells, uint8_t *square, int height, int width, int turned)
{
    memset(square, 0, CELLS);
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            square[turned ? LANES * c + r : LANES * r + c] = cells[width * r + c];
}

/* The largest exponent of a square. */
static int largest(const uint8_t *square)
{
    int exponent = 0;
    for (int i = 0; i < CELLS; i++)
        if (square[i] > exponent)
            exponent = square[i];
    return exponent;
}

/* The sum of exponent * 2**exponent over the tiles of exponents low .. low + 31, in units of 2**low. */
static int64_t potential(const uint8_t *square, int low)
{
    int64_t sum = 0;
    for (int i = 0; i < CELLS; i++)
        if (square[i] >= low && square[i] < low + 32)
            sum += (int64_t)square[i] << (square[i] - low);
    return sum;
}

/* Slide `cells` into `out`; 1 if that changes anything. Tiles of exponent `top`, at most 62, do not
 * merge. The points are reward[0] + 2**32 * reward[1]: they may be more than 64 bits. A merge of two
 * tiles k adds (k + 1) 2**(k + 1) - 2 k 2**k = 2**(k + 1) to the sum of k 2**k, just what it earns. */
int bb_grid_slide(int cpu, const uint8_t *cells, uint8_t *out, int height, int width, int direction, int top,
                  int64_t *reward)
{
    uint8_t before[CELLS], after[CELLS];
    int turned = direction == BB_LEFT || direction == BB_RIGHT;
    int away = direction == BB_DOWN || direction == BB_RIGHT;
    int changed;
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    BB_ASSERT(height >= 1 && height <= SIDE && width >= 1 && width <= SIDE);
    BB_ASSERT(direction >= 0 && direction < 4 && top <= 62);
    spread(cells, before, height, width, turned);
    memset(after, 0, CELLS);
    changed = variants[cpu]->slide(before, after, turned ? width : height, away, top) & CHANGED;
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            out[width * r + c] = after[turned ? LANES * c + r : LANES * r + c];
    for (int half = 0; half < 2; half++)
        reward[half] = changed ? potential(after, 32 * half) - potential(before, 32 * half) : 0;
    return changed;
}

/* ---- the search ------------------------------------------------------------------------------ */

enum { VERTICAL = 1 << BB_UP | 1 << BB_DOWN, HORIZONTAL = 1 << BB_RIGHT | 1 << BB_LEFT, BUCKET = 4 };

/* A position on the path from the start: the square, the square turned, each made when first needed. */
struct place {
    uint8_t square[2][CELLS];
    uint8_t has[2];
    uint8_t left;      /* a mask of the directions that are still to be tried */
    uint8_t direction; /* the one that is being tried */
};

/* A position seen: 120 bits of its hash, and in the lowest byte of `low` the slides that were left. */
struct seen {
    uint64_t high, low;
};

struct bb_grid_search {
    const struct kernels *kernels;
    int height, width, slides, top;
    int target, within, depth;     /* is `target` within `within` slides? at places[depth] now */
    int best, length;              /* the largest exponent so far, and the slides that it takes */
    uint64_t nodes, words[CELLS / 8];
    uint64_t buckets;              /* a power of two */
    struct seen *table;
    uint8_t path[256];
    struct place places[];
};

/* The square of a place, turned or not. */
static const uint8_t *square_of(const struct bb_grid_search *search, struct place *place, int turned)
{
    if (!place->has[turned]) {
        search->kernels->transpose(place->square[!turned], place->square[turned]);
        place->has[turned] = 1;
    }
    return place->square[turned];
}

/* Whether the position was seen with at least `left` slides left; remember it if not. */
static int was_seen(struct bb_grid_search *search, struct place *place, int left)
{
    const uint8_t *square = square_of(search, place, 0);
    struct seen *bucket, *oldest;
    uint64_t high = 0, low = 0;
    int words = (search->width + 7) / 8;
    for (int r = 0; r < search->height; r++) {
        for (int i = SIDE / 8 * r; i < SIDE / 8 * r + words; i++) {
            uint64_t word;
            memcpy(&word, square + 8 * i, 8);
            word = bb_mix(word ^ search->words[i]);
            high += word;
            low = low * UINT64_C(0xD1B54A32D192ED03) + word;
        }
    }
    low = bb_mix(low) & ~UINT64_C(255);
    bucket = oldest = search->table + BUCKET * (high & (search->buckets - 1));
    for (struct seen *entry = bucket; entry < bucket + BUCKET; entry++) {
        if (entry->high == high && (entry->low & ~UINT64_C(255)) == low) {
            if ((int)(entry->low & 255) >= left)
                return 1;
            entry->low = low | (uint64_t)left;
            return 0;
        }
        if ((entry->low & 255) < (oldest->low & 255))
            oldest = entry;
    }
    oldest->high = high;
    oldest->low = low | (uint64_t)left;
    return 0;
}

/* The axes, as a mask of directions, along which the mass of the tiles can still reach the target. */
static unsigned open_axes(const struct bb_grid_search *search, struct place *place, int left)
{
    const struct kernels *kernels = search->kernels;
    int some = !place->has[0]; /* counts may use either square */
    int rows = some ? search->width : search->height;
    int lowest = search->target - left; /* the pairs of this exponent must merge now */
    unsigned need = 1, cells = (unsigned)(search->height * search->width), open = 0;

    for (int exponent = search->target - 1; exponent > lowest && exponent > 0; exponent--) {
        unsigned have = kernels->count(place->square[some], rows, (unsigned)exponent);
        if (have >= 2 * need)
            return VERTICAL | HORIZONTAL;
        need = 2 * need - have;
        if (2 * need > cells)
            return 0;
    }
    if (lowest <= 0 || lowest >= search->top ||
        kernels->count(place->square[some], rows, (unsigned)lowest) < 2 * need)
        return 0;
    if (kernels->merges(square_of(search, place, 0), search->height, (unsigned)lowest) >= need)
        open |= VERTICAL;
    if (kernels->merges(square_of(search, place, 1), search->width, (unsigned)lowest) >= need)
        open |= HORIZONTAL;
    return open;
}

/* Whether a square is another one with its rows, its columns or both in the opposite order. */
static int is_flipped(const uint8_t *square, const uint8_t *other, int height, int width, int rows, int columns)
{
    for (int r = 0; r < height; r++)
        for (int c = 0; c < width; c++)
            if (square[LANES * r + c] != other[LANES * (rows ? height - 1 - r : r) + (columns ? width - 1 - c : c)])
                return 0;
    return 1;
}

/* The directions that a symmetry of the position takes to one before them in the order U R D L. */
static unsigned images(const struct bb_grid_search *search, struct place *place)
{
    static const struct {
        uint8_t turned, rows, columns, image[4]; /* transpose, then flip; where U R D L go */
    } symmetries[] = {
        {0, 0, 1, {BB_UP, BB_LEFT, BB_DOWN, BB_RIGHT}},  {0, 1, 0, {BB_DOWN, BB_RIGHT, BB_UP, BB_LEFT}},
        {0, 1, 1, {BB_DOWN, BB_LEFT, BB_UP, BB_RIGHT}},  {1, 0, 0, {BB_LEFT, BB_DOWN, BB_RIGHT, BB_UP}},
        {1, 1, 1, {BB_RIGHT, BB_UP, BB_LEFT, BB_DOWN}},  {1, 0, 1, {BB_RIGHT, BB_DOWN, BB_LEFT, BB_UP}},
        {1, 1, 0, {BB_LEFT, BB_UP, BB_RIGHT, BB_DOWN}},
    };
    unsigned spare = 0;
    for (size_t i = 0; i < (search->height == search->width ? 7 : 3); i++) {
        if (is_flipped(square_of(search, place, 0), square_of(search, place, symmetries[i].turned), search->height,
                       search->width, symmetries[i].rows, symmetries[i].columns))
            for (unsigned d = 0; d < 4; d++)
                spare |= (unsigned)(symmetries[i].image[d] < d) << d;
    }
    return spare;
}

/* Note that the target is reached at this depth with one more slide, in the lowest direction of a mask. */
static void found(struct bb_grid_search *search, unsigned axes)
{
    int d;
    for (d = 0; d < search->depth; d++)
        search->path[d] = search->places[d].direction;
    search->path[d] = axes & VERTICAL ? BB_UP : BB_RIGHT;
    search->best = search->target;
    search->length = search->within;
}

/* With two slides left: whether the target is reached by a first one in `open`, and by which. */
static int last_two(struct bb_grid_search *search, struct place *place, unsigned open)
{
    for (int d = 0; d < 4; d++) {
        int turned = d == BB_LEFT || d == BB_RIGHT, away = d == BB_DOWN || d == BB_RIGHT;
        int height = turned ? search->width : search->height, follows;
        unsigned axes;
        const uint8_t *square;
        if (!(open >> d & 1))
            continue;
        square = square_of(search, place, turned);
        follows = search->kernels->foresee(square, height, away, search->top, (unsigned)search->target - 1);
        axes = (follows & ALONG ? turned ? HORIZONTAL : VERTICAL : 0) |
               (follows & ACROSS ? turned ? VERTICAL : HORIZONTAL : 0);
        if (follows & UNDECIDED) {
            search->kernels->slide(square, place[1].square[turned], height, away, search->top);
            place[1].has[turned] = 1;
            place[1].has[!turned] = 0;
            axes = open_axes(search, place + 1, 1);
        }
        if (axes) {
            place->direction = (uint8_t)d;
            search->depth++;
            found(search, axes);
            return 1;
        }
    }
    return 0;
}

/* Arrive at places[depth]: which directions are to be tried from there. `still` are the two of the
 * axis of the arriving slide if it merged nothing. 1 if the target is reached. */
static int arrive(struct bb_grid_search *search, unsigned still)
{
    struct place *place = &search->places[search->depth];
    int left = search->within - search->depth;
    unsigned open = open_axes(search, place, left);
    place->left = 0;
    if (left == 1) { /* only where one slide is all there is */
        if (open)
            found(search, open);
        return open != 0;
    }
    open &= ~still;
    if (open && was_seen(search, place, left))
        return 0;
    if (left == 2)
        return last_two(search, place, open);
    if (open)
        open &= ~images(search, place);
    place->left = (uint8_t)open;
    return 0;
}

bb_grid_search *bb_grid_search_new(int cpu, const uint8_t *cells, int height, int width, int slides, int top)
{
    size_t size = sizeof(bb_grid_search) + ((size_t)slides + 1) * sizeof(struct place);
    bb_grid_search *search = calloc(1, size);
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best());
    BB_ASSERT(height >= 1 && height <= SIDE && width >= 1 && width <= SIDE);
    BB_ASSERT(slides >= 0 && slides <= 255 && top <= 62);
    if (!search)
        return NULL;
    search->kernels = variants[cpu];
    search->height = height;
    search->width = width;
    search->slides = slides;
    search->top = top;
    for (size_t i = 0; i < CELLS / 8; i++)
        search->words[i] = bb_random_at(2048, i);
    /* Room for the positions of a full tree, those with one slide left apart: 8 MB for ten slides, at most 64. */
    search->buckets = UINT64_C(1) << (slides < 4 ? 4 : slides < 12 ? 2 * slides - 3 : 20);
    search->table = calloc((size_t)search->buckets * BUCKET, sizeof *search->table);
    if (!search->table) {
        free(search);
        return NULL;
    }
    spread(cells, search->places[0].square[0], height, width, 0);
    search->places[0].has[0] = 1;
    search->best = largest(search->places[0].square[0]);
    search->target = search->best + 1;
    return search;
}

void bb_grid_search_free(bb_grid_search *search)
{
    if (search)
        free(search->table);
    free(search);
}

int bb_grid_search_run(bb_grid_search *search, uint64_t nodes)
{
    uint64_t until = nodes > UINT64_MAX - search->nodes ? UINT64_MAX : search->nodes + nodes;
    int reached = 0;
    for (;;) {
        struct place *place = &search->places[search->depth];
        if (reached || (search->depth == 0 && !place->left)) { /* the question is answered */
            search->depth = search->places[0].left = 0;
            search->target += reached;
            if (search->within >= search->slides || search->target > search->top)
                return 1;
            search->within++;
            reached = arrive(search, 0);
        } else if (!place->left) {
            search->depth--;
        } else if (search->nodes >= until) {
            return 0;
        } else {
            int direction = 0, turned, away, outcome;
            while (!(place->left >> direction & 1))
                direction++;
            place->left &= (uint8_t)(place->left - 1);
            place->direction = (uint8_t)direction;
            turned = direction == BB_LEFT || direction == BB_RIGHT;
            away = direction == BB_DOWN || direction == BB_RIGHT;
            outcome = search->kernels->slide(square_of(search, place, turned), place[1].square[turned],
                                             turned ? search->width : search->height, away, search->top);
            if (!(outcome & CHANGED))
                continue;
            place[1].has[turned] = 1;
            place[1].has[!turned] = 0;
            search->nodes++;
            search->depth++;
            reached = arrive(search, outcome & MERGED ? 0 : turned ? HORIZONTAL : VERTICAL);
        }
    }
}

int bb_grid_search_best(const bb_grid_search *search) { return search->best; }
int bb_grid_search_length(const bb_grid_search *search) { return search->length; }
int bb_grid_search_direction(const bb_grid_search *search, int i) { return search->path[i]; }
uint64_t bb_grid_search_nodes(const bb_grid_search *search) { return search->nodes; }
