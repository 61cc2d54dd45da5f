/* batch_api.h - the state of many games, a slide in each by one call. Read by cdef() too, see bulk_api.h. */

/* batch.c: arrays of n games; see bitboard/many/batch.py for what is in each */
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
/* the index of the first action of first .. stop - 1 that is not 0 to 3, or stop; integers of `size` bytes, at any
 * address */
size_t bb_first_wrong(const void *actions, int size, size_t first, size_t stop);
/* the same, and if all are right one slide in each of these places */
size_t bb_games_step(int cpu, const struct bb_games *games, const void *actions, int size, int autoreset, size_t first,
                     size_t stop);
