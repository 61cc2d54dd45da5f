/* sliding_search.c - iterative-deepening A* (Korf, 1985) on sliding-tile puzzles.
 *
 * Depth-first searches with growing bounds: a board is given up when its moves so far and the heuristic
 * together exceed the bound. Every heuristic here is the Manhattan distance and something more:
 *
 *      pattern database    2 * max(sum of nibbles, sum of nibbles of the mirrored board)
 *      walking distance    along rows or columns, in place of their part of the Manhattan distance
 *
 * The board is also kept inside out: `where` has the cell of each tile, tiles of a pattern side by
 * side, so that the index into a table is made from consecutive nibbles. A move changes one tile, hence
 * one pattern of the board and one of the mirrored board. All children of a board are made together:
 * their table entries are prefetched and waited for once. Nodes are counted as Korf counts them: every
 * board generated in any iteration, up to the solution, and the first board once.
 */
#include <stdlib.h>
#include <string.h>

#include "sliding.h"

enum { NO_MOVE = 4, HOPELESS = 255 };
enum { MANHATTAN, WALKING, DATABASE, MIRRORED }; /* kinds of heuristic */

typedef struct bb_sliding_search search;
typedef struct bb_sliding_node node;
typedef struct bb_sliding_heuristic heuristic;

/* The cell mirrored in the main diagonal of a square board. */
BB_INLINE int mirrored_cell(int cell, int side) { return cell % side * side + cell / side; }

/* The index of a pattern for a board inside out: bb_pattern_index without a branch on its length,
 * which would be mispredicted; the weights of places behind the last are 0. */
BB_INLINE uint32_t part_index(const heuristic *with, int part, uint64_t where)
{
    uint64_t free = UINT64_C(0xFEDCBA9876543210);
    uint32_t index = 0;
    where >>= 4 * with->first[part];
    for (int i = 0; i < 8; i++) {
        unsigned shift = (unsigned)(where & 15) * 4;
        where >>= 4;
        index += with->weight[part][i] * (uint32_t)(free >> shift & 15);
        free -= UINT64_C(0x1111111111111110) << shift;
    }
    return index;
}

/* Put nibble `value` of a part in the place of the old one; the sum changes with it. */
BB_INLINE void set_more(uint32_t *more, uint8_t *sum, int part, unsigned value)
{
    unsigned old = *more >> 4 * part & 15;
    *more ^= (old ^ value) << 4 * part;
    *sum = (uint8_t)(*sum + value - old);
}

/* What a node lacks at least. `kind` is a constant where speed matters. */
BB_INLINE int estimate(const node *at, int kind)
{
    if (kind == WALKING)
        return at->sum;
    if (kind == MANHATTAN)
        return at->distance;
    return at->distance + 2 * (at->sum > at->mirror_sum ? at->sum : at->mirror_sum);
}

static int kind_of(const heuristic *with)
{
    if (with->parts)
        return with->mirrored ? MIRRORED : DATABASE;
    return with->walk[0] || with->walk[1] ? WALKING : MANHATTAN;
}

/* Fill a node for a board from nothing but the board. */
static void fill_node(const search *s, bb_board board, node *at)
{
    const heuristic *with = &s->using;
    int cols = s->goal.cols, cells = s->goal.rows * cols, distance[2] = {0, 0};
    memset(at, 0, sizeof *at);
    at->board = board;
    at->move = NO_MOVE;
    at->blank = (uint8_t)bb_cell_of(board, s->goal.blank, cells);
    for (int cell = 0; cell < cells; cell++) {
        int piece = bb_piece_at(board, cell);
        if (piece == s->goal.blank)
            continue;
        at->distance = (uint8_t)(at->distance + s->away[piece][cell]);
        distance[0] += abs(piece / cols - cell / cols);
        distance[1] += abs(piece % cols - cell % cols);
        at->where |= (uint64_t)cell << 4 * with->slot[piece];
        if (with->mirrored)
            at->mirror |= (uint64_t)mirrored_cell(cell, cols) << 4 * with->slot[mirrored_cell(piece, cols)];
    }
    for (int p = 0; p < with->parts; p++) {
        set_more(&at->more, &at->sum, p, bb_nibble(with->table[p], part_index(with, p, at->where)));
        if (with->mirrored)
            set_more(&at->mirror_more, &at->mirror_sum, p,
                     bb_nibble(with->table[p], part_index(with, p, at->mirror)));
    }
    for (int axis = 0; axis < 2; axis++) {
        at->walk[axis] = with->walk_start[axis];
        if (with->walk[axis])
            at->sum = (uint8_t)(at->sum + with->walk[axis][at->walk[axis]]);
        else if (kind_of(with) == WALKING)
            at->sum = (uint8_t)(at->sum + distance[axis]);
    }
    at->bound = (uint8_t)estimate(at, kind_of(with));
}

/* The walking distance of a child: one axis of its parent's changes. */
BB_INLINE int walked(const heuristic *with, const node *at, node *child, int piece_line, int change)
{
    int axis = child->move & 1, behind = child->move == BB_DOWN || child->move == BB_RIGHT;
    child->walk[0] = at->walk[0];
    child->walk[1] = at->walk[1];
    if (!with->walk[axis])
        return at->sum + change;
    unsigned before = at->walk[axis];
    unsigned after =
        with->walk_next[axis]
                       [(before * 2 + (unsigned)behind) * (unsigned)with->walk_lines[axis] + (unsigned)piece_line];
    child->walk[axis] = (uint16_t)after;
    return at->sum + with->walk[axis][after] - with->walk[axis][before];
}

/* Make the boards one move from a node, all but the one it came from. Those over the bound are
 * not completed. Their number. */
BB_INLINE int expand(const search *s, const node *at, int moves, node *child, int kind)
{
    const heuristic *with = &s->using;
    int cols = s->goal.cols, back = at->move ^ 2, bound = s->bound, n = 0;
    uint32_t index[4], mirror_index[4];
    int tile[4];
    for (int k = 0; k < 4; k++) {
        int d = s->goal.order[k], cell = s->to[d][at->blank];
        if (d == back || cell == BB_WALL)
            continue;
        int piece = bb_piece_at(at->board, cell), change = s->away[piece][at->blank] - s->away[piece][cell];
        node *c = child + n;
        c->move = (uint8_t)d;
        c->distance = (uint8_t)(at->distance + change);
        int least = c->distance;
        if (kind == WALKING) {
            least = walked(with, at, c, d & 1 ? piece % cols : piece / cols, change);
            c->sum = (uint8_t)least;
        }
        c->bound = (uint8_t)(moves + least > bound ? HOPELESS : moves + least);
        tile[n++] = piece;
        if (c->bound == HOPELESS)
            continue;
        c->blank = (uint8_t)cell;
        c->board = bb_exchanged(at->board, s->goal.blank, at->blank, cell);
        if (kind < DATABASE)
            continue;
        c->where = at->where ^ (uint64_t)(cell ^ at->blank) << 4 * with->slot[piece];
        index[n - 1] = part_index(with, with->part[piece], c->where);
        PREFETCH(with->table[with->part[piece]] + (index[n - 1] >> 1));
        if (kind < MIRRORED)
            continue;
        int twin = mirrored_cell(piece, cols);
        uint64_t step = (uint64_t)(mirrored_cell(cell, cols) ^ mirrored_cell(at->blank, cols));
        c->mirror = at->mirror ^ step << 4 * with->slot[twin];
        mirror_index[n - 1] = part_index(with, with->part[twin], c->mirror);
        PREFETCH(with->table[with->part[twin]] + (mirror_index[n - 1] >> 1));
    }
    for (int i = 0; kind >= DATABASE && i < n; i++) {
        node *c = child + i;
        if (c->bound == HOPELESS)
            continue;
        int part = with->part[tile[i]], least;
        c->more = at->more;
        c->sum = at->sum;
        set_more(&c->more, &c->sum, part, bb_nibble(with->table[part], index[i]));
        c->mirror_sum = 0;
        if (kind == MIRRORED) {
            part = with->part[mirrored_cell(tile[i], cols)];
            c->mirror_more = at->mirror_more;
            c->mirror_sum = at->mirror_sum;
            set_more(&c->mirror_more, &c->mirror_sum, part, bb_nibble(with->table[part], mirror_index[i]));
        }
        least = moves + estimate(c, kind);
        c->bound = (uint8_t)(least > bound ? HOPELESS : least);
    }
    return n;
}

/* expand() with the kind as a constant. */
static int expand_kind(const search *s, const node *at, int moves, node *child, int kind)
{
    switch (kind) {
    case MANHATTAN: return expand(s, at, moves, child, MANHATTAN);
    case WALKING: return expand(s, at, moves, child, WALKING);
    case DATABASE: return expand(s, at, moves, child, DATABASE);
    default: return expand(s, at, moves, child, MIRRORED);
    }
}

/* Tables of the geometry. */
static void fill_geometry(search *s)
{
    int rows = s->goal.rows, cols = s->goal.cols, cells = rows * cols;
    for (int a = 0; a < cells; a++) {
        for (int d = 0; d < 4; d++)
            s->to[d][a] = (uint8_t)bb_next_cell(rows, cols, a, d);
        for (int b = 0; b < cells; b++) {
            int dr = a / cols - b / cols, dc = a % cols - b % cols;
            s->away[a][b] = (uint8_t)((dr < 0 ? -dr : dr) + (dc < 0 ? -dc : dc));
        }
    }
}

int bb_sliding_lower_bound(search *s, bb_board board)
{
    BB_ASSERT(s->goal.rows >= 1 && s->goal.cols >= 1 && s->goal.rows * s->goal.cols <= BB_CELLS_MAX);
    BB_ASSERT(s->goal.blank >= 0 && s->goal.blank < s->goal.rows * s->goal.cols);
    BB_ASSERT(s->using.parts >= 0 && s->using.parts <= 8 && (!s->using.mirrored || s->goal.rows == s->goal.cols));
    fill_geometry(s);
    fill_node(s, board, &s->node[0][0]);
    return s->node[0][0].bound;
}

void bb_sliding_begin(search *s, bb_board board)
{
    s->bound = bb_sliding_lower_bound(s, board);
    s->nodes = 1;
    s->depth = -1;
}

int bb_sliding_step(search *s, uint64_t end)
{
    int kind = kind_of(&s->using);
    if (s->node[0][0].distance == 0) /* whatever the limit: the first board is counted already */
        return 1;
    while (s->nodes < end) {
        if (s->depth < 0) { /* an iteration begins */
            if (s->bound >= HOPELESS - 1)
                return -1;
            s->depth = 1;
            s->children[1] = (uint8_t)expand_kind(s, &s->node[0][0], 1, s->node[1], kind);
            s->next[1] = 0;
        }
        if (s->next[s->depth] == s->children[s->depth]) {
            s->depth--;
            if (s->depth == 0) { /* ... and has ended: all lengths are odd, or all are even */
                s->depth = -1;
                s->bound += 2;
            }
            continue;
        }
        const node *at = &s->node[s->depth][s->next[s->depth]++];
        s->nodes++;
        if (at->bound == HOPELESS)
            continue;
        if (at->distance == 0)
            return 1;
        s->depth++;
        BB_ASSERT(s->depth < 256);
        s->children[s->depth] = (uint8_t)expand_kind(s, at, s->depth, s->node[s->depth], kind);
        s->next[s->depth] = 0;
    }
    return 0;
}

void bb_sliding_moves(const search *s, uint8_t *moves)
{
    BB_ASSERT(s->bound == 0 || (s->depth == s->bound && s->node[s->depth][s->next[s->depth] - 1].distance == 0));
    for (int depth = 1; depth <= s->bound; depth++)
        *moves++ = s->goal.letters[s->node[depth][s->next[depth] - 1].move];
}
