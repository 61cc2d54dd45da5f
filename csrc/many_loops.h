/* many_loops.h - the loops of many.c, compiled once for each CPU variant.
 *
 * Each is a pass over an array with no branch inside. The direction is a constant in each
 * loop, or the transposition would be chosen anew for every board. */

#define LOOP(name, value)                                                              \
    static void VARIANT(name)(const bb_board *boards, uint64_t *out, size_t n)         \
    {                                                                                  \
        for (size_t i = 0; i < n; i++)                                                 \
            out[i] = value;                                                            \
    }

LOOP(move_up, bb_slid(boards[i], BB_UP))
LOOP(move_right, bb_slid(boards[i], BB_RIGHT))
LOOP(move_down, bb_slid(boards[i], BB_DOWN))
LOOP(move_left, bb_slid(boards[i], BB_LEFT))
LOOP(reward_rows, bb_rows_reward(boards[i]))
LOOP(reward_columns, bb_rows_reward(bb_transposed(boards[i])))
LOOP(legal_moves, bb_legal_lane(boards[i]))

#undef LOOP

static void VARIANT(spawn)(const bb_board *boards, const uint64_t *random64, uint64_t *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        out[i] = bb_spawned(boards[i], random64[i]);
}
