/* sliding_astar.c - A* on sliding-tile puzzles with the Manhattan distance.
 *
 * For teaching and for comparison: it meets each board once, and keeps them all. Boards lie in
 * one growing array of records; a hash table finds the record of a board, and the open ones hang in
 * one list for each f = moves + Manhattan distance, last in first out, so that among equals the
 * deepest goes first. A board reached again by fewer moves gets a new record, and the old one is stale.
 */
#include <stdlib.h>

#include "sliding.h"

enum { F_MAX = 256 };
static const uint32_t NONE = UINT32_MAX;

struct record {
    uint64_t board;
    uint32_t parent;
    uint32_t below;     /* the next in the list of its f */
    uint8_t moves, away, blank, move;
};

struct bb_sliding_astar {
    struct bb_sliding_goal goal;
    struct record *records;
    uint32_t *slots;            /* hash table: 1 + a record's index, 0 for none */
    uint32_t count, capacity;   /* of records */
    uint32_t slot_count;        /* a power of two, at least twice the capacity */
    uint32_t top[F_MAX];        /* of the list of each f */
    uint32_t solution;
    int f;                      /* the lowest f that may have something open */
};

/* The slot of a board: the one that holds it, or the empty one where it belongs. */
static uint32_t *find_slot(const struct bb_sliding_astar *a, uint64_t board)
{
    uint32_t at = (uint32_t)(bb_mix(board) & (a->slot_count - 1));
    while (a->slots[at] && a->records[a->slots[at] - 1].board != board)
        at = (at + 1) & (a->slot_count - 1);
    return a->slots + at;
}

/* What so many records and slots take. */
static uint64_t bytes_of(uint32_t capacity, uint32_t slot_count)
{
    return capacity * (uint64_t)sizeof(struct record) + slot_count * (uint64_t)sizeof(uint32_t);
}

/* Make room for twice the records, within `bytes`. 0, or -2. */
static int grow(struct bb_sliding_astar *a, uint64_t bytes)
{
    uint32_t capacity = a->capacity * 2, slot_count = capacity * 2;
    if (capacity > UINT32_MAX / 4 || bytes_of(capacity, slot_count) > SIZE_MAX || /* of a 32-bit machine */
        bytes_of(capacity, slot_count) > bytes)
        return -2;
    struct record *records = realloc(a->records, capacity * sizeof *records);
    if (!records)
        return -2;
    a->records = records;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -2;
    free(a->slots);
    a->slots = slots;
    a->slot_count = slot_count;
    a->capacity = capacity;
    for (uint32_t i = 0; i < a->count; i++) /* a newer record of a board replaces a stale one */
        *find_slot(a, records[i].board) = i + 1;
    return 0;
}

/* Add an open record. There is room for it. */
static void push(struct bb_sliding_astar *a, uint32_t *slot, struct record new)
{
    int f = new.moves + new.away;
    new.below = a->top[f];
    a->records[a->count] = new;
    a->top[f] = a->count++;
    *slot = a->count;
}

struct bb_sliding_astar *bb_sliding_astar_begin(const struct bb_sliding_goal *goal, bb_board board)
{
    struct bb_sliding_astar *a = calloc(1, sizeof *a);
    if (!a)
        return NULL;
    a->goal = *goal;
    a->capacity = 1024;
    a->slot_count = 2048;
    a->records = calloc(a->capacity, sizeof *a->records);
    a->slots = calloc(a->slot_count, sizeof *a->slots);
    if (!a->records || !a->slots) {
        bb_sliding_astar_free(a);
        return NULL;
    }
    for (int f = 0; f < F_MAX; f++)
        a->top[f] = NONE;
    struct record first = {board, NONE, NONE, 0, 0, 0, 4};
    int cells = goal->rows * goal->cols;
    for (int cell = 0; cell < cells; cell++) {
        int piece = bb_piece_at(board, cell);
        if (piece == goal->blank)
            first.blank = (uint8_t)cell;
        else
            first.away = (uint8_t)(first.away + abs(piece / goal->cols - cell / goal->cols) +
                                   abs(piece % goal->cols - cell % goal->cols));
    }
    a->f = first.away;
    push(a, find_slot(a, board), first);
    return a;
}

int bb_sliding_astar_step(struct bb_sliding_astar *a, uint64_t end, uint64_t bytes)
{
    int rows = a->goal.rows, cols = a->goal.cols;
    if (a->records[0].away == 0) { /* whatever the limits: the first board is kept already */
        a->solution = 0;
        return 1;
    }
    if (bytes_of(a->capacity, a->slot_count) > bytes)
        return -2;
    while (a->count < end) {
        if (a->top[a->f] == NONE) {
            if (a->f + 2 >= F_MAX)
                return -1;
            a->f += 2; /* lengths are all odd or all even */
            continue;
        }
        if (a->capacity - a->count < 4 && grow(a, bytes))
            return -2;
        uint32_t index = a->top[a->f];
        struct record at = a->records[index];
        a->top[a->f] = at.below;
        if (*find_slot(a, at.board) != index + 1)
            continue; /* stale */
        if (at.away == 0) {
            a->solution = index;
            return 1;
        }
        for (int k = 3; k >= 0; k--) { /* the first direction is pushed last and goes first */
            int d = a->goal.order[k], to = bb_next_cell(rows, cols, at.blank, d);
            if (to == BB_WALL || d == (at.move ^ 2))
                continue;
            int piece = bb_piece_at(at.board, to), row = piece / cols, col = piece % cols;
            struct record new = {bb_exchanged(at.board, a->goal.blank, at.blank, to), index, NONE, 0, 0, 0, 0};
            new.moves = (uint8_t)(at.moves + 1);
            new.away = (uint8_t)(at.away - abs(row - to / cols) - abs(col - to % cols) + abs(row - at.blank / cols) +
                                 abs(col - at.blank % cols));
            new.blank = (uint8_t)to;
            new.move = (uint8_t)d;
            uint32_t *slot = find_slot(a, new.board);
            if (new.moves + new.away < F_MAX && (!*slot || a->records[*slot - 1].moves > new.moves))
                push(a, slot, new);
        }
    }
    return 0;
}

uint64_t bb_sliding_astar_nodes(const struct bb_sliding_astar *a) { return a->count; }
int bb_sliding_astar_bound(const struct bb_sliding_astar *a) { return a->f; }

void bb_sliding_astar_moves(const struct bb_sliding_astar *a, uint8_t *moves)
{
    const struct record *at = a->records + a->solution;
    for (; at->parent != NONE; at = a->records + at->parent)
        moves[at->moves - 1] = a->goal.letters[at->move];
}

void bb_sliding_astar_free(struct bb_sliding_astar *a)
{
    if (!a)
        return;
    free(a->records);
    free(a->slots);
    free(a);
}
