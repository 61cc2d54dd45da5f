/* search_api.h - expectimax. The values of boards are sums of a table of 65,536 rows, or a network's, or come from
 * outside: search_lines.h has the one place where a leaf is valued. */
struct bb_network;                /* network_api.h */
typedef struct bb_search {
    const double *table;          /* belongs to the caller, */
    const struct bb_network *network; /* as this does; both NULL: leaves are collected */
    int cpu;                      /* the CPU variant of the loops over a network */
    double reward_weight, over_value;
    double prune;                 /* INFINITY: search all slides */
    int32_t changes;              /* of the network, when the cache was last emptied for them */
    int four_layers;              /* how many layers the spawn of a 4 takes: 1 or 2. Where one is left: that one with a
                                   * network, else 4s are left out */
    int images;                   /* how many of the eight images of a board have the same value */
    int unfinished;               /* the last search met a limit: its values are void */
    int full;                     /* the limit was that of leaves, or memory */
    int bucket_bits;
    void *memory, *cache;
    uint64_t age;
    void *leaves;
    uint64_t leaf_slots, leaf_count, leaf_limit;
    bb_board *counted;            /* the boards of bb_search_depth, layer by layer */
    void *counted_set;
    uint64_t counted_slots;
    uint64_t nodes, probes, hits; /* counted from bb_search_new on; a node is a board after a spawn */
    uint64_t node_limit;          /* end when `nodes` gets there */
    int64_t deadline;             /* end when bb_search_now gets there; 0: never */
    int32_t stop;                 /* end now: by bb_search_stop, from any thread; read atomically */
    uint64_t first_nodes, first_probes, first_hits; /* when the last bb_search_run began, */
    int64_t began, ended;         /* and its time on the clock, */
    int depth;                    /* and its depth */
} bb_search;

int64_t bb_search_now(void); /* nanoseconds of a clock that is never set */
/* Of table and network one or both are NULL. NULL: no memory */
bb_search *bb_search_new(int cpu, const double *table, const struct bb_network *network, size_t cache_bytes);
void bb_search_free(bb_search *search);
void bb_search_forget(bb_search *search); /* empty the cache */

void bb_search_stop(bb_search *search, int stop); /* from another thread: end now (1), or search again (0) */

/* The four values of a board with `depth` layers, nan where illegal; not 0 if a limit was met: they are void. */
int bb_search_values(bb_search *search, bb_board board, int depth, double *out);

/* bb_search_values without limits, for so many nanoseconds at most, where depth is above 1; remembers what it cost.
 * The first direction with the largest value; -1: none is legal, nothing was done; -2: the time was over. */
int bb_search_run(bb_search *search, bb_board board, int depth, int64_t nanoseconds, double *out);

/* search_count.c: the depth at which about so many boards are looked at, at most `most`. Layer 0 are the
 * afterstates of the board; those that follow the spawn of a 2 on one are in the next layer, of a 4 in the one
 * after that; mirror images are one, and a layer has each once. The depth is one more than the number of layers
 * that have at most `boards` together, or `most` if two layers are empty. -1: a limit was met; -2: no memory. */
int bb_search_depth(bb_search *search, bb_board board, uint64_t boards, int most);

/* The best direction of each board, -1 where it is over; returns for how many boards before a limit was met. With
 * `count` above 0 depths[i] becomes the depth by bb_search_depth, 0 where at most one direction is legal: that board is
 * not searched. */
size_t bb_search_best_many(bb_search *search, const bb_board *boards, uint8_t *depths, uint64_t count, int64_t *out,
                           size_t n);

/* search_leaves.c: a search with neither table nor network collects its leaves, leaf_count of them: ask what they are,
 * put their values in the same order, forget the cache and search again. */
void bb_leaves_get(const bb_search *search, bb_board *out);
void bb_leaves_put(bb_search *search, const double *values);
void bb_leaves_clear(bb_search *search);

void bb_table_many(const double *table, const bb_board *boards, double *out, size_t n);
