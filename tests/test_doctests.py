"""The examples in docstrings run, and give what they show."""

import doctest
import importlib
import pkgutil

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS

PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def modules(package):
    """The names of the modules of a package that can be imported here."""
    for info in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        name = info.name.partition(".")[2]
        last = name.rpartition(".")[2]
        needs_c = last in ("_c", "ffi")
        elsewhere = name == "env.sb3"  # needs stable-baselines3: test_env_sb3.py runs its examples
        if not (last in ("_leaf", "_bulk", "__main__") or (needs_c and BACKENDS[0] != "c") or elsewhere):
            yield name


NAMES = ["", *modules(PACKAGE)]
# Examples that must be found at least: with the C core, `bitboard` itself has those of the functions written in C too.
EXAMPLES = {"c": 229, "python": 185}


def module_of(impl, name):
    return importlib.import_module(f".{name}" if name else impl.__name__, impl.__name__)


@pytest.mark.parametrize("name", NAMES)
def test_docstrings(impl, name):
    result = doctest.testmod(module_of(impl, name), optionflags=OPTIONS)
    assert result.failed == 0


def test_no_example_is_lost(impl):
    """A module that is not walked, or a name that a module only hands on, would take its examples with it unseen."""
    finder = doctest.DocTestFinder()
    found = {name: sum(len(test.examples) for test in finder.find(module_of(impl, name))) for name in NAMES}
    assert sum(found.values()) >= EXAMPLES[impl.BACKEND], found


def test_public_docstrings_have_examples(impl):
    for name in impl.__all__:
        value = getattr(impl, name)
        if callable(value):
            assert ">>>" in value.__doc__, name
