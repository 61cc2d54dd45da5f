/* batch_loops.h - the loop of batch.c, compiled once for each CPU variant. */

/* One given slide and its spawn in each of n lanes. A slide that changes nothing leaves the game as it is.
 * Returns a word that is not 0 if a 32768 is on one of the boards. */
static uint64_t VARIANT(batch_step)(const uint8_t *restrict actions, bb_board *restrict boards,
                                    const uint64_t *restrict streams, int64_t *restrict scores,
                                    int32_t *restrict moves, int32_t *restrict rewards, uint8_t *restrict legal,
                                    uint8_t *restrict over, uint8_t *restrict changed,
                                    bb_board *restrict afterstates, size_t n)
{
    uint64_t top = 0;
    for (size_t i = 0; i < n; i++) {
        bb_board board = boards[i];
        uint64_t quarters;
        bb_board after = bb_slid_lane(board, actions[i], &quarters);
        uint64_t slid = after != board;
        bb_board next = bb_next(after, streams[i], (uint64_t)(int64_t)moves[i]);
        next = slid ? next : board;
        uint64_t mask = bb_legal_lane(next);
        boards[i] = next;
        afterstates[i] = after;
        scores[i] += (int64_t)(quarters * 4);
        rewards[i] = (int32_t)(quarters * 4);
        moves[i] += (int32_t)slid;
        changed[i] = (uint8_t)slid;
        legal[i] = (uint8_t)mask;
        over[i] = mask == 0;
        top |= bb_top_cells(next);
    }
    return top;
}
