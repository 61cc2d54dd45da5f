/* search_network.c - the last layer of an expectimax search whose leaves a network values.
 *
 * Nearly all time goes into waiting for weights, so leaves go through a queue: a leaf's entries are computed and
 * fetched when it is put in, and summed AHEAD leaves later. All eight images of a board have the same value to the
 * last bit, so no leaf is made canonical.
 */
#include "search_lines.h"
#include "variants.h"

#include <math.h>

enum { AHEAD = 8, MOST_LEAVES = 2 * 15 * 4 }; /* AHEAD: a power of two */

/* The leaves of a node, in the order of their spawns. */
struct leaves {
    bb_board after[MOST_LEAVES + 1]; /* one more: a slide that is illegal is written, and not counted */
    double earned[MOST_LEAVES + 1];
    double value[MOST_LEAVES];
    int end[2 * 15]; /* of the leaves of spawn 2 * cell + (tile is 4) */
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
