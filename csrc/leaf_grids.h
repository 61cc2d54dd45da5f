/* leaf_grids.h - boards from and to grids and text, of bitboard/core/notation.py. A part of leaf_objects.h. */

/* Whether one argument was given, and nothing else but exponents=False or True, which `exponents` becomes. */
static inline int one_grid(PyObject *const *given, Py_ssize_t n, PyObject *keywords, int *exponents)
{
    *exponents = 0;
    if (n != 1 || !keywords)
        return n == 1;
    if (PyTuple_Size(keywords) != 1 || PyUnicode_CompareWithASCIIString(PyTuple_GetItem(keywords, 0), "exponents") != 0)
        return 0;
    *exponents = given[1] == Py_True;
    return *exponents || given[1] == Py_False;
}

static PyObject *object_to_grid(GIVEN)
{
    PyObject *rows[4];
    bb_board board;
    int exponents;
    (void)self;
    if (!one_grid(given, n, keywords, &exponents))
        return carefully("to_grid", given, n, keywords);
    board = board_of(given[0]);
    if (failed(board))
        return NULL;
    for (int r = 0; r < 4; r++) {
        PyObject *cells[4];
        for (int c = 0; c < 4; c++) {
            long exponent = (long)(board >> (60 - 16 * r - 4 * c) & 15);
            cells[c] = PyLong_FromLong(exponents ? exponent : (1L << exponent) & ~1L);
        }
        rows[r] = list_of(cells, 4);
    }
    return list_of(rows, 4);
}

/* Item i of a list or tuple, borrowed. */
static inline PyObject *item_of(PyObject *sequence, Py_ssize_t i)
{
    return PyList_CheckExact(sequence) ? PyList_GetItem(sequence, i) : PyTuple_GetItem(sequence, i);
}

/* The length of a list or tuple, -1 for anything else. */
static inline Py_ssize_t size_of(PyObject *object)
{
    return PyList_CheckExact(object) ? PyList_Size(object) : PyTuple_CheckExact(object) ? PyTuple_Size(object) : -1;
}

/* Put n cells behind those of the board; whether each of them was a plain int that may be there. */
static int read_cells(PyObject *sequence, Py_ssize_t n, int exponents, bb_board *board)
{
    for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *object = item_of(sequence, i);
        unsigned long value;
        if (!PyLong_CheckExact(object))
            return 0;
        value = PyLong_AsUnsignedLong(object);
        if (value == (unsigned long)-1 && PyErr_Occurred())
            PyErr_Clear(); /* and it is too large below */
        if (!exponents) { /* a power of two to the place of its bit */
            if (value > 32768 || value == 1 || (value & (value - 1)))
                return 0;
            value = (unsigned long)((value & 0xAAAA) != 0) | (unsigned long)((value & 0xCCCC) != 0) << 1
                    | (unsigned long)((value & 0xF0F0) != 0) << 2 | (unsigned long)((value & 0xFF00) != 0) << 3;
        }
        if (value > 15)
            return 0;
        *board = *board << 4 | value;
    }
    return 1;
}

/* Read 4 lists of 4 plain ints, or one of 16; tuples too. Whether it is one. */
static int read_grid(PyObject *grid, int exponents, bb_board *board)
{
    Py_ssize_t size = size_of(grid);
    *board = 0;
    if (size == 16)
        return read_cells(grid, 16, exponents, board);
    if (size != 4)
        return 0;
    for (Py_ssize_t r = 0; r < 4; r++) {
        PyObject *row = item_of(grid, r);
        if (size_of(row) != 4 || !read_cells(row, 4, exponents, board))
            return 0;
    }
    return 1;
}

/* Whether an object is an array of numpy, not of a class derived from it, with 16 items and not of dates or times, of
 * which tolist() can make ints. */
static int is_array_of_16(PyObject *object)
{
    PyObject *numpy = PyDict_GetItemString(PyImport_GetModuleDict(), "numpy"); /* borrowed; not imported for this */
    PyObject *type = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
    int is_array = type == (PyObject *)Py_TYPE(object);
    PyObject *size = is_array ? PyObject_GetAttrString(object, "size") : NULL;
    PyObject *dtype = size && PyLong_AsLong(size) == 16 ? PyObject_GetAttrString(object, "dtype") : NULL;
    PyObject *kind = dtype ? PyObject_GetAttrString(dtype, "kind") : NULL;
    int fits = kind && PyUnicode_CompareWithASCIIString(kind, "M") != 0
               && PyUnicode_CompareWithASCIIString(kind, "m") != 0;
    Py_XDECREF(type);
    Py_XDECREF(size);
    Py_XDECREF(dtype);
    Py_XDECREF(kind);
    PyErr_Clear();
    return fits;
}

static PyObject *object_from_grid(GIVEN)
{
    bb_board board;
    int exponents, is_grid = 0;
    (void)self;
    if (one_grid(given, n, keywords, &exponents)) {
        is_grid = read_grid(given[0], exponents, &board);
        if (!is_grid && size_of(given[0]) < 0 && is_array_of_16(given[0])) {
            PyObject *lists = PyObject_CallMethod(given[0], "tolist", NULL);
            is_grid = lists && read_grid(lists, exponents, &board);
            Py_XDECREF(lists);
            PyErr_Clear();
        }
    }
    return is_grid ? PyLong_FromUnsignedLongLong(board) : carefully("from_grid", given, n, keywords);
}

static PyObject *object_exponent_bytes(GIVEN)
{
    char cells[16];
    bb_board board;
    (void)self;
    if (n != 1 || keywords)
        return carefully("exponent_bytes", given, n, keywords);
    board = board_of(given[0]);
    if (failed(board))
        return NULL;
    for (int i = 0; i < 16; i++)
        cells[i] = (char)(board >> (60 - 4 * i) & 15);
    return PyByteArray_FromStringAndSize(cells, 16);
}

static PyObject *object_parse(GIVEN)
{
    (void)self;
    if (n == 1 && !keywords && PyUnicode_CheckExact(given[0]) && PyUnicode_GetLength(given[0]) == 16) {
        Py_ssize_t size = 0;
        const char *text = PyUnicode_AsUTF8AndSize(given[0], &size);
        bb_board board = 0;
        int i = 0;
        if (!text)
            PyErr_Clear(); /* surrogates */
        for (; size == 16 && i < 16; i++) {
            int digit = text[i], letter = digit | 32;
            if (digit >= '0' && digit <= '9')
                board = board << 4 | (unsigned)(digit - '0');
            else if (letter >= 'a' && letter <= 'f')
                board = board << 4 | (unsigned)(letter - 'a' + 10);
            else
                break;
        }
        if (i == 16)
            return PyLong_FromUnsignedLongLong(board);
    }
    return carefully("parse", given, n, keywords);
}
