"""The folders of this user: where programs keep what they make, by the rules of freedesktop.org, and Windows' own."""

from __future__ import annotations

import os


def cache() -> str:
    """For what can be made again: $XDG_CACHE_HOME or ~/.cache. Raises OSError as home()."""
    return _absolute("XDG_CACHE_HOME") or os.path.join(home(), ".cache")


def state() -> str:
    """For what must not be lost: $XDG_STATE_HOME or ~/.local/state, %LOCALAPPDATA% on Windows. OSError as home()."""
    if os.name == "nt":
        return os.environ.get("LOCALAPPDATA") or home()
    return _absolute("XDG_STATE_HOME") or os.path.join(home(), ".local", "state")


def home() -> str:
    """The user's own folder. Raises FileNotFoundError where none is known: no HOME, and a user without an entry."""
    found = os.path.expanduser("~")
    if not os.path.isabs(found):
        raise FileNotFoundError("your home folder is not known: HOME is not set to one")
    return found


def expanded(path: str, name: str) -> str:
    """A path whose ~ or ~user at the front is that user's folder; FileNotFoundError that has `name` if there is none.

    os.path.expanduser() leaves the ~ then, and a folder of that name would be made where the program happens to run.
    """
    found = os.path.expanduser(path)
    if path.startswith("~") and not os.path.isabs(found):
        raise FileNotFoundError(f"{name} begins with a user whose folder is not known: {path!r}")
    return found


def _absolute(variable: str) -> str:
    """The value of a variable that must be an absolute path, and counts as not set if it is not."""
    path = os.environ.get(variable, "")
    return path if os.path.isabs(path) else ""
