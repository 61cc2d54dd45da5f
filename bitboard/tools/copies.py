"""Copies, pickles and readings of objects whose class may be somebody's subclass: what that added comes along.

A subclass may have an __init__ that takes other arguments, attributes of its own, in its __dict__ or in slots, and a
__getstate__ that leaves out what cannot be pickled.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any


def made(kind: Any, base: Any, **arguments: Any) -> Any:
    """kind(**arguments); where a subclass has an __init__ that does not take them, base.__init__ alone."""
    if kind.__init__ is not base.__init__:
        from inspect import signature

        try:
            signature(kind.__init__).bind(None, **arguments)
        except TypeError:
            thing = kind.__new__(kind)
            base.__init__(thing, **arguments)
            return thing
    return kind(**arguments)


def added(thing: Any, known: Container[str] = ()) -> Any:
    """The attributes of an object but for the known ones, as pickle and copy take a state; None if there are none."""
    own = {name: value for name, value in getattr(thing, "__dict__", {}).items() if name not in known}
    slots = {}
    for kind in type(thing).__mro__:
        names = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if name.startswith("__") and not name.endswith("__"):  # as the compiler writes private names
                name = f"_{kind.__name__.lstrip('_')}{name}"
            if name not in known and name not in ("__dict__", "__weakref__") and hasattr(thing, name):
                slots[name] = getattr(thing, name)
    return (own, slots) if own or slots else None


def state_of(thing: Any, known: Container[str]) -> Any:
    """added(), or what a __getstate__ of a subclass gives, without the known attributes."""
    own = getattr(type(thing), "__getstate__", None)
    if own is getattr(object, "__getstate__", None):
        return added(thing, known)
    state = thing.__getstate__()
    return {name: value for name, value in state.items() if name not in known} if isinstance(state, dict) else state


def restore(thing: Any, state: Any) -> None:
    """Give an object a state of added(), or the one that Python makes of an object without __getstate__."""
    own, slots = state if isinstance(state, tuple) else (state, None)
    if own:
        thing.__dict__.update(own)
    for name, value in (slots or {}).items():
        object.__setattr__(thing, name, value)  # past the __setattr__ of what must not change
