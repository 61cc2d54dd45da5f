/* network_api.h - n-tuple networks: values of afterstates, learning by temporal differences, greedy play.
 *
 * Read by cdef() and included by network.h. These functions run without the GIL and keep nothing between
 * calls but what is in the objects passed. The caller has checked pointers and lengths. `cpu` is the CPU
 * variant (variants.h): all give the same results to the last bit.
 *
 * The order of all arithmetic is fixed here, so that a plain Python program can do the same. Weights and
 * errors are stored as 32-bit floats; everything between is a double (a Python float), never fused.
 *
 * Images. Image x of a board, x = 0 .. 7: mirror its rows (bb_flip_horizontal) if x & 1, then rotate it by
 * 180 degrees if x & 2, then transpose it if x & 4.
 * Index. A pattern is a set of cells. Its index in an image is those cells in reading order, the first one the
 * most significant digit of four bits. The entry is number  stage * entries + offset of the pattern + index.
 * Stage. A board's stage is the last one whose stage_from its measure reaches; measure 0 is its largest
 * exponent, measure 1 the sum of its face values. stage_from[0] is 0.
 * Value. s[x] = ((w[0] + w[1]) + w[2]) + ...: the weights of the patterns, in their order, for image x.
 * value = ((s[0]+s[4]) + (s[2]+s[6])) + ((s[1]+s[5]) + (s[3]+s[7])): the same for all eight images of a board.
 * A packed network's value is step * (double)(the sum of the multiples, an exact integer).
 * Choice. The value of a direction is reward + value(afterstate), nan where illegal; the best direction is the
 * first of U R D L with the largest value.
 * Update of an afterstate towards a target, with m = 8 * patterns:
 *      delta = target - value(afterstate);  d = delta / m;  step = alpha * d
 *      no errors kept: each entry p, x in the order (0,0) .. (0,7) (1,0) ..: w = float(w + step)
 *      errors kept (temporal coherence, Beal and Smith 1999): an entry has E, the sum of its d, and A, that of
 *      their absolute values. First, from what was there before: rate = |E| / A, 1 where A is 0, and nothing is
 *      done for an entry where A < 0: it is absent. Then in the order above:
 *      w = float(w + rate * step);  E = float(E + d);  A = float(A + |d|)
 *   An entry that several images share is changed as often.
 *   If |delta| is not below BB_NETWORK_MOST nothing is changed: the learning has run away.
 */

enum { BB_NETWORK_PATTERNS = 16, BB_NETWORK_STAGES = 8, BB_NETWORK_MOST = 134217728 };
enum { BB_NETWORK_OK, BB_NETWORK_RAN_AWAY = 1, BB_NETWORK_NO_MEMORY = 2, BB_NETWORK_BAD_STATE = 3 };

struct bb_pattern {
    uint64_t offset;  /* of its first entry within a stage */
    uint32_t cells;   /* how many, 1 to 7 */
    uint32_t runs;    /* its index is the sum over the runs of image >> shift & mask */
    uint64_t shift[7], mask[7];
};

/* A network: filled by bb_network_init, then the pointers by the caller, who owns what they point to. */
typedef struct bb_network {
    uint32_t patterns, stages, measure;
    int32_t changes;      /* counted up after weights have changed: a search forgets what it knew by the old ones */
    uint64_t stage_from[8];
    uint64_t entries; /* of one stage */
    struct bb_pattern pattern[16];
    /* Dense: a float an entry; packed: weights is NULL, and an entry is a multiple of `step`, most are 0. */
    float *weights;   /* stages * entries, only read unless a function says that it learns */
    float *errors;    /* NULL, or E and A of each entry beside one another */
    const uint64_t *blocks; /* a word for 32 blocks of 32 entries: bit i, block i is in `multiples`; in its upper half
                             * how many are there before */
    const int16_t *multiples; /* 32 zeros, then the blocks that are there */
    double step;
} bb_network;

/* masks[p] has bit 15 - c set where cell c is in pattern p; weights and errors become NULL. */
void bb_network_init(bb_network *network, uint32_t patterns, const uint16_t *masks, uint32_t stages, uint32_t measure,
                     const uint64_t *stage_from);

/* network.c */
double bb_network_value(const bb_network *network, bb_board afterstate);
void bb_network_values(const bb_network *network, bb_board board, double out[4]);
int bb_network_best(const bb_network *network, bb_board board); /* -1 if it is over */
void bb_network_value_many(int cpu, const bb_network *network, const bb_board *boards, double *out, size_t n);
/* One update a board, in order; returns how many were made: fewer than n if one ran away. */
size_t bb_network_update(int cpu, bb_network *network, const bb_board *boards, const double *targets, size_t n,
                         double alpha);

/* network_pack.c: few entries, in steps */
/* Keep the `keep` entries with the largest A * |w| (as a float; of equal ones the first), or all where it is not 0; all
 * others become 0 and absent (A = -1). Entries that no board of their stage has, with a tile that leads to the next
 * one, are not kept. Returns how many were kept. */
uint64_t bb_network_shrink(bb_network *network, uint64_t keep);
/* A tenth of E and A of the entries first .. stop - 1: their rates stay as they are, and change ten times as fast. */
void bb_network_hasten(bb_network *network, uint64_t first, uint64_t stop);
/* Round the weights to multiples of step, ties to even; entry numbers as distances from the one before, the first from
 * -1. Returns how many are not 0, SIZE_MAX if a multiple is outside -32767 .. 32767. gaps and multiples may be NULL. */
size_t bb_network_pack(const bb_network *network, double step, uint32_t *gaps, int16_t *multiples);
/* `blocks` of a packed network, (stages * entries + 1023) / 1024 words; returns how many numbers `multiples` then
 * takes, 0 if a gap is out of range. */
size_t bb_network_blocks(const bb_network *network, const uint32_t *gaps, size_t n, uint64_t *blocks);
/* `multiples` of a packed network whose blocks are known, into memory that is all 0. */
void bb_network_unpack(const uint64_t *blocks, const uint32_t *gaps, const int16_t *packed, size_t n,
                       int16_t *multiples);

/* network_learn.c
 *
 * A trainer plays `lanes` games in turn: in each round each lane makes one slide, as the weights are then. Its
 * games are number first, first + stride, ... of the seed, each taken by the lane that needs one, with the
 * spawns of DESIGN section 5: stream(seed, game). A restarted game goes on with the numbers of that stream.
 *   Forward (lambda < 0): when a lane has chosen an afterstate, the one before it is updated towards
 *   reward + value of the new one (as it was for the choice), and after the last slide that one towards 0.
 *   Backward (lambda >= 0): when a game is over, from its last afterstate back: the last towards target = 0, the one
 *   before towards target = reward + ((1 - lambda) * next + lambda * target of the later), `next` the later
 *   one's value after its update.
 *   Starts: a lane below start_lanes begins its games with a board of starts, number 0 of the game's stream chooses
 *   which, and the spawns go on with number 1. These are not full games.
 *   Restart (least > 0): with n afterstates in the game just played and n / 2 >= least, the lane goes on from
 *   afterstate number n / 2 of it, which is number 0 of the new game; otherwise it takes a new game.
 */
typedef struct bb_trainer bb_trainer;

struct bb_training {
    uint64_t seed, first, stride;
    double alpha;  /* usually 1 with errors, 0.1 without */
    double lambda; /* negative: forward */
    uint32_t lanes, least;
    const bb_board *starts; /* of the lanes 0 .. start_lanes - 1; none of them over; copied by nobody */
    uint64_t start_count;
    uint32_t start_lanes;
};

/* What has been done; full games are those from the beginning. */
struct bb_trained {
    uint64_t moves, updates, games, restarts;
    uint64_t sum_scores, sum_lengths; /* of full games */
    uint64_t reached[16];             /* full games whose largest exponent was at least k */
    uint64_t next_game;
};

bb_trainer *bb_trainer_new(bb_network *network, const struct bb_training *training); /* NULL without memory */
void bb_trainer_free(bb_trainer *trainer);
/* Make so many slides more (some few updates after the last are made too); *stop is looked at every round, by
 * atomics.h. */
int bb_trainer_run(int cpu, bb_trainer *trainer, uint64_t moves, const int32_t *stop);
struct bb_trained bb_trainer_done(const bb_trainer *trainer);
/* The state to go on from, as bb_trainer_state_size numbers. */
size_t bb_trainer_state_size(const bb_trainer *trainer);
void bb_trainer_state(const bb_trainer *trainer, uint64_t *state);
int bb_trainer_restore(bb_trainer *trainer, const uint64_t *state, size_t size); /* into a new one of as many lanes */

/* network_play.c: games first .. stop - 1 played greedily to the end; entry g of each array is game g's */
int bb_network_play(int cpu, const bb_network *network, uint64_t seed, size_t first, size_t stop, bb_board *boards,
                    int64_t *scores, int32_t *lengths, uint8_t *max_exponents);
