/* bulk_api.h - arrays and searches that Python calls: the module bitboard._bulk.
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
void bb_env_look(int cpu, const bb_board *boards, const uint8_t *legal, int8_t *masks, int32_t *max_tiles, size_t n);
