/* leaf_objects.h - one-board functions that make or read Python objects themselves. Only for bitboard.core._leaf.
 *
 * Tuples and lists of small results, boards that come as grids or text, directions by name: Python frames would be
 * most of their time. Each function here is the quick half of a Python function of the same name, which has the
 * decorator `in_c` of bitboard/core/backend.py: ordinary arguments are answered here, and what is rare (keywords, other
 * spellings, everything that ends in an error, but for a board that is none) is handed to the Python function, so that
 * results and messages are the same. Nothing here keeps state. Only the limited API of Python 3.10 is used.
 *
 * Times beside move_left, before and after: tests/bench/call.py, tests/bench/README.md.
 */
#include "row_values.h"

/* What a builtin of the kind METH_FASTCALL | METH_KEYWORDS gets: n arguments, then those that `keywords` names. */
#define GIVEN PyObject *self, PyObject *const *given, Py_ssize_t n, PyObject *keywords

/* The 64-bit word of an argument, named in an error as leaf_fast.h names that of a wrapper. */
static inline uint64_t word_of(PyObject *object, const char *wrapper, const char *variable)
{
    /* By digits: 8 ns less than PyLong_AsUnsignedLongLong, which goes by way of an array of bytes (Python 3.11). */
    if (sizeof(unsigned long) == sizeof(uint64_t)) {
        unsigned long word = PyLong_AsUnsignedLong(object);
        if (word != (unsigned long)-1 || !PyErr_Occurred())
            return word;
        PyErr_Clear();
    }
    return integer(object, wrapper, variable);
}

/* The board of an argument; a caller whose board, or other word, is all ones asks `failed` whether it is an error. */
static inline bb_board board_of(PyObject *object) { return word_of(object, "", "board"); }
static inline int failed(uint64_t word) { return word == UINT64_MAX && PyErr_Occurred() != NULL; }

/* What the Python function of a name makes of the arguments. */
static PyObject *carefully(const char *name, PyObject *const *given, Py_ssize_t n, PyObject *keywords)
{
    PyObject *backend = PyImport_ImportModule("bitboard.core.backend");
    PyObject *careful = backend ? PyObject_GetAttrString(backend, "careful") : NULL;
    PyObject *function = careful ? PyMapping_GetItemString(careful, name) : NULL;
    PyObject *positional = function ? PyTuple_New(n) : NULL;
    PyObject *named = positional && keywords ? PyDict_New() : NULL;
    PyObject *result = NULL;
    int whole = positional && (!keywords || named);
    for (Py_ssize_t i = 0; whole && i < n; i++) {
        Py_INCREF(given[i]);
        PyTuple_SetItem(positional, i, given[i]);
    }
    for (Py_ssize_t i = 0; whole && named && i < PyTuple_Size(keywords); i++)
        whole = PyDict_SetItem(named, PyTuple_GetItem(keywords, i), given[n + i]) == 0;
    if (whole)
        result = PyObject_Call(function, positional, named);
    Py_XDECREF(named);
    Py_XDECREF(positional);
    Py_XDECREF(function);
    Py_XDECREF(careful);
    Py_XDECREF(backend);
    return result;
}

/* A tuple that takes over n new objects; where one of them could not be made, NULL, and all are let go. */
static inline PyObject *tuple_of(PyObject **items, Py_ssize_t n)
{
    PyObject *tuple = NULL;
    int whole = 1;
    for (Py_ssize_t i = 0; i < n; i++)
        whole &= items[i] != NULL;
    if (whole)
        tuple = PyTuple_New(n);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (tuple)
            PyTuple_SetItem(tuple, i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    return tuple;
}

/* The same as a list. */
static inline PyObject *list_of(PyObject **items, Py_ssize_t n)
{
    PyObject *list = NULL;
    int whole = 1;
    for (Py_ssize_t i = 0; i < n; i++)
        whole &= items[i] != NULL;
    if (whole)
        list = PyList_New(n);
    for (Py_ssize_t i = 0; i < n; i++) {
        if (list)
            PyList_SetItem(list, i, items[i]);
        else
            Py_XDECREF(items[i]);
    }
    return list;
}

/* ---- bitboard/core/__init__.py ---- */

/* 0 to 3 for a direction as it is mostly spelled, -1 for what check.direction() shall look at. */
static int direction_of(PyObject *object)
{
    static const char *const names[4] = {"up", "right", "down", "left"};
    long number;
    if (PyUnicode_CheckExact(object)) {
        Py_ssize_t size;
        const char *text = PyUnicode_AsUTF8AndSize(object, &size);
        if (!text)
            PyErr_Clear(); /* surrogates */
        for (int d = 0; text && d < 4; d++) {
            Py_ssize_t i = 0;
            while (i < size && names[d][i] && (text[i] | 32) == names[d][i])
                i++;
            if (size > 0 && i == size && (size == 1 || !names[d][i]))
                return d;
        }
        return -1;
    }
    if (PyLong_CheckExact(object)) {
        number = PyLong_AsLong(object);
    } else { /* of numpy, and whatever else is an integer */
        PyObject *integer = PyNumber_Index(object);
        number = integer ? PyLong_AsLong(integer) : -1;
        Py_XDECREF(integer);
    }
    if (number == -1 && PyErr_Occurred())
        PyErr_Clear();
    return number >= 0 && number <= 3 ? (int)number : -1;
}

static PyObject *object_move(GIVEN)
{
    int direction = n == 2 && !keywords ? direction_of(given[1]) : -1;
    bb_board board;
    (void)self;
    if (direction < 0)
        return carefully("move", given, n, keywords);
    board = board_of(given[0]);
    return failed(board) ? NULL : PyLong_FromUnsignedLongLong(bb_slid(board, direction));
}

static PyObject *object_reward(GIVEN)
{
    int direction = n == 2 && !keywords ? direction_of(given[1]) : -1;
    bb_board board;
    (void)self;
    if (direction < 0)
        return carefully("reward", given, n, keywords);
    board = board_of(given[0]);
    if (failed(board))
        return NULL;
    return PyLong_FromUnsignedLong(bb_rows_reward(direction & 1 ? board : bb_transposed(board)));
}

/* (direction, board, reward). Packing and letting go costs a tenth less of all than placing each item. */
static inline PyObject *slide(int direction, bb_board after, uint32_t reward)
{
    PyObject *a = PyLong_FromLong(direction);
    PyObject *b = PyLong_FromUnsignedLongLong(after);
    PyObject *c = PyLong_FromUnsignedLong(reward);
    PyObject *tuple = a && b && c ? PyTuple_Pack(3, a, b, c) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(c);
    return tuple;
}

static PyObject *object_afterstates(GIVEN)
{
    PyObject *slides[4];
    Py_ssize_t count = 0;
    bb_board board, after[4];
    uint32_t rewards[2];
    (void)self;
    if (n != 1 || keywords)
        return carefully("afterstates", given, n, keywords);
    board = board_of(given[0]);
    if (failed(board))
        return NULL;
    after[0] = bb_slid(board, BB_UP);
    after[1] = bb_slid(board, BB_RIGHT);
    after[2] = bb_slid(board, BB_DOWN);
    after[3] = bb_slid(board, BB_LEFT);
    rewards[0] = bb_rows_reward(bb_transposed(board));
    rewards[1] = bb_rows_reward(board);
    for (int d = 0; d < 4; d++)
        if (after[d] != board)
            slides[count++] = slide(d, after[d], rewards[d & 1]);
    return tuple_of(slides, count);
}

/* (probability, board), with a reference of its own to the probability. */
static inline PyObject *outcome(PyObject *probability, bb_board board)
{
    PyObject *pair[2] = {probability, PyLong_FromUnsignedLongLong(board)};
    Py_INCREF(probability);
    return tuple_of(pair, 2);
}

static PyObject *object_spawns(GIVEN)
{
    PyObject *outcomes[32], *two, *four, *result = NULL;
    Py_ssize_t count = 0;
    bb_board board;
    unsigned empty;
    (void)self;
    if (n != 1 || keywords)
        return carefully("spawns", given, n, keywords);
    board = board_of(given[0]);
    if (failed(board))
        return NULL;
    empty = bb_count_empty(board);
    two = PyFloat_FromDouble(empty ? 0.9 / empty : 1.0);
    four = PyFloat_FromDouble(empty ? 0.1 / empty : 0.0);
    if (two && four) {
        if (!empty)
            outcomes[count++] = outcome(two, board);
        for (int shift = 60; empty && shift >= 0; shift -= 4) {
            if (board >> shift & 15)
                continue;
            outcomes[count++] = outcome(two, board | UINT64_C(1) << shift);
            outcomes[count++] = outcome(four, board | UINT64_C(2) << shift);
        }
        result = tuple_of(outcomes, count);
    }
    Py_XDECREF(two);
    Py_XDECREF(four);
    return result;
}

static PyObject *object_symmetries(GIVEN)
{
    PyObject *images[8];
    bb_board board, across, half;
    (void)self;
    if (n != 1 || keywords)
        return carefully("symmetries", given, n, keywords);
    board = board_of(given[0]);
    if (failed(board))
        return NULL;
    across = bb_transposed(board);
    half = bb_rotate_180(board);
    images[0] = PyNumber_Index(given[0]); /* an int is its own */
    images[1] = PyLong_FromUnsignedLongLong(bb_flipped_horizontal(across));
    images[2] = PyLong_FromUnsignedLongLong(half);
    images[3] = PyLong_FromUnsignedLongLong(bb_flipped_vertical(across));
    images[4] = PyLong_FromUnsignedLongLong(bb_flipped_horizontal(board));
    images[5] = PyLong_FromUnsignedLongLong(bb_flipped_vertical(board));
    images[6] = PyLong_FromUnsignedLongLong(across);
    images[7] = PyLong_FromUnsignedLongLong(bb_transposed(half));
    return tuple_of(images, 8);
}

/* ---- bitboard/search/row_tables.py ---- */

/* The value of a board by the 65,536 doubles that `self`, a bytes object, holds. */
static PyObject *row_value(PyObject *self, PyObject *argument)
{
    const double *table = (const double *)(const void *)PyBytes_AsString(self);
    bb_board board = board_of(argument);
    return failed(board) ? NULL : PyFloat_FromDouble(value_of(table, board));
}

/* The function from a board to its value, of the bytes of 65,536 doubles. It keeps them alive. */
static PyObject *object_row_values(GIVEN)
{
    static PyMethodDef method = {"value", row_value, METH_O, NULL};
    (void)self;
    if (n != 1 || keywords || PyBytes_Size(given[0]) != 65536 * (Py_ssize_t)sizeof(double)) {
        PyErr_SetString(PyExc_TypeError, "row_values() takes the bytes of 65,536 doubles");
        return NULL;
    }
    return PyCFunction_NewEx(&method, given[0], NULL);
}

#include "leaf_games.h"
#include "leaf_grids.h"
