/* search_count.c - how deep to search a board so that about so many boards are looked at: they are counted first, layer
 * by layer. A 2 leads one layer on and a 4 two, so that the tiles of a layer have 2 points more than those of the one
 * before, and one set holds all layers. Both tiles count, since on a crowded board most that follows can be over but
 * for 4s. The last layer, of which most boards are, is searched and not counted: counting it took a table longer than
 * the search of the one before. The depth is the same for all images of a board. The idea is that of macroxue/2048-ai,
 * which counts distinct boards as well. */
#include "search_lines.h"

#include <stdlib.h>
#include <string.h>

enum { LEAST_SLOTS = 2048 };

/* The slot of an afterstate, its own or the free one where it belongs; 0 is no afterstate. */
static bb_board *slot_of(const bb_search *search, bb_board after)
{
    bb_board *set = search->counted_set;
    uint64_t mask = search->counted_slots - 1, at = hashed(after) >> 20 & mask;
    while (set[at] && set[at] != after)
        at = (at + 1) & mask;
    return &set[at];
}

/* Twice the room, for half as many boards as slots; n are in the list. 0 if there is no memory. */
static int grow(bb_search *search, uint64_t n)
{
    uint64_t slots = search->counted_slots ? 2 * search->counted_slots : LEAST_SLOTS;
    bb_board *list = realloc(search->counted, (size_t)(slots / 2) * sizeof *list);
    if (list)
        search->counted = list;
    bb_board *set = list ? calloc((size_t)slots, sizeof *set) : NULL;
    if (!set)
        return 0;
    free(search->counted_set);
    search->counted_set = set;
    search->counted_slots = slots;
    for (uint64_t i = 0; i < n; i++)
        *slot_of(search, list[i]) = list[i];
    return 1;
}

/* Count an afterstate unless it, or an image of it, has been counted; 0 if there is no memory. */
static int count(bb_search *search, bb_board after, uint64_t *n)
{
    after = least_image(after);
    bb_board *slot = slot_of(search, after);
    if (*slot)
        return 1;
    if (2 * *n == search->counted_slots) {
        if (!grow(search, *n))
            return 0;
        slot = slot_of(search, after);
    }
    *slot = after;
    search->counted[(*n)++] = after;
    return 1;
}

/* Count the afterstates that follow the spawn of a tile on one; 0 if there is no memory. */
static int count_following(bb_search *search, bb_board after, unsigned tile, uint64_t *n)
{
    struct slides slides;
    make_slides(&slides, after);
    const uint64_t empty = bb_empty_cells(after);
    for (uint64_t left = empty; left; left &= left - 1) {
        uint64_t bit = left & (0 - left);
        int cell = cell_of(bit);
        /* Next to an empty cell to the right or below, a tile slides left or up to where one in that cell did. */
        int counted[2] = {(cell & 3) < 3 && (empty & bit >> 4), cell < 12 && (empty & bit >> 16)};
        for (int view = 0; view < 2; view++) {
            int i = view ? cell & 3 : cell >> 2, at = view ? cell >> 2 : cell & 3;
            uint64_t entry = bb_rows[line_of(slides.lines[view], i) | tile << (12 - 4 * at)];
            unsigned legal = slides.legal_without[view][i]
                             | (view ? bb_entry_legal_column(entry) : bb_entry_legal_row(entry));
            for (int side = counted[view]; side < 2; side++)
                if (legal >> direction_of(view, side) & 1
                    && !count(search, slid_line(&slides, view, side, i, entry), n))
                    return 0;
        }
    }
    return 1;
}

int bb_search_depth(bb_search *search, bb_board board, uint64_t boards, int most)
{
    uint64_t n = 0, before = 0, at = 0; /* the last layer begins at `at`, the one before that at `before` */
    BB_ASSERT(most >= 0);
    search->unfinished = 0;
    if (search->counted_set)
        memset(search->counted_set, 0, (size_t)search->counted_slots * sizeof(bb_board));
    else if (!grow(search, 0))
        return -2;
    for (int direction = 0; direction < 4; direction++)
        if (bb_slid(board, direction) != board && !count(search, bb_slid(board, direction), &n))
            return -2;
    if (n > boards)
        return most < 1 ? most : 1;
    for (int depth = 1; depth < most; depth++) {
        uint64_t end = n;
        for (uint64_t i = before; i < end; i++) {
            if (bb_search_ends(search))
                return -1;
            if (!count_following(search, search->counted[i], i < at ? 2 : 1, &n))
                return -2;
            if (n > boards)
                return depth + 1;
        }
        if (n == at) /* two layers without a board */
            break;
        before = at;
        at = end;
    }
    return most;
}
