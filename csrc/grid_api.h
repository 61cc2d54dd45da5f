/* grid_api.h - boards of any size. Read by cdef() too, see bulk_api.h. */

/* grid.c: boards of height x width, 1 to 32 each, as that many bytes in reading order, exponents up to 62 */
int bb_grid_slide(int cpu, const uint8_t *cells, uint8_t *out, int height, int width, int direction, int top,
                  int64_t *reward); /* whether it changed anything; reward[0] + 2**32 * reward[1] points */
typedef struct bb_grid_search bb_grid_search; /* the largest tile within 0 to 255 slides */
bb_grid_search *bb_grid_search_new(int cpu, const uint8_t *cells, int height, int width, int slides, int top);
void bb_grid_search_free(bb_grid_search *search);                  /* NULL too, which _new gives without memory */
int bb_grid_search_run(bb_grid_search *search, uint64_t nodes);    /* make so many more slides; 1 when it is done */
int bb_grid_search_best(const bb_grid_search *search);             /* the largest exponent so far */
int bb_grid_search_length(const bb_grid_search *search);           /* the slides that it takes, */
int bb_grid_search_direction(const bb_grid_search *search, int i); /* each of them, */
uint64_t bb_grid_search_nodes(const bb_grid_search *search);       /* and how many were made and changed a board */
