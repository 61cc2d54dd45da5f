"""typing.get_type_hints() works on every public function, class and method, as pydantic and documentation tools call it."""

import inspect
import typing

import pytest

MODULES = ("", "agents", "env", "grid", "record", "render", "sliding")


def public(module):
    """(name, function or class) of a module and the methods of its classes, inherited ones too."""
    for name in getattr(module, "__all__", None) or [n for n in vars(module) if n[0] != "_"]:
        value = getattr(module, name)
        if not callable(value):
            continue
        yield name, value
        if inspect.isclass(value):
            ours = [base for base in value.__mro__ if base.__module__.split(".")[0] == module.__name__.split(".")[0]]
            for key, member in [item for base in ours for item in vars(base).items()]:
                function = getattr(member, "__func__", getattr(member, "fget", member))
                if inspect.isfunction(function):
                    yield f"{name}.{key}", function


@pytest.mark.parametrize("module", MODULES)
def test_hints(impl, module):
    checked = 0
    for name, value in public(getattr(impl, module) if module else impl):
        try:
            typing.get_type_hints(value)
        except NameError as error:
            # Gymnasium's own base class has an annotation that only type checkers see.
            assert module == "env" and "EnvSpec" in str(error), name
        checked += 1
    assert checked >= 5
