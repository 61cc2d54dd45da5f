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
        if not (last in ("_leaf", "_bulk", "__main__") or (needs_c and BACKENDS[0] != "c")):
            yield name


@pytest.mark.parametrize("name", ["", *modules(PACKAGE)])
def test_docstrings(impl, name):
    module = importlib.import_module(f".{name}" if name else impl.__name__, impl.__name__)
    result = doctest.testmod(module, optionflags=OPTIONS)
    assert result.failed == 0


def test_public_docstrings_have_examples(impl):
    for name in impl.__all__:
        value = getattr(impl, name)
        if callable(value):
            assert ">>>" in value.__doc__, name
