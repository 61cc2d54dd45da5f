/* play_loops.h - the loop of play.c, compiled once for each CPU variant.
 *
 * It is bound by instructions, not by memory: with AVX-512 38 of them a slide, in about 12 cycles of a
 * Zen 5; a third of them take the lanes apart for the look-ups and put them together again.
 * The finished flags are bytes on purpose: the compiler then takes 64 lanes at a time, and the eight
 * independent vectors hide each other's latency (335M slides/s; with flags of 8 bytes 282M). Slides
 * computed from bits instead of looked up made 357M there, but 149M instead of 168M with AVX2.
 */

/* One random slide and its spawn in each lane; a finished lane stays as it is and gets its flag.
 * n is a multiple of LANE_BLOCK. */
static void VARIANT(play_step)(bb_board *restrict boards, uint64_t *restrict spawn_at, uint64_t *restrict choice_at,
                               uint8_t *restrict finished, size_t n)
{
    n -= n % LANE_BLOCK;
    for (size_t i = 0; i < n; i++) {
        bb_board board = boards[i];
        uint64_t legal[4], quarters;
        bb_legal_flags(board, legal);
        /* The k-th legal direction is the number of directions before which there are at most k legal ones. */
        uint64_t to_up = legal[0], to_right = to_up + legal[1], to_down = to_right + legal[2], all = to_down + legal[3];
        uint64_t k = (bb_mix(choice_at[i]) >> 32) * all >> 32;
        uint64_t direction = (uint64_t)(k >= to_up) + (k >= to_right) + (k >= to_down);
        bb_board after = bb_spawned(bb_slid_lane(board, direction, &quarters), bb_mix(spawn_at[i]));
        boards[i] = all ? after : board;
        spawn_at[i] += BB_GOLDEN;
        choice_at[i] += BB_GOLDEN;
        finished[i] = all == 0;
    }
}
