/* network_play_loops.h - the loops of network_play.c, compiled once for each CPU variant. */

static void VARIANT(value_many)(const bb_network *network, const bb_board *boards, double *out, size_t n)
{
    uint64_t index[AHEAD][BB_NETWORK_PATTERNS][BB_IMAGES];
    for (size_t i = 0; i < n + AHEAD - 1; i++) {
        if (i < n) {
            bb_indices(network, boards[i], index[i % AHEAD]);
            bb_network_fetch(network, index[i % AHEAD]);
        }
        if (i >= AHEAD - 1)
            out[i - (AHEAD - 1)] = bb_network_value_at(network, index[(i - (AHEAD - 1)) % AHEAD]);
    }
}

/* The slides of the lane's board, their entries on the way; 0 if the game is over. */
BB_INLINE unsigned VARIANT(prepare)(const bb_network *network, struct lane *lane)
{
    bb_board board = lane->board, across = bb_transposed(board);
    unsigned legal = 0;
    lane->slid[BB_UP] = bb_transposed(bb_slid_left(across));
    lane->slid[BB_RIGHT] = bb_slid_right(board);
    lane->slid[BB_DOWN] = bb_transposed(bb_slid_right(across));
    lane->slid[BB_LEFT] = bb_slid_left(board);
    lane->reward[0] = bb_rows_reward(across);
    lane->reward[1] = bb_rows_reward(board);
    for (int d = 0; d < 4; d++) {
        if (lane->slid[d] == board)
            continue;
        legal |= 1u << d;
        bb_indices(network, lane->slid[d], lane->index[d]);
        bb_network_fetch(network, lane->index[d]);
    }
    return lane->legal = legal;
}

static void VARIANT(play)(const bb_network *network, struct lane *lanes, uint64_t seed, size_t first, size_t stop,
                          bb_board *boards, int64_t *scores, int32_t *lengths, uint8_t *max_exponents)
{
    size_t live = 0, next = first;
    for (; live < LANES && next < stop; live++, next++) {
        struct lane *lane = &lanes[live];
        lane->stream = bb_stream_of(seed, next);
        lane->board = bb_first(lane->stream);
        lane->slides = 0;
        lane->score = 0;
        lane->game = next;
        VARIANT(prepare)(network, lane);
    }
    while (live) {
        for (size_t i = 0; i < live;) {
            struct lane *lane = &lanes[i];
            double best = -HUGE_VAL;
            int choice = -1;
            for (int d = 0; d < 4; d++) {
                if (!(lane->legal >> d & 1))
                    continue;
                double value = (double)lane->reward[d & 1] + bb_network_value_at(network, lane->index[d]);
                if (value > best) {
                    best = value;
                    choice = d;
                }
            }
            if (choice >= 0) {
                lane->score += lane->reward[choice & 1];
                lane->board = bb_next(lane->slid[choice], lane->stream, lane->slides++);
                if (VARIANT(prepare)(network, lane)) {
                    i++;
                    continue;
                }
            }
            boards[lane->game] = lane->board;
            scores[lane->game] = lane->score;
            lengths[lane->game] = (int32_t)lane->slides;
            max_exponents[lane->game] = (uint8_t)bb_largest(lane->board);
            if (next < stop) {
                lane->stream = bb_stream_of(seed, next);
                lane->board = bb_first(lane->stream);
                lane->slides = 0;
                lane->score = 0;
                lane->game = next++;
                VARIANT(prepare)(network, lane);
                i++;
            } else {
                *lane = lanes[--live];
            }
        }
    }
}
