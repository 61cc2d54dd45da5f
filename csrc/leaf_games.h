/* leaf_games.h - a move of a game: turn() of bitboard/core, and the ordinary move of bitboard.Game, which appends to
 * its lists. A part of leaf_objects.h. */

/* A turn of the game of a stream: its slide number given[3] in direction given[1], and the spawn after it.
 * (afterstate, reward, next board, its legal directions, whether it is saturated); None where the slide is illegal. */
static PyObject *object_turn(GIVEN)
{
    int direction = n == 4 && !keywords && !PyUnicode_Check(given[1]) ? direction_of(given[1]) : -1;
    bb_board board, after, next;
    uint64_t stream, slide;
    PyObject *made[5];
    (void)self;
    if (direction < 0)
        return carefully("turn", given, n, keywords);
    board = board_of(given[0]);
    stream = failed(board) ? board : word_of(given[2], "_cffi_f_bb_next_board", "arg1");
    slide = failed(stream) ? stream : word_of(given[3], "_cffi_f_bb_next_board", "arg2");
    if (failed(slide))
        return NULL;
    after = bb_slid(board, direction);
    if (after == board)
        Py_RETURN_NONE;
    next = bb_next(after, stream, slide);
    made[0] = PyLong_FromUnsignedLongLong(after);
    made[1] = PyLong_FromUnsignedLong(bb_rows_reward(direction & 1 ? board : bb_transposed(board)));
    made[2] = PyLong_FromUnsignedLongLong(next);
    made[3] = PyLong_FromUnsignedLong(bb_legal(next));
    made[4] = PyBool_FromLong((long)bb_saturated(next));
    return tuple_of(made, 5);
}

/* The last item of a list, borrowed; NULL with an error where there is none. */
static inline PyObject *last_of(PyObject *list) { return PyList_GetItem(list, PyList_Size(list) - 1); }

/* Append a new object and let go of it; 0, or -1 where that failed or the object could not be made. */
static inline int appended(PyObject *list, PyObject *object)
{
    int failure = object ? PyList_Append(list, object) : -1;
    Py_XDECREF(object);
    return failure;
}

/* Append a slide of a game in a direction to the lists of its boards, moves and scores, and give the reward.
 *
 * given: the three lists, the seed, the direction. None, and nothing has changed, where the game must look closer: the
 * slide is illegal, the board is not a packed one, or would not be one afterwards. */
static PyObject *object_advance(GIVEN)
{
    bb_board before, after, board;
    uint64_t seed;
    uint32_t reward;
    PyObject *boards, *moves, *scores, *last;
    Py_ssize_t length;
    int direction, cell, exponent;
    (void)self;
    if (n != 5 || keywords) {
        PyErr_SetString(PyExc_TypeError, "advance() takes boards, moves, scores, seed and direction");
        return NULL;
    }
    boards = given[0], moves = given[1], scores = given[2];
    direction = direction_of(given[4]);
    last = last_of(boards);
    if (!last)
        return NULL;
    if (direction < 0 || !PyLong_CheckExact(last))
        Py_RETURN_NONE;
    before = board_of(last);
    seed = failed(before) ? before : board_of(given[3]);
    if (failed(seed))
        return NULL;
    after = bb_slid(before, direction);
    if (after == before)
        Py_RETURN_NONE;
    length = PyList_Size(moves);
    last = last_of(scores);
    if (length < 0 || !last)
        return NULL;
    board = bb_next(after, seed, (uint64_t)length);
    if (bb_saturated(board))
        Py_RETURN_NONE;
    reward = bb_rows_reward(direction & 1 ? before : bb_transposed(before));
    for (cell = 0; !((board ^ after) >> (60 - 4 * cell)); cell++)
        ;
    exponent = (int)((board ^ after) >> (60 - 4 * cell));
    if (appended(moves, PyLong_FromLong((long)direction << 16 | cell << 6 | exponent)) != 0)
        return NULL;
    if (appended(scores, PyLong_FromLongLong(PyLong_AsLongLong(last) + reward)) != 0
        || appended(boards, PyLong_FromUnsignedLongLong(board)) != 0) { /* no memory */
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        PyList_SetSlice(moves, length, length + 1, NULL);
        PyList_SetSlice(scores, length + 1, length + 2, NULL);
        PyErr_Restore(type, value, traceback);
        return NULL;
    }
    return PyLong_FromUnsignedLong(reward);
}
