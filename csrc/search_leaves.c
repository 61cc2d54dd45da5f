/* search_leaves.c - leaves with neither table nor network: collected in a hash table, valued from outside. */
#include "search_lines.h"

#include <stdlib.h>

struct leaf {
    bb_board after; /* 0: a free slot */
    double value;
};

/* The slot of an afterstate: its own, or the free one where it belongs. At least half of the slots are free. */
static struct leaf *slot_of(const bb_search *search, bb_board after, uint64_t hash)
{
    struct leaf *leaves = search->leaves;
    uint64_t mask = search->leaf_slots - 1, at = hash >> 20 & mask;
    while (leaves[at].after && leaves[at].after != after)
        at = (at + 1) & mask;
    return &leaves[at];
}

/* Twice the room for leaves; 0 if there is no memory. */
static int grow_leaves(bb_search *search)
{
    struct leaf *old = search->leaves;
    uint64_t slots = search->leaf_slots, room = slots ? 2 * slots : 1024;
    /* where a size has 32 bits, more than that is no memory either */
    struct leaf *grown = room <= SIZE_MAX / sizeof *grown ? calloc((size_t)room, sizeof *grown) : NULL;
    if (!grown)
        return 0;
    search->leaves = grown;
    search->leaf_slots = room;
    for (uint64_t i = 0; i < slots; i++)
        if (old[i].after)
            *slot_of(search, old[i].after, hashed(old[i].after)) = old[i];
    free(old);
    return 1;
}

double bb_collected_leaf(bb_search *search, bb_board after, uint64_t hash)
{
    BB_ASSERT(after && !search->table && !search->network);
    struct leaf *slot = search->leaf_slots ? slot_of(search, after, hash) : NULL;
    if (slot && slot->after)
        return slot->value;
    if (search->leaf_count >= search->leaf_limit
        || (2 * search->leaf_count >= search->leaf_slots && !grow_leaves(search))) {
        search->unfinished = 1;
        search->full = 1;
        return 0;
    }
    slot_of(search, after, hash)->after = after;
    search->leaf_count++;
    return 0;
}

void bb_leaves_get(const bb_search *search, bb_board *out)
{
    const struct leaf *leaves = search->leaves;
    for (uint64_t i = 0, n = 0; i < search->leaf_slots; i++)
        if (leaves[i].after)
            out[n++] = leaves[i].after;
}

void bb_leaves_put(bb_search *search, const double *values)
{
    struct leaf *leaves = search->leaves;
    for (uint64_t i = 0, n = 0; i < search->leaf_slots; i++)
        if (leaves[i].after)
            leaves[i].value = values[n++];
}

void bb_leaves_clear(bb_search *search)
{
    free(search->leaves);
    search->leaves = NULL;
    search->leaf_slots = search->leaf_count = 0;
    search->full = 0;
}
