"""Describe the two C modules to cffi; setup.py names `leaf` and `bulk` here.

`leaf` holds the one-board functions, the GIL held, one call a few nanoseconds;
`bulk` holds loops over arrays and searches, and releases the GIL as cffi does by
itself. Both contain the row table, rendered here from bitboard/core/rows.bin.

    python csrc/ffi_build.py       print the row table as C, for csrc/selftest/
"""

import ast
import glob
import os
import re
import sys
import sysconfig
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEAF_SOURCES = ["csrc/board.c"]
# The functions of csrc/leaf_objects.h: the module that has the Python function of the name, which is its docstring too;
# None for those that only the package calls.
OBJECTS = {
    **dict.fromkeys(("move", "reward", "turn", "afterstates", "spawns", "symmetries"), "core"),
    **dict.fromkeys(("to_grid", "from_grid", "exponent_bytes", "parse"), "core.notation"),
    "row_values": None,
    "advance": None,
}
BULK_TOPICS = (
    "variants many perft grid play batch encode env sliding sliding_database sliding_search sliding_astar"
    " search search_count search_table search_leaves search_network network network_learn network_play network_pack"
)
BULK_SOURCES = [f"csrc/{name}.c" for name in BULK_TOPICS.split()]


def depends():
    """Every file that the build reads, relative to the project: rebuilt when one changes, and in the sdist."""
    found = [p for kind in ("*.h", "*.c", "*.py") for p in glob.glob(f"csrc/{kind}", root_dir=ROOT)]
    return [*sorted(found), *(f"bitboard/core/{name}" for name in ("rows.bin", "_py.py", "__init__.py", "notation.py"))]


def rows_c():
    """The row table as the definition of bb_rows."""
    data = (ROOT / "bitboard" / "core" / "rows.bin").read_bytes()
    entries = [int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)]
    lines = [",".join(f"0x{e:x}u" for e in entries[i : i + 8]) for i in range(0, len(entries), 8)]
    return "const uint64_t bb_rows[65536] = {\n" + ",\n".join(lines) + "};\n"


def api(*names):
    """The text of API headers for cdef(), after the type that they use from bitboard.h."""
    types = re.findall(
        r"^typedef .* bb_board;$", (ROOT / "csrc" / "bitboard.h").read_text(encoding="utf-8"), re.MULTILINE
    )
    return "\n".join([*types, *((ROOT / "csrc" / name).read_text(encoding="utf-8") for name in names)])


def bulk_headers():
    """The API headers that csrc/bulk_api.h lists, one a subject."""
    return re.findall(r'^#include "(.+)"$', (ROOT / "csrc" / "bulk_api.h").read_text(encoding="utf-8"), re.MULTILINE)


def leaf_functions():
    """(name without bb_, number of arguments) of each function in leaf_api.h."""
    declarations = re.findall(r"^\S.*?\bbb_(\w+)\((.*)\);$", api("leaf_api.h"), re.MULTILINE)
    return [(name, arguments.count(",") + 1) for name, arguments in declarations]


def docstrings(module):
    """What a builtin's docstring is for each function of a module of the package: its signature and its docstring."""
    path = ROOT / "bitboard" / module.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    tree = ast.parse(file.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for node in functions:
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = None
    return {f.name: f"{f.name}({ast.unparse(f.args)})\n--\n\n{ast.get_docstring(f)}" for f in functions}


def c_string(text):
    """A C string literal."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", '\\n"\n    "') + '"'


def builtins_c():
    """The method table; bb_builtin, which hands out a leaf function; bb_objects, those of leaf_objects.h by name."""
    docs = {module: docstrings(module) for module in ("core._py", *filter(None, OBJECTS.values()))}
    declared, methods, modules = [], [], []
    for name, arguments in leaf_functions():
        flag = "METH_O" if arguments == 1 else "METH_VARARGS"
        declared.append(f"static PyObject *_cffi_f_bb_{name}(PyObject *, PyObject *);")
        methods.append(f'    {{"{name}", _cffi_f_bb_{name}, {flag},\n    {c_string(docs["core._py"][name])}}},')
        modules.append('"bitboard"')
    for name, module in OBJECTS.items():
        function = f"(PyCFunction)(void (*)(void))object_{name}"
        text = c_string(docs[module][name]) if module else "NULL"
        methods.append(f'    {{"{name}", {function}, METH_FASTCALL | METH_KEYWORDS,\n    {text}}},')
        modules.append(f'"bitboard.{module}"' if module else '"bitboard"')
    return "\n".join([
        *declared,
        "static PyMethodDef builtins[] = {", *methods, "    {NULL, NULL, 0, NULL}};",
        f"static const char *const modules[] = {{{', '.join(modules)}}};",
        f"enum {{ LEAVES = {len(leaf_functions())} }};",
        "static PyObject *handed_out(int i)",
        "{",
        "    PyObject *module = PyUnicode_FromString(modules[i]);",
        "    PyObject *function = module ? PyCFunction_NewEx(&builtins[i], NULL, module) : NULL;",
        "    Py_XDECREF(module);",
        "    return function;",
        "}",
        "static void *bb_builtin(const char *name)",
        "{",
        "    int i = 0;",
        "    while (builtins[i].ml_name && strcmp(builtins[i].ml_name, name) != 0)",
        "        i++;",
        "    if (!builtins[i].ml_name)",
        '        return PyErr_Format(PyExc_AttributeError, "no leaf function %s", name);',
        "    return handed_out(i);",
        "}",
        "static void *bb_objects(void)",
        "{",
        "    PyObject *all = PyDict_New();",
        "    for (int i = LEAVES; all && builtins[i].ml_name; i++) {",
        "        PyObject *function = handed_out(i);",
        "        if (!function || PyDict_SetItemString(all, builtins[i].ml_name, function) != 0)",
        "            Py_CLEAR(all);",
        "        Py_XDECREF(function);",
        "    }",
        "    return all;",
        "}",
    ])  # fmt: skip


# A free-threaded CPython has no stable ABI here, whether or not its GIL is on now; other implementations have none.
ABI3 = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")


def module(name, cdef, source, sources):
    """An FFI for bitboard.core.<name>."""
    from cffi import FFI

    ffi = FFI()
    ffi.cdef(cdef)
    ffi.set_source(
        f"bitboard.core.{name}",
        source,
        sources=sources,
        include_dirs=["csrc"],
        depends=depends(),
        py_limited_api=ABI3,
        define_macros=[("Py_LIMITED_API", "0x030A0000")] if ABI3 else [],
    )
    return ffi


def generated_c(ffi):
    """The C code that cffi makes of an FFI."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "generated.c")
        ffi.emit_c_code(path)
        return Path(path).read_text(encoding="utf-8")


def has_expected_shape(code):
    """Whether cffi's wrappers use the macros that leaf_fast.h redefines, each as it expects."""
    for name, arguments in leaf_functions():
        parameter = "arg0" if arguments == 1 else "args"
        wrapper = re.search(
            rf"^_cffi_f_bb_{name}\(PyObject \*self, PyObject \*{parameter}\)\n{{\n(.*?)^}}", code, re.M | re.S
        )
        if not wrapper or not re.search(
            r"x0 = _cffi_to_c_int\(arg0, uint64_t\);.*"
            r"  Py_BEGIN_ALLOW_THREADS\n  _cffi_restore_errno\(\);\n  { result = \w+\(.*\); }\n"
            r"  _cffi_save_errno\(\);\n  Py_END_ALLOW_THREADS\n",
            wrapper[1],
            re.S,
        ):
            return False
    return True


def leaf():
    """bitboard.core._leaf: fast where cffi is as we know it, plain cffi otherwise or with BITBOARD_PLAIN_CFFI=1."""
    header = '#include "bitboard.h"\n'
    plain = module("_leaf", api("leaf_api.h"), header + rows_c(), LEAF_SOURCES)
    fast = module(
        "_leaf",
        api("leaf_api.h") + "void *bb_builtin(const char *name);\nvoid *bb_objects(void);\n",
        header + '#include "leaf_fast.h"\n#include "leaf_objects.h"\n' + builtins_c() + "\n" + rows_c(),
        LEAF_SOURCES,
    )
    if not ABI3 or os.environ.get("BITBOARD_PLAIN_CFFI") == "1" or not has_expected_shape(generated_c(fast)):
        return plain
    return fast


def bulk():
    """bitboard.core._bulk: arrays, searches and networks."""
    return module("_bulk", api(*bulk_headers()), '#include "bitboard.h"\n' + rows_c(), BULK_SOURCES)


if __name__ == "__main__":
    print('#include "bitboard.h"')
    print(rows_c(), end="")
