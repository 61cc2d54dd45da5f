/* search.c - expectimax over boards valued by a table of rows, a network or a function outside of C.
 *
 * With V(a, 0) = the value of afterstate a and V(a, k) = the mean over the spawns s of a of
 * (over_value if s is over, else the maximum over the legal slides of s of
 * reward_weight * reward + V(afterstate, k - 1)), bb_search_values gives each direction of a
 * board reward_weight * reward + V(afterstate, depth). Forward pruning: where two or more layers follow the slides
 * of s, those whose value one layer ahead is more than `prune` below the best one's are left out of the maximum.
 *
 * Lines, images and slides of boards and the hook that values a leaf are in search_lines.h, the cache in
 * search_cache.h, the last layer by a table in search_table.c and by a network in search_network.c, leaves valued
 * outside of C in search_leaves.c, the depth by a count of boards in search_count.c.
 *
 * Equal afterstates are searched once: V(a, k) is kept in a table of 64-byte buckets, and a node of the last layer but
 * one makes all its children first and prefetches their buckets.
 *
 * Sums of floats depend on their order, so it is fixed: the value of a board pairs the outer and
 * the inner lines, and a chance node is summed in the reading order of its canonical image (of the
 * eight, or of two where the table of a row differs from that of its mirror image). Hence mirror
 * images have the same values to the last bit, with or without a cache, and in pure Python too.
 */
#define _POSIX_C_SOURCE 199309L /* clock_gettime */
#include "atomics.h"
#include "search_cache.h"
#include "search_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <time.h>
#endif

enum { MOST_CHILDREN = 2 * 15 * 4 };

int64_t bb_search_now(void)
{
#ifdef _WIN32
    LARGE_INTEGER ticks, frequency; /* ticks a second; seconds apart, since ticks * 1e9 would overflow in minutes */
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&frequency);
    int64_t seconds = ticks.QuadPart / frequency.QuadPart, rest = ticks.QuadPart % frequency.QuadPart;
    return seconds * 1000000000 + rest * 1000000000 / frequency.QuadPart;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
#endif
}

bb_search *bb_search_new(int cpu, const double *table, const struct bb_network *network, size_t cache_bytes)
{
    BB_ASSERT(cpu >= 0 && cpu <= bb_cpu_best() && !(table && network));
    bb_search *search = calloc(1, sizeof *search);
    if (!search)
        return NULL;
    search->cpu = cpu;
    search->table = table;
    search->network = network;
    search->images = table || network ? 8 : 1;
    search->four_layers = 1;
    search->prune = HUGE_VAL;
    search->node_limit = UINT64_MAX;
    for (unsigned row = 0; table && row < 65536; row++) {
        unsigned mirrored = (row & 15) << 12 | (row & 0xF0) << 4 | (row & 0xF00) >> 4 | row >> 12;
        if (memcmp(&table[row], &table[mirrored], sizeof *table) != 0)
            search->images = 2;
    }
    if (cache_bytes) {
        int bits = LEAST_BUCKET_BITS;
        while (bits < 40 && (size_t)WAYS * sizeof(struct entry) << (bits + 1) <= cache_bytes)
            bits++;
        search->bucket_bits = bits;
        search->memory = calloc(((size_t)1 << bits) + 1, WAYS * sizeof(struct entry));
        if (!search->memory) {
            free(search);
            return NULL;
        }
        search->cache = (void *)(((uintptr_t)search->memory + 63) & ~(uintptr_t)63);
    }
    return search;
}

void bb_search_free(bb_search *search)
{
    if (search) {
        free(search->memory);
        free(search->leaves);
        free(search->counted);
        free(search->counted_set);
    }
    free(search);
}

void bb_search_stop(bb_search *search, int stop) { bb_atomic_store(&search->stop, stop); }

/* Forget what is in the cache, without touching it unless the ages have run out. */
void bb_search_forget(bb_search *search)
{
    search->age += UINT64_C(1) << DEPTH_BITS;
    if (search->age > AGE_MASK) {
        search->age = 0;
        if (search->cache)
            memset(search->cache, 0, (WAYS * sizeof(struct entry)) << search->bucket_bits);
    }
}

/* ---- the tree ---- */

int bb_search_ends(bb_search *search)
{
    if (bb_atomic_load(&search->stop) || search->nodes >= search->node_limit)
        search->unfinished = 1;
    else if (search->deadline && bb_search_now() >= search->deadline)
        search->unfinished = 1;
    return search->unfinished;
}

struct child {
    bb_board after; /* canonical */
    uint64_t hash;
    double earned;
    double ahead; /* earned and V(after, 1), where slides are pruned */
    double leaf;  /* V(after, 0), where value_fours() has it */
};

/* The legal slides of a board with `tile` spawned in a cell; returns how many. */
BB_INLINE int children_of(const bb_search *search, const struct slides *slides, int cell, int tile, struct child *out)
{
    int n = 0;
    for (int view = 0; view < 2; view++) {
        int i = view ? cell & 3 : cell >> 2, at = view ? cell >> 2 : cell & 3;
        unsigned line = line_of(slides->lines[view], i) | (unsigned)tile << (12 - 4 * at);
        uint64_t entry = bb_rows[line];
        unsigned legal = slides->legal_without[view][i]
                         | (view ? bb_entry_legal_column(entry) : bb_entry_legal_row(entry));
        for (int side = 0; side < 2; side++) {
            if (!(legal >> direction_of(view, side) & 1))
                continue;
            bb_board after = slid_line(slides, view, side, i, entry);
            out[n].after = canonical(search, view ? bb_transposed(after) : after);
            out[n].hash = hashed(out[n].after);
            out[n].earned = search->reward_weight == 0 ? 0
                : search->reward_weight * (double)(reward_without(slides, view, i) + bb_entry_reward(entry));
            n++;
        }
    }
    return n;
}

static double chance(bb_search *search, bb_board after, int depth);

/* V(after, depth) for depth >= 1, from the cache if it is there. */
static double cached(bb_search *search, bb_board after, uint64_t hash, int depth)
{
    if (!search->cache)
        return chance(search, after, depth);
    struct entry *bucket = bucket_of(search, hash);
    uint64_t tag = tag_of(search, hash, depth);
    struct entry *entry = found(bucket, tag);
    search->probes++;
    if (entry) {
        search->hits++;
        return entry->value;
    }
    double value = chance(search, after, depth);
    if (!search->unfinished)
        keep(search, bucket, tag, value);
    return value;
}

/* Whether slides that are followed by so many layers are pruned. */
BB_INLINE int pruned(const bb_search *search, int layers) { return layers > 1 && search->prune < HUGE_VAL; }

/* Look one layer ahead of the slides of a board; the value below which they are left out. */
static double threshold(bb_search *search, struct child *children, int n)
{
    double best = -HUGE_VAL;
    for (int i = 0; i < n; i++) {
        double value = cached(search, children[i].after, children[i].hash, 1);
        children[i].ahead = search->reward_weight == 0 ? value : children[i].earned + value;
        best = children[i].ahead > best ? children[i].ahead : best;
    }
    return best - search->prune;
}

/* V(after, 0) by a network of children that lie apart: those after spawns of a 4 where it takes the last two layers. */
static void value_fours(const bb_search *search, struct child *children, const int *end, int cells)
{
    bb_board after[MOST_CHILDREN / 2];
    double values[MOST_CHILDREN / 2];
    int n = 0;
    for (int cell = 0; cell < cells; cell++)
        for (int i = end[2 * cell]; i < end[2 * cell + 1]; i++)
            after[n++] = children[i].after;
    bb_network_value_many(search->cpu, search->network, after, values, (size_t)n);
    for (int cell = cells; cell-- > 0;)
        for (int i = end[2 * cell + 1]; i-- > end[2 * cell];)
            children[i].leaf = values[--n];
}

/* V(after, depth) for depth >= 1 of a canonical afterstate. Where a 4 takes two layers and one is left, it takes that
 * one with a network, and 4s are left out without. */
static double chance(bb_search *search, bb_board after, int depth)
{
    struct child children[MOST_CHILDREN];
    struct slides slides;
    int end[2 * 15], cells = 0, n = 0;
    const int tiles = depth > 1 || search->four_layers == 1 || search->network ? 2 : 1;
    double sums[2] = {0, 0};
    BB_ASSERT(depth >= 1 && (uint64_t)depth <= DEPTH_MASK && bb_empty_cells(after));
    /* The last layer has a loop of its own for each model that is in C. */
    if (depth == 1 && search->network)
        return bb_network_layer(search, after, tiles);
    if (depth == 1 && search->table)
        return bb_table_layer(search, after, tiles);
    if (depth > 1 && bb_search_ends(search))
        return 0;
    /* All children of all spawns; their buckets are on their way while the others are made. */
    make_slides(&slides, after);
    for (uint64_t empty = bb_empty_cells(after); empty; empty &= empty - 1, cells++) {
        for (int tile = 1; tile <= 2; tile++) {
            int from = n;
            if (tile <= tiles)
                n += children_of(search, &slides, cell_of(empty & (0 - empty)), tile, children + n);
            end[2 * cells + tile - 1] = n;
            if (search->cache && depth > 1)
                for (; from < n; from++)
                    PREFETCH(bucket_of(search, children[from].hash));
        }
    }
    search->nodes += (unsigned)(cells * tiles);
    const int fours = depth == 2 && search->four_layers == 2 && search->network;
    if (fours)
        value_fours(search, children, end, cells);
    /* The best child of each spawn: of its layers one is less, or two for a 4 where that is wanted. */
    for (int spawn = 0, i = 0; spawn < 2 * cells; spawn++) {
        if ((spawn & 1) >= tiles)
            continue;
        int left = depth - (spawn & 1 && depth > 1 ? search->four_layers : 1);
        double best = i == end[spawn] ? search->over_value : -HUGE_VAL; /* no child: the game is over */
        const int prunes = pruned(search, left);
        const double least = prunes ? threshold(search, children + i, end[spawn] - i) : 0;
        for (; i < end[spawn]; i++) {
            if (prunes && children[i].ahead < least)
                continue;
            double value = left ? cached(search, children[i].after, children[i].hash, left)
                           : fours ? children[i].leaf : leaf_value(search, children[i].after, children[i].hash);
            if (search->unfinished)
                return 0; /* and look at no more boards */
            if (search->reward_weight != 0)
                value = children[i].earned + value;
            best = value > best ? value : best;
        }
        sums[spawn & 1] += best;
    }
    return tiles == 2 ? (0.9 * sums[0] + 0.1 * sums[1]) / cells : sums[0] / cells;
}

int bb_search_values(bb_search *search, bb_board board, int depth, double *out)
{
    struct child children[4];
    int directions[4], n = 0;
    BB_ASSERT(depth >= 0 && (uint64_t)depth <= DEPTH_MASK);
    BB_ASSERT((search->four_layers == 1 || search->four_layers == 2) && search->prune >= 0);
    search->unfinished = 0;
    if (search->network && search->changes != bb_atomic_load(&search->network->changes)) {
        search->changes = bb_atomic_load(&search->network->changes);
        bb_search_forget(search);
    }
    /* The legal slides: afterstates of the board itself, with their points. */
    for (int direction = 0; direction < 4; direction++) {
        bb_board after = bb_slid(board, direction);
        out[direction] = NAN;
        if (after == board)
            continue;
        directions[n] = direction;
        children[n].earned = search->reward_weight == 0 ? 0
            : search->reward_weight * bb_rows_reward(direction & 1 ? board : bb_transposed(board));
        children[n].after = canonical(search, after);
        children[n].hash = hashed(children[n].after);
        n++;
    }
    /* Their values, none of them pruned. */
    for (int i = 0; i < n; i++) {
        double value = depth ? cached(search, children[i].after, children[i].hash, depth)
                             : leaf_value(search, children[i].after, children[i].hash);
        if (search->unfinished)
            return 1;
        out[directions[i]] = search->reward_weight == 0 ? value : children[i].earned + value;
    }
    return 0;
}

/* The first of the directions with the largest value, -1 if none is legal; -2 if the search met a limit. */
BB_INLINE int best_of(bb_search *search, bb_board board, int depth, double *values)
{
    int best = -1;
    if (bb_search_values(search, board, depth, values))
        return -2;
    for (int direction = 0; direction < 4; direction++)
        if (!isnan(values[direction]) && (best < 0 || values[direction] > values[best]))
            best = direction;
    return best;
}

int bb_search_run(bb_search *search, bb_board board, int depth, int64_t nanoseconds, double *out)
{
    int best;
    if (!bb_legal(board))
        return -1;
    search->began = bb_search_now();
    search->first_nodes = search->nodes;
    search->first_probes = search->probes;
    search->first_hits = search->hits;
    search->depth = depth;
    search->node_limit = UINT64_MAX;
    search->deadline = depth > 1 ? search->began + nanoseconds : 0;
    bb_search_stop(search, 0);
    best = best_of(search, board, depth, out);
    search->ended = bb_search_now();
    return best;
}

/* The only legal direction of a board, -1 if there is none, 4 if there are several. */
static int only_direction(bb_board board)
{
    int only = -1;
    for (int direction = 0; direction < 4; direction++)
        if (bb_slid(board, direction) != board)
            only = only < 0 ? direction : 4;
    return only;
}

size_t bb_search_best_many(bb_search *search, const bb_board *boards, uint8_t *depths, uint64_t count, int64_t *out,
                           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (count) {
            int only = only_direction(boards[i]), depth = 0;
            if (only > 3)
                depth = bb_search_depth(search, boards[i], count, depths[i]);
            if (depth < 0)
                return i;
            depths[i] = (uint8_t)depth;
            if (only < 4) {
                out[i] = only;
                continue;
            }
        }
        double values[4];
        int best = bb_atomic_load(&search->stop) ? -2 : best_of(search, boards[i], depths[i], values);
        if (best == -2)
            return i;
        out[i] = best;
    }
    return n;
}

