/* sliding_database.c - building additive pattern databases for sliding-tile puzzles.
 *
 * For every way to place the few pieces of a pattern: how many moves of *these* pieces bring
 * them home, the others being one colour. The sum over disjoint patterns never exceeds the
 * distance (Korf and Felner, "Disjoint pattern database heuristics", 2002). The count is found
 * breadth-first from the goal; the blank moves for nothing among cells without a piece of the
 * pattern, so a state is a placement and one connected region of free cells.
 *
 * While building, a placement is (set, order): which cells are taken, and which piece is in
 * the first, second, ... of them in reading order.
 *
 *      one block of length! bytes a set:  set 0 [order 0, 1, ...]  set 1 [order 0, 1, ...] ...
 *
 * All orders of a set share the regions of its free cells and the moves out of it, so a level is a
 * few tight loops a set, each from one block to one other: a move along a row leaves the order as it
 * is, a move along a column takes one piece past those between, which is a table of length! numbers.
 * Blocks fit the second-level cache; the usual search placement by placement misses it at each step.
 * Every move changes the colour of one taken cell of the chessboard, hence the sets of even and of odd
 * levels are disjoint and one array holds the frontier being read and the one being written.
 *
 * The result has one nibble for each placement, numbered as bb_pattern_index does:
 * (moves - Manhattan distance of the pattern) / 2, at most 15 (more would be cut, still admissible).
 */
#include <stdlib.h>
#include <string.h>

#include "sliding.h"

enum { LENGTH_MAX = 8, REGIONS_MAX = 8, UNSEEN = 255 };

struct bb_pdb_build {
    int rows, cols, cells, length;
    int level;                          /* of the frontier being read; -1: searched, now writing */
    uint32_t next_set;                  /* where the next step goes on */
    uint32_t sets, orders;              /* how many there are */
    uint64_t entries;                   /* sets * orders */
    uint64_t found;                     /* placements seen */
    unsigned home;                      /* the mask of the pieces' own cells */
    uint8_t piece[LENGTH_MAX];          /* ascending */
    uint16_t *set_of_mask;              /* bit c of a mask is cell c */
    uint16_t *mask_of_set;
    uint8_t (*region)[BB_CELLS_MAX];    /* of each cell of each set, UNSEEN if taken */
    uint8_t *in_frontier;               /* whether a set has anything in it */
    uint8_t *frontier, *visited;        /* masks of regions, by placement */
    uint8_t *moves;                     /* by placement */
    uint16_t *list[REGIONS_MAX];        /* orders of one set whose region is new */
    uint8_t (*order)[LENGTH_MAX];       /* pieces (0 .. length-1) in the cells of a set, by order */
    uint16_t *moved[LENGTH_MAX][LENGTH_MAX]; /* order after the piece at i goes to place j */
};

/* The bit count of a mask of cells. */
static int count_bits(unsigned mask)
{
    int n = 0;
    for (; mask; mask &= mask - 1)
        n++;
    return n;
}

/* Whether the pieces of a set are an odd number of moves from home: the colours of their cells tell. */
static int is_odd(const struct bb_pdb_build *b, unsigned mask)
{
    int odd = 0;
    for (int cell = 0; cell < b->cells; cell++)
        odd ^= (int)((mask ^ b->home) >> cell & 1) & (cell / b->cols + cell % b->cols) & 1;
    return odd;
}

/* The number of an order among all, in lexicographic order. */
static uint32_t order_number(const uint8_t *order, int length)
{
    uint64_t places = 0;
    for (int i = 0; i < length; i++)
        places |= (uint64_t)order[i] << 4 * i;
    return bb_pattern_index(places, length, length);
}

/* All orders in lexicographic order: each row the successor of the one above. */
static void fill_orders(struct bb_pdb_build *b)
{
    uint8_t now[LENGTH_MAX];
    for (int i = 0; i < LENGTH_MAX; i++)
        now[i] = (uint8_t)i;
    for (uint32_t n = 0; n < b->orders; n++) {
        memcpy(b->order[n], now, LENGTH_MAX);
        int i = b->length - 2, j = b->length - 1;
        while (i >= 0 && now[i] > now[i + 1])
            i--;
        if (i < 0)
            return;
        while (now[j] < now[i])
            j--;
        uint8_t t = now[i];
        now[i] = now[j];
        now[j] = t;
        for (i++, j = b->length - 1; i < j; i++, j--) {
            t = now[i];
            now[i] = now[j];
            now[j] = t;
        }
    }
}

/* The table moved[from][to], made when first needed; NULL without memory. */
static const uint16_t *order_after(struct bb_pdb_build *b, int from, int to)
{
    uint16_t *table = b->moved[from][to];
    if (table)
        return table;
    table = malloc(b->orders * sizeof *table);
    if (!table)
        return NULL;
    for (uint32_t n = 0; n < b->orders; n++) {
        uint8_t order[LENGTH_MAX];
        memcpy(order, b->order[n], LENGTH_MAX);
        for (int i = from; i < to; i++)
            order[i] = b->order[n][i + 1];
        for (int i = from; i > to; i--)
            order[i] = b->order[n][i - 1];
        order[to] = b->order[n][from];
        table[n] = (uint16_t)order_number(order, b->length);
    }
    return b->moved[from][to] = table;
}

/* Number the connected regions of the cells outside a mask, from 0 in reading order. */
static void fill_regions(const struct bb_pdb_build *b, unsigned mask, uint8_t *region)
{
    int regions = 0;
    memset(region, UNSEEN, BB_CELLS_MAX);
    for (int start = 0; start < b->cells; start++) {
        int stack[BB_CELLS_MAX], height = 0;
        if (mask >> start & 1 || region[start] != UNSEEN)
            continue;
        region[start] = (uint8_t)regions;
        stack[height++] = start;
        while (height) {
            int cell = stack[--height];
            for (int d = 0; d < 4; d++) {
                int next = bb_next_cell(b->rows, b->cols, cell, d);
                if (next != BB_WALL && !(mask >> next & 1) && region[next] == UNSEEN) {
                    region[next] = (uint8_t)regions;
                    stack[height++] = next;
                }
            }
        }
        regions++;
    }
}

void bb_pdb_free(struct bb_pdb_build *b)
{
    if (!b)
        return;
    for (int i = 0; i < LENGTH_MAX; i++)
        for (int j = 0; j < LENGTH_MAX; j++)
            free(b->moved[i][j]);
    for (int i = 0; i < REGIONS_MAX; i++)
        free(b->list[i]);
    free(b->set_of_mask);
    free(b->mask_of_set);
    free(b->region);
    free(b->in_frontier);
    free(b->frontier);
    free(b->visited);
    free(b->moves);
    free(b->order);
    free(b);
}

uint64_t bb_pdb_entries(int cells, int length)
{
    uint64_t n = 1;
    for (int i = 0; i < length; i++)
        n *= (uint64_t)(cells - i);
    return n;
}

struct bb_pdb_build *bb_pdb_begin(int rows, int cols, int blank, const uint8_t *pieces, int length)
{
    BB_ASSERT(rows >= 1 && cols >= 1 && rows * cols <= BB_CELLS_MAX && blank >= 0 && blank < rows * cols);
    BB_ASSERT(length >= 1 && length <= LENGTH_MAX && length <= rows * cols);
    struct bb_pdb_build *b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    b->rows = rows;
    b->cols = cols;
    b->cells = rows * cols;
    b->length = length;
    b->entries = bb_pdb_entries(b->cells, length);
    b->orders = (uint32_t)bb_pdb_entries(length, length);
    b->sets = (uint32_t)(b->entries / b->orders);
    if (b->entries > SIZE_MAX / 2) { /* of a small machine */
        free(b);
        return NULL;
    }
    b->set_of_mask = malloc(((size_t)1 << b->cells) * sizeof *b->set_of_mask);
    b->mask_of_set = malloc(b->sets * sizeof *b->mask_of_set);
    b->region = malloc(b->sets * sizeof *b->region);
    b->in_frontier = calloc(b->sets, 1);
    b->frontier = calloc((size_t)b->entries, 1);
    b->visited = calloc((size_t)b->entries, 1);
    b->moves = malloc((size_t)b->entries);
    b->order = malloc(b->orders * sizeof *b->order);
    int complete = b->set_of_mask && b->mask_of_set && b->region && b->in_frontier && b->frontier && b->visited &&
                   b->moves && b->order;
    for (int i = 0; i < REGIONS_MAX; i++) {
        b->list[i] = malloc(b->orders * sizeof *b->list[i]);
        complete = complete && b->list[i];
    }
    if (!complete) {
        bb_pdb_free(b);
        return NULL;
    }

    memset(b->moves, UNSEEN, (size_t)b->entries);
    fill_orders(b);
    uint32_t set = 0;
    for (unsigned mask = 0; mask < 1u << b->cells; mask++) {
        if (count_bits(mask) != length)
            continue;
        b->set_of_mask[mask] = (uint16_t)set;
        b->mask_of_set[set] = (uint16_t)mask;
        fill_regions(b, mask, b->region[set++]);
    }

    /* the pieces ascend, so they lie at home in order 0 */
    for (int i = 0; i < length; i++) {
        b->piece[i] = pieces[i];
        b->home |= 1u << pieces[i];
    }
    uint32_t start = b->set_of_mask[b->home];
    b->in_frontier[start] = 1;
    b->frontier[(size_t)start * b->orders] = (uint8_t)(1u << b->region[start][blank]);
    return b;
}

/* Take what is new in the frontier of a set: mark it, and list its orders by region. */
static void take_frontier(struct bb_pdb_build *b, uint32_t set, uint32_t *listed)
{
    size_t base = (size_t)set * b->orders;
    uint8_t *frontier = b->frontier + base, *visited = b->visited + base, *moves = b->moves + base;
    for (uint32_t n = 0; n < b->orders; n++) {
        uint64_t eight;
        while (n + 8 <= b->orders && (memcpy(&eight, frontier + n, 8), eight == 0))
            n += 8;
        if (n == b->orders)
            break;
        unsigned fresh = frontier[n] & ~(unsigned)visited[n];
        frontier[n] = 0;
        if (!fresh)
            continue;
        visited[n] |= (uint8_t)fresh;
        if (moves[n] == UNSEEN) {
            moves[n] = (uint8_t)b->level;
            b->found++;
        }
        for (int r = 0; fresh; r++, fresh >>= 1)
            if (fresh & 1)
                b->list[r][listed[r]++] = (uint16_t)n;
    }
}

/* Move each piece that borders the blank's region, for all orders listed. 0, or -1 without memory. */
static int expand_set(struct bb_pdb_build *b, uint32_t set)
{
    uint32_t listed[REGIONS_MAX] = {0};
    unsigned mask = b->mask_of_set[set];
    take_frontier(b, set, listed);
    for (int blank = 0; blank < b->cells; blank++) {
        int region = b->region[set][blank];
        if (region == UNSEEN || !listed[region])
            continue;
        for (int d = 0; d < 4; d++) {
            int cell = bb_next_cell(b->rows, b->cols, blank, d);
            if (cell == BB_WALL || !(mask >> cell & 1))
                continue;
            unsigned after = mask ^ 1u << cell ^ 1u << blank;
            uint32_t target = b->set_of_mask[after];
            uint8_t *frontier = b->frontier + (size_t)target * b->orders;
            uint8_t bit = (uint8_t)(1u << b->region[target][cell]);
            int from = count_bits(mask & ((1u << cell) - 1)), to = count_bits(after & ((1u << blank) - 1));
            const uint16_t *list = b->list[region];
            b->in_frontier[target] = 1;
            if (from == to) {
                for (uint32_t i = 0; i < listed[region]; i++)
                    frontier[list[i]] |= bit;
            } else {
                const uint16_t *moved = order_after(b, from, to);
                if (!moved)
                    return -1;
                for (uint32_t i = 0; i < listed[region]; i++)
                    frontier[moved[list[i]]] |= bit;
            }
        }
    }
    return 0;
}

/* Write the nibbles of one set. The index of a placement is the sum over its pieces of
 * (cell - earlier pieces in front of it) * weight: the first part depends on the set and
 * the piece's place, the second on the order alone. The Manhattan distance is summed with it. */
static void write_set(struct bb_pdb_build *b, uint32_t set, const uint32_t *order_part, uint8_t *out)
{
    uint64_t sum[LENGTH_MAX][LENGTH_MAX]; /* by place and piece: distance << 32 | index */
    const uint8_t *moves = b->moves + (size_t)set * b->orders;
    int place = 0;
    for (int cell = 0; cell < b->cells; cell++) {
        if (!(b->mask_of_set[set] >> cell & 1))
            continue;
        for (int i = 0; i < b->length; i++) {
            int rows = abs(cell / b->cols - b->piece[i] / b->cols), cols = abs(cell % b->cols - b->piece[i] % b->cols);
            uint64_t weight = bb_pdb_entries(b->cells - i - 1, b->length - i - 1);
            sum[place][i] = (uint64_t)(rows + cols) << 32 | weight * (uint64_t)cell;
        }
        place++;
    }
    for (uint32_t n = 0; n < b->orders; n++) {
        uint64_t total = 0;
        if (moves[n] == UNSEEN) /* where the pattern has all the tiles, half cannot be reached */
            continue;
        for (int i = 0; i < b->length; i++)
            total += sum[i][b->order[n][i]];
        uint32_t index = (uint32_t)total - order_part[n];
        unsigned more = (moves[n] - (unsigned)(total >> 32)) / 2;
        out[index >> 1] |= (uint8_t)((more < 15 ? more : 15) << (index & 1) * 4);
    }
}

/* The part of the index that is taken off for an order, see write_set; NULL without memory. */
static uint32_t *order_parts(const struct bb_pdb_build *b)
{
    uint32_t *parts = malloc(b->orders * sizeof *parts);
    for (uint32_t n = 0; parts && n < b->orders; n++) {
        parts[n] = 0;
        for (int i = 0; i < b->length; i++)
            for (int j = 0; j < i; j++)
                if (b->order[n][j] < b->order[n][i])
                    parts[n] += (uint32_t)bb_pdb_entries(b->cells - b->order[n][i] - 1, b->length - b->order[n][i] - 1);
    }
    return parts;
}

int bb_pdb_step(struct bb_pdb_build *b, uint8_t *out, uint64_t budget)
{
    uint64_t looked = 0;
    if (b->level < 0) {
        uint32_t *parts = order_parts(b);
        if (!parts)
            return -1;
        for (; b->next_set < b->sets && looked < budget; b->next_set++, looked += b->orders)
            write_set(b, b->next_set, parts, out);
        free(parts);
        return b->next_set == b->sets;
    }
    while (looked < budget) {
        uint32_t set = b->next_set++;
        if (set == b->sets) { /* the level is read; the other colour holds the next one */
            b->next_set = 0;
            b->level = memchr(b->in_frontier, 1, b->sets) ? b->level + 1 : -1;
            return 0;
        }
        if (!b->in_frontier[set] || is_odd(b, b->mask_of_set[set]) != (b->level & 1))
            continue;
        b->in_frontier[set] = 0;
        looked += b->orders;
        if (expand_set(b, set))
            return -1;
    }
    return 0;
}

uint64_t bb_pdb_done(const struct bb_pdb_build *b)
{
    return b->found + (b->level < 0 ? (uint64_t)b->next_set * b->orders : 0);
}
