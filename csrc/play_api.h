/* play_api.h - random games to the end. Read by cdef() too, see bulk_api.h. */

/* play.c: games first .. stop - 1 played at random to the end; entry g of each array is game g's */
void bb_play(int cpu, const bb_board *starts, size_t per_start, int afterstates, uint64_t seed, size_t first,
             size_t stop, bb_board *boards, int64_t *scores, int32_t *lengths, uint8_t *max_exponents);
struct bb_two_sums {
    uint64_t total, squares;
};
struct bb_two_sums bb_sums(const int64_t *scores, size_t n); /* n is at most 2**16 */
void bb_sums_each(const int64_t *scores, size_t n, size_t groups, struct bb_two_sums *out); /* of groups of n each */
