/* network_learn_loops.h - the loops of network_learn.c, compiled once for each CPU variant. */

/* Change the entries by a target's error; 0 if it ran away. Returns through *after the value that results. */
BB_INLINE int VARIANT(update_at)(const bb_network *network, uint64_t (*index)[BB_IMAGES], double target, double alpha,
                                 double *after)
{
    float *weights = network->weights, *errors = network->errors;
    uint32_t patterns = network->patterns;
    double delta = target - bb_value_at(weights, patterns, index);
    double d = delta / (double)(BB_IMAGES * patterns), step = alpha * d, absolute = fabs(d);
    if (!(fabs(delta) < BB_NETWORK_MOST))
        return 0;
    if (!errors) {
        for (uint32_t p = 0; p < patterns; p++)
            for (int x = 0; x < BB_IMAGES; x++) {
                float *w = weights + index[p][x];
                bb_share(w, bb_shared(w) + step);
            }
    } else {
        double change[BB_NETWORK_PATTERNS][BB_IMAGES];
        for (uint32_t p = 0; p < patterns; p++) {
            double e[BB_IMAGES], a[BB_IMAGES];
            for (int x = 0; x < BB_IMAGES; x++) {
                e[x] = bb_shared(errors + 2 * index[p][x]);
                a[x] = bb_shared(errors + 2 * index[p][x] + 1);
            }
            for (int x = 0; x < BB_IMAGES; x++) {
                double rate = fabs(e[x]) / (a[x] == 0 ? 1 : a[x]);
                rate = a[x] == 0 ? 1 : rate;
                change[p][x] = a[x] < 0 ? -HUGE_VAL : rate * step;
            }
        }
        for (uint32_t p = 0; p < patterns; p++)
            for (int x = 0; x < BB_IMAGES; x++) {
                float *w = weights + index[p][x], *e = errors + 2 * index[p][x];
                if (change[p][x] == -HUGE_VAL)
                    continue;
                bb_share(w, bb_shared(w) + change[p][x]);
                bb_share(e, bb_shared(e) + d);
                bb_share(e + 1, bb_shared(e + 1) + absolute);
            }
    }
    *after = bb_value_at(weights, patterns, index);
    return 1;
}

static size_t VARIANT(update_many)(bb_network *network, const bb_board *boards, const double *targets, size_t n,
                                   double alpha)
{
    uint64_t index[AHEAD][BB_NETWORK_PATTERNS][BB_IMAGES];
    double after;
    for (size_t i = 0; i < n + AHEAD - 1; i++) {
        if (i < n) {
            bb_indices(network, boards[i], index[i % AHEAD]);
            prefetch_all(network, index[i % AHEAD]);
        }
        if (i >= AHEAD - 1) {
            size_t k = i - (AHEAD - 1);
            if (!VARIANT(update_at)(network, index[k % AHEAD], targets[k], alpha, &after))
                return k;
        }
    }
    return n;
}

/* The slides of the lane's board, their entries on the way; 0 if the game is over. */
BB_INLINE unsigned VARIANT(prepare)(const bb_network *network, struct lane *lane)
{
    bb_board board = lane->board, across = bb_transposed(board);
    unsigned legal = 0;
    uint32_t rows = bb_rows_reward(board), columns = bb_rows_reward(across);
    lane->slid[BB_UP] = bb_transposed(bb_slid_left(across));
    lane->slid[BB_RIGHT] = bb_slid_right(board);
    lane->slid[BB_DOWN] = bb_transposed(bb_slid_right(across));
    lane->slid[BB_LEFT] = bb_slid_left(board);
    lane->reward[0] = columns;
    lane->reward[1] = rows;
    for (int d = 0; d < 4; d++) {
        if (lane->slid[d] == board)
            continue;
        legal |= 1u << d;
        bb_indices(network, lane->slid[d], lane->index[d]);
        bb_prefetch_weights(network->weights, network->patterns, lane->index[d]);
    }
    lane->legal = legal;
    return legal;
}

/* Update a finished game from its end; 0 if it ran away. */
static int VARIANT(backward)(struct bb_trainer *trainer, struct lane *lane)
{
    const bb_network *network = trainer->network;
    uint64_t index[AHEAD][BB_NETWORK_PATTERNS][BB_IMAGES];
    double lambda = trainer->training.lambda, target = 0, next = 0;
    size_t n = lane->length;
    for (size_t i = 0; i < n + AHEAD - 1; i++) {
        if (i < n) {
            bb_indices(network, lane->after[n - 1 - i], index[i % AHEAD]);
            prefetch_all(network, index[i % AHEAD]);
        }
        if (i >= AHEAD - 1) {
            size_t k = i - (AHEAD - 1), t = n - 1 - k;
            if (k)
                target = (double)lane->rewards[t + 1] + ((1 - lambda) * next + lambda * target);
            if (!VARIANT(update_at)(network, index[k % AHEAD], target, trainer->training.alpha, &next))
                return 0;
            trainer->done.updates++;
        }
    }
    return 1;
}

static int VARIANT(run)(struct bb_trainer *trainer, uint64_t moves, const int32_t *stop)
{
    bb_network *network = trainer->network;
    double alpha = trainer->training.alpha, after;
    int forward = trainer->training.lambda < 0;
    uint32_t patterns = network->patterns;
    for (uint32_t i = 0; i < trainer->training.lanes; i++)
        VARIANT(prepare)(network, &trainer->lane[i]);
    while (moves) {
        struct lane *lane = &trainer->lane[trainer->turn];
        double best = -HUGE_VAL;
        int choice = -1;
        if (lane->length + 1 >= lane->capacity && !grow(lane))
            return BB_NETWORK_NO_MEMORY;
        for (int d = 0; d < 4; d++) {
            if (!(lane->legal >> d & 1))
                continue;
            double value = (double)lane->reward[d & 1] + bb_value_at(network->weights, patterns, lane->index[d]);
            if (value > best) {
                best = value;
                choice = d;
            }
        }
        if (choice < 0)
            return BB_NETWORK_RAN_AWAY;
        if (forward && lane->length) {
            if (!VARIANT(update_at)(network, lane->last, best, alpha, &after))
                return BB_NETWORK_RAN_AWAY;
            trainer->done.updates++;
        }
        if (forward) { /* its errors are needed when the lane's turn comes again */
            memcpy(lane->last, lane->index[choice], patterns * sizeof *lane->last);
            prefetch_errors(network, lane->last);
        }
        lane->after[lane->length] = lane->slid[choice];
        lane->rewards[lane->length++] = lane->reward[choice & 1];
        lane->score += lane->reward[choice & 1];
        lane->moves++;
        trainer->done.moves++;
        moves--;
        lane->board = bb_spawned(lane->slid[choice], bb_random_at(lane->stream, lane->spawns++));
        while (!VARIANT(prepare)(network, lane)) {
            if (forward && lane->length) {
                if (!VARIANT(update_at)(network, lane->last, 0, alpha, &after))
                    return BB_NETWORK_RAN_AWAY;
                trainer->done.updates++;
            } else if (!forward && !VARIANT(backward)(trainer, lane))
                return BB_NETWORK_RAN_AWAY;
            finish(trainer, lane);
            if (forward && lane->length)
                bb_indices(network, lane->after[0], lane->last);
        }
        trainer->turn = trainer->turn + 1 == trainer->training.lanes ? 0 : trainer->turn + 1;
        if (trainer->turn == 0 && is_set(stop))
            break;
    }
    return BB_NETWORK_OK;
}
