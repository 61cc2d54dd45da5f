/* leaf_fast.h - make cffi's wrappers of the one-board functions cheap. Only for bitboard.core._leaf.
 *
 * cffi releases the GIL and saves errno around every call, which costs more than a function of
 * 5 ns, and it takes whatever has an __int__, such as numpy.float32. So between cffi's own header
 * and the wrappers that it generates, this file redefines what those wrappers use:
 *
 *   - the GIL stays held and errno is left alone (no leaf function blocks, calls back or sets it);
 *   - an argument must be an integer in the sense of operator.index(), and an error names it;
 *   - bb_builtin(name) hands out a wrapper as an ordinary builtin of the package, with a name, a
 *     signature and a docstring, that pickles and that help() explains; bb_objects() hands out those of
 *     leaf_objects.h in a dict.
 *
 * tests/bench/call.py measures what it saves. ffi_build.py uses this file only where the code that
 * cffi generates has the shape expected here, and plain cffi otherwise (bitboard/core/_c.py wraps that).
 */

#undef Py_BEGIN_ALLOW_THREADS
#undef Py_END_ALLOW_THREADS
#define Py_BEGIN_ALLOW_THREADS {
#define Py_END_ALLOW_THREADS }

#undef _cffi_restore_errno
#undef _cffi_save_errno
#define _cffi_restore_errno() ((void)0)
#define _cffi_save_errno() ((void)0)

/* What an argument of a wrapper is called: the first one is a board where nothing else is said. */
static const char *argument_name(const char *wrapper, const char *variable)
{
    int second = strcmp(variable, "arg1") == 0;
    if (strcmp(wrapper, "_cffi_f_bb_spawn") == 0)
        return second ? "random64" : "board";
    if (strcmp(wrapper, "_cffi_f_bb_random64") == 0)
        return second ? "i" : "seed";
    if (strcmp(wrapper, "_cffi_f_bb_stream") == 0)
        return second ? "index" : "seed";
    if (strcmp(wrapper, "_cffi_f_bb_first_board") == 0)
        return "stream";
    if (strcmp(wrapper, "_cffi_f_bb_next_board") == 0 && strcmp(variable, "arg0") != 0)
        return second ? "stream" : "slide";
    return "board";
}

/* The integer of an object that PyLong_AsUnsignedLongLong refused, or an error that names it. */
static uint64_t integer_or_error(PyObject *object, const char *wrapper, const char *variable)
{
    const char *name = argument_name(wrapper, variable);
    PyObject *integer;
    uint64_t value;

    PyErr_Clear();
    integer = PyNumber_Index(object);
    if (integer == NULL) {
        PyObject *type;
        if (!PyErr_ExceptionMatches(PyExc_TypeError))
            return (uint64_t)-1; /* its __index__ raised something else: let that through */
        PyErr_Clear();
        type = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
        PyErr_Format(PyExc_TypeError, "%s must be an integer from 0 to 2**64 - 1, not %S", name,
                     type ? type : Py_None);
        Py_XDECREF(type);
        return (uint64_t)-1;
    }
    value = PyLong_AsUnsignedLongLong(integer);
    if (value == (uint64_t)-1 && PyErr_Occurred()) {
        PyObject *text;
        PyErr_Clear();
        text = PyObject_Str(integer);
        PyErr_Clear(); /* str() refuses integers of thousands of digits */
        PyErr_Format(PyExc_OverflowError, "%s must be an integer from 0 to 2**64 - 1, got %V", name, text,
                     "one of thousands of digits");
        Py_XDECREF(text);
    }
    Py_DECREF(integer);
    return value;
}

static inline uint64_t integer(PyObject *object, const char *wrapper, const char *variable)
{
    uint64_t value = PyLong_AsUnsignedLongLong(object);
    if (value == (uint64_t)-1 && PyErr_Occurred())
        return integer_or_error(object, wrapper, variable);
    return value;
}

#undef _cffi_to_c_int
#define _cffi_to_c_int(object, type) ((type)integer(object, __func__, #object))

/* Only bb_builtin and bb_objects return a pointer: it is an object. */
#undef _cffi_from_c_pointer
#define _cffi_from_c_pointer(pointer, type) ((PyObject *)(void *)(pointer))
