"""The one choice of the backend: the C core or pure Python, by the environment variable BITBOARD_BACKEND.

auto     (default, also if it is empty) C if it was built and loads, else Python
c        C, or ImportError with the cause
python   Python; the C core is not touched

A subject has its two halves in `_c` and `_py`, with the same names; kernels_of() gives the one to use.
"""

from os import environ

_POLICIES = ("auto", "c", "python")


def _refuse(error: Exception) -> "NoReturn":
    """Raise an error. Where this import is the beginning of the command line: a line on stderr, and exit status 2."""
    import re
    import sys

    words = "\0".join(sys.orig_argv)
    is_module = re.search(r"\0-[a-zA-Z]*m\0?bitboard(\.cli)?(\0|$)", words)
    if is_module or re.search(r"(^|[/\\])bitboard(\.exe)?$", sys.argv[0] if getattr(sys, "argv", None) else ""):
        if sys.stderr:
            sys.stderr.write(f"bitboard: {error}\n")
        raise SystemExit(2) from error
    raise error


def _warn_of_a_hidden_one() -> None:
    """Warn where a checkout without a C core, such as the folder that Python runs in, hides an installed package."""
    import sys
    from os import listdir
    from os.path import dirname, isdir, join, realpath

    checkout = dirname(dirname(dirname(realpath(__file__))))
    if not isdir(join(checkout, "csrc")):
        return
    for folder in sys.path:
        core = join(realpath(folder), "bitboard", "core")
        if realpath(folder) != checkout and isdir(core) and any(name.startswith("_leaf.") for name in listdir(core)):
            from warnings import warn

            warn(
                f"bitboard runs in pure Python: the checkout {checkout} hides the package with a C core in {folder}. "
                "Start Python in another folder, or build the C core here: python setup.py build_ext --inplace",
                RuntimeWarning,
                stacklevel=2,
            )
            return


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn

policy = environ.get("BITBOARD_BACKEND") or "auto"
if policy not in _POLICIES:
    _refuse(ValueError(f"BITBOARD_BACKEND must be one of {', '.join(_POLICIES)}; it is {policy!r}"))

INCOMPLETE = "the C core is incomplete, build it again"

BACKEND = "python"
REASON = "BITBOARD_BACKEND=python"  # why this backend, in a few words for people

if policy != "python":
    try:
        from . import _c  # noqa: F401

        BACKEND, REASON = "c", "the C core is built and loads"
    except (ImportError, AttributeError) as error:  # AttributeError: an older library without a function
        if policy == "c":
            _refuse(ImportError(f"BITBOARD_BACKEND=c, but the C core cannot be loaded: {error}"))
        missing = error.name == f"{__package__}._leaf"
        REASON = "the C core is missing: not built, or in a zip" if missing else f"the C core cannot be loaded: {error}"
        if missing:
            _warn_of_a_hidden_one()

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Function = TypeVar("Function", bound=Callable[..., Any])

if TYPE_CHECKING or BACKEND == "python":
    from ._py import *

    quick: "dict[str, Any]" = {}
else:
    from ._c import *
    from ._c import quick

careful: "dict[str, Any]" = {}  # name -> the function in Python, which that in C calls for what is rare


def in_c(function: "Function") -> "Function":
    """Decorate a function whose ordinary calls C answers where it can: the function of its name in C, or itself."""
    name = function.__name__
    careful[name] = function
    return quick.get(name, function)  # type: ignore[no-any-return]


def kernels_of(package: str) -> "Any":
    """The half of a sub-package that serves the backend: its module `_c` or `_py`.

    ImportError with the cause where the C core is of another age than the Python files.
    """
    from importlib import import_module

    if BACKEND == "python":
        return import_module("._py", package)
    try:
        return import_module("._c", package)
    except AttributeError as error:
        raise ImportError(f"{INCOMPLETE}: {error}") from error
