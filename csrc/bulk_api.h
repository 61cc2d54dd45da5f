/* bulk_api.h - arrays and searches that Python calls: the module bitboard.core._bulk.
 *
 * Read by cdef() and included by bitboard.h, as leaf_api.h is. These functions
 * run without the GIL. The caller has checked every pointer and length; arrays
 * are not overlapping unless a comment says that they may be the same.
 *
 * `cpu` is the CPU variant to run (see variants.h), 0 to bb_cpu_count() - 1.
 */

/* variants.c */
int bb_cpu_count(void);              /* how many variants this build holds */
int bb_cpu_best(void);               /* the last one that this machine can run */
const char *bb_cpu_name(int cpu);    /* "baseline", "x86-64-v3", ... */

/* many.c: out[i] from boards[i]; out may be the same array as boards */
void bb_move_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction);
void bb_reward_many(int cpu, const bb_board *boards, uint64_t *out, size_t n, int direction);
void bb_legal_moves_many(int cpu, const bb_board *boards, uint64_t *out, size_t n);
void bb_spawn_many(int cpu, const bb_board *boards, const uint64_t *random64, uint64_t *out, size_t n);

/* perft.c */
uint64_t bb_perft(bb_board board, int depth);

/* grid.c: boards of height x width, 1 to 32 each, as that many bytes in reading order, exponents up to 62 */
int bb_grid_slide(int cpu, const uint8_t *cells, uint8_t *out, int height, int width, int direction, int top,
                  int64_t *reward); /* whether it changed anything; reward[0] + 2**32 * reward[1] points */
typedef struct bb_grid_search bb_grid_search; /* the largest tile within 0 to 255 slides */
bb_grid_search *bb_grid_search_new(int cpu, const uint8_t *cells, int height, int width, int slides, int top);
void bb_grid_search_free(bb_grid_search *search);                  /* NULL is allowed, and what _new gives without memory */
int bb_grid_search_run(bb_grid_search *search, uint64_t nodes);    /* make so many more slides; 1 when it is done */
int bb_grid_search_best(const bb_grid_search *search);             /* the largest exponent so far */
int bb_grid_search_length(const bb_grid_search *search);           /* the slides that it takes, */
int bb_grid_search_direction(const bb_grid_search *search, int i); /* each of them, */
uint64_t bb_grid_search_nodes(const bb_grid_search *search);       /* and how many were made and changed a board */

/* play.c: games first .. stop - 1 played at random to the end; entry g of each array is game g's */
void bb_play(int cpu, const bb_board *starts, size_t per_start, int afterstates, uint64_t seed, size_t first,
             size_t stop, bb_board *boards, int64_t *scores, int32_t *lengths, uint8_t *max_exponents);
struct bb_two_sums {
    uint64_t total, squares;
};
struct bb_two_sums bb_sums(const int64_t *scores, size_t n); /* n is at most 2**16 */
void bb_sums_each(const int64_t *scores, size_t n, size_t groups, struct bb_two_sums *out); /* of groups of n each */

/* batch.c: arrays of n games; see bitboard/batch.py for what is in each */
struct bb_games {
    bb_board *boards;
    uint64_t *streams;
    int64_t *scores;
    int32_t *moves;
    uint8_t *legal, *saturated;
    int32_t *rewards;
    uint8_t *over, *changed;
    bb_board *afterstates;
    bb_board *final_boards; /* these three only with BB_SAME_STEP */
    int32_t *final_scores, *final_moves;
};
enum { BB_OFF, BB_NEXT_STEP, BB_SAME_STEP }; /* autoreset: what becomes of a game that is over */

/* new games in the places first .. stop - 1 that `which` marks (NULL: all); streams and boards may be NULL */
void bb_games_reset(const struct bb_games *games, const uint8_t *which, int has_seed, uint64_t seed,
                    const uint64_t *streams, const bb_board *boards, size_t first, size_t stop);
/* the index of the first action of first .. stop - 1 that is not 0 to 3, or stop; integers of `size` bytes */
size_t bb_first_wrong(const void *actions, int size, size_t first, size_t stop);
/* the same, and if all are right one slide in each of these places */
size_t bb_games_step(int cpu, const struct bb_games *games, const void *actions, int size, int autoreset, size_t first,
                     size_t stop);

/* encode.c: for each board its 4 slides, 16 cells, 16 planes of 16 cells, 8 symmetric images */
void bb_afterstates_many(int cpu, const bb_board *boards, bb_board *afterstates, int32_t *rewards, uint8_t *legal,
                         size_t n);
void bb_exponents_many(int cpu, const bb_board *boards, uint8_t *out, size_t n);
void bb_one_hot_many(int cpu, const bb_board *boards, uint8_t *out, size_t n);
void bb_one_hot_float_many(int cpu, const bb_board *boards, float *out, size_t n);
void bb_symmetries_many(int cpu, const bb_board *boards, bb_board *out, size_t n);

/* env.c: masks[4 * i + d] is 1 where bit d of legal[i] is set; max_tiles[i] the largest face value of boards[i] */
void bb_env_look(int cpu, const bb_board *boards, const uint8_t *legal, int8_t *masks, int64_t *max_tiles, size_t n);

/* pdb.c: one pattern of a pattern database for the goal 0123..., `blank` the cell of the blank.
 * pieces: 1 to 8 of them, ascending. begin: NULL without memory; it takes 3 bytes an entry.
 * step: goes on for about `budget` entries; 1 when `out` is complete, 0 to be called again, -1
 * without memory. out: (entries + 1) / 2 bytes, zero at first. Free a build in any state. */
struct bb_pdb_build;
uint64_t bb_pdb_entries(int cells, int length);
struct bb_pdb_build *bb_pdb_begin(int rows, int cols, int blank, const uint8_t *pieces, int length);
int bb_pdb_step(struct bb_pdb_build *build, uint8_t *out, uint64_t budget);
uint64_t bb_pdb_done(const struct bb_pdb_build *build); /* entries found and entries written: 2 * entries in the end */
void bb_pdb_free(struct bb_pdb_build *build);

/* sliding.c: puzzles of up to 16 cells, boards in the form of sliding.h. moves: letters[direction]. */
struct bb_sliding_goal {
    int rows, cols;
    int blank;           /* the cell of the blank in the goal, and its number on a board */
    uint8_t order[4];    /* the directions in the order in which they are tried */
    uint8_t letters[4];  /* what a direction is called in the answer */
};
/* Make the forms: piece v of a board becomes piece[v], at place[cell]. The index of the first
 * board that does not hold each of 0 .. cells-1 once and zeros elsewhere, or n. */
size_t bb_sliding_convert(const bb_board *boards, uint64_t *out, size_t n, int cells, const uint8_t *piece,
                          const uint8_t *place);
/* Distances of all boards by bb_sliding_rank, 255 where there is no way; cells <= 10.
 * queue: room for cells!/2 words. counts: 64 numbers, how many boards lie at each distance. */
void bb_sliding_table(const struct bb_sliding_goal *goal, uint8_t *distance, uint64_t *queue, uint64_t *counts);
uint32_t bb_sliding_rank(bb_board board, int cells);
/* The moves down the table: letters at moves[i * stride], lengths[i] of them or 255. */
void bb_sliding_walk(const struct bb_sliding_goal *goal, const uint8_t *distance, const bb_board *boards, size_t n,
                     uint8_t *moves, size_t stride, uint8_t *lengths);

/* sliding_search.c: IDA*. The heuristic is the Manhattan distance where parts is 0 and both `walk` are NULL. */
struct bb_sliding_heuristic {
    int parts;                  /* patterns of a database, at most 8; 0 for no database */
    int mirrored;               /* look up the board mirrored in its main diagonal too */
    uint8_t slot[16];           /* pieces numbered pattern by pattern: those of part p from first[p] on */
    uint8_t part[16];           /* the pattern of a piece */
    uint8_t first[8];
    uint32_t weight[8][8];      /* of the places of a pattern's pieces in its index, then zeros */
    const uint8_t *table[8];    /* nibbles, see pdb.c */
    /* Walking distance along rows [0] and columns [1], or NULL: by state, and the state after a move, at
     * [state][0: the blank goes to the line before, 1: to the line behind][line of the tile's goal]. */
    const uint8_t *walk[2];
    const uint16_t *walk_next[2];
    uint16_t walk_start[2];     /* the states of the board to be solved */
    int walk_lines[2];
};
struct bb_sliding_node {
    uint64_t board, where, mirror;  /* by cell; by slot; by slot of the mirrored board */
    uint32_t more, mirror_more;     /* the nibbles of all parts, in the board and in the mirrored one */
    uint16_t walk[2];
    uint8_t sum, mirror_sum;        /* of the nibbles; or sum is the walking distance */
    uint8_t distance;               /* Manhattan */
    uint8_t blank, move;
    uint8_t bound;                  /* no solution through here is shorter; 255: none within the search's bound */
};
struct bb_sliding_search {
    struct bb_sliding_goal goal;    /* to be set, as is `using` */
    struct bb_sliding_heuristic using;
    uint64_t nodes;                 /* generated so far */
    int bound;                      /* no solution is shorter */
    int depth;                      /* of the stack below */
    uint8_t to[4][16];              /* the next cell in a direction */
    uint8_t away[16][16];           /* Manhattan distance of two cells */
    uint8_t children[256], next[256];
    struct bb_sliding_node node[256][4];
};
int bb_sliding_lower_bound(struct bb_sliding_search *search, bb_board board); /* what the heuristic says */
void bb_sliding_begin(struct bb_sliding_search *search, bb_board board);
/* Go on until `end` nodes are generated: 1 when solved, 0 to be called again, -1 where there is no solution. */
int bb_sliding_step(struct bb_sliding_search *search, uint64_t end);
/* The letters of the solution found, search->bound of them. */
void bb_sliding_moves(const struct bb_sliding_search *search, uint8_t *moves);

/* sliding_astar.c: A* with the Manhattan distance. */
struct bb_sliding_astar;
struct bb_sliding_astar *bb_sliding_astar_begin(const struct bb_sliding_goal *goal, bb_board board);
/* Go on until `end` boards are kept: 1 solved, 0 to be called again, -1 no solution, -2 more than `bytes` or no memory. */
int bb_sliding_astar_step(struct bb_sliding_astar *astar, uint64_t end, uint64_t bytes);
uint64_t bb_sliding_astar_nodes(const struct bb_sliding_astar *astar); /* boards kept so far */
int bb_sliding_astar_bound(const struct bb_sliding_astar *astar);      /* no solution is shorter */
void bb_sliding_astar_moves(const struct bb_sliding_astar *astar, uint8_t *moves);
void bb_sliding_astar_free(struct bb_sliding_astar *astar);

/* search.c: expectimax. The values of boards are sums of a table of 65,536 rows, or a network's, or come from outside:
 * search_lines.h has the one place where a leaf is valued. */
struct bb_network;                /* network_api.h */
typedef struct bb_search {
    const double *table;          /* belongs to the caller, */
    const struct bb_network *network; /* as this does; both NULL: leaves are collected */
    int cpu;                      /* the CPU variant of the loops over a network */
    double reward_weight, over_value;
    double prune;                 /* INFINITY: search all slides */
    int four_layers;              /* how many layers the spawn of a 4 takes: 1 or 2 */
    int images;                   /* how many of the eight images of a board have the same value */
    int unfinished;               /* the last search met a limit: its values are void */
    int full;                     /* the limit was that of leaves, or memory */
    int bucket_bits;
    void *memory, *cache;
    uint64_t age;
    void *leaves;
    uint64_t leaf_slots, leaf_count, leaf_limit;
    uint64_t nodes, probes, hits; /* counted from bb_search_new on; a node is a board after a spawn */
    uint64_t node_limit;          /* end when `nodes` gets there */
    int64_t deadline;             /* end when bb_search_now gets there; 0: never */
    int32_t stop;                 /* end now: by bb_search_stop, from any thread; read atomically */
} bb_search;

int64_t bb_search_now(void); /* nanoseconds of a clock that is never set */
/* Of table and network one or both are NULL. NULL: no memory */
bb_search *bb_search_new(int cpu, const double *table, const struct bb_network *network, size_t cache_bytes);
void bb_search_free(bb_search *search);
void bb_search_forget(bb_search *search); /* empty the cache */

void bb_search_stop(bb_search *search, int stop); /* from another thread: end now (1), or search again (0) */

/* The four values of a board with `depth` layers, nan where illegal; not 0 if a limit was met: they are void. */
int bb_search_values(bb_search *search, bb_board board, int depth, double *out);

/* The best direction of each board, -1 where it is over; returns for how many boards before a limit was met. */
size_t bb_search_best_many(bb_search *search, const bb_board *boards, const uint8_t *depths, int64_t *out, size_t n);

/* search_leaves.c: a search with neither table nor network collects its leaves, leaf_count of them: ask what they are,
 * put their values in the same order, forget the cache and search again. */
void bb_leaves_get(const bb_search *search, bb_board *out);
void bb_leaves_put(bb_search *search, const double *values);
void bb_leaves_clear(bb_search *search);

void bb_table_many(const double *table, const bb_board *boards, double *out, size_t n);
