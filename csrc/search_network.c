/* search_network.c - the last layer of an expectimax search whose leaves a network values.
 *
 * Nearly all time goes into the values of leaves, so each different leaf of a node is valued once, all of them in one
 * call that fetches the entries of one while others are summed. All eight images of a board have the same value to the
 * last bit, so no leaf is made canonical. A cache of leaves would know a third of them, and takes the time it saves.
 */
#include "search_lines.h"
#include "variants.h"

#include <math.h>
#include <string.h>

enum { MOST_LEAVES = 2 * 15 * 4 };

/* The leaves of a node: each is valued once, and which[] has those of each spawn. */
struct leaves {
    bb_board after[MOST_LEAVES + 1]; /* one more: a slide that is illegal is written, and not counted */
    double earned[MOST_LEAVES + 1];
    double value[MOST_LEAVES];
    uint8_t which[MOST_LEAVES + 1];
    int end[2 * 15]; /* in which[], of spawn 2 * cell + (tile is 4) */
    int cells, n;
};

#define BB_LOOPS "search_network_loops.h"
#include "variants_each.h"

typedef double layer_loop(bb_search *search, bb_board after, int tiles);
static layer_loop *const layers[] = BB_VARIANTS(layer);

double bb_network_layer(bb_search *search, bb_board after, int tiles)
{
    return layers[search->cpu](search, after, tiles);
}
