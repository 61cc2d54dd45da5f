"""What the code of others raised, in a line for its author."""

from __future__ import annotations


def told(error: BaseException) -> str:
    """Type and message of an exception that was just caught, and its place: the file and the line.

    There is no place where the function that caught it could not even call, and for what says its place itself.
    """
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    place = None if isinstance(error, SyntaxError) else _place(error)
    return what if place is None else f"{what} ({place[0]}, line {place[1]})"


def _place(error: BaseException) -> tuple[str, int | None] | None:
    """The innermost line of the user's code: not one of this package's or of a library's, where there is another."""
    from pathlib import Path
    from sysconfig import get_path
    from traceback import extract_tb

    own, standard = Path(__file__).parent.parent, Path(get_path("stdlib"))
    found: tuple[str, int | None] | None = None
    best = 0
    for frame in extract_tb(error.__traceback__)[1:]:  # the first is the function that caught it
        path = Path(frame.filename)
        library = {"site-packages", "dist-packages"} & set(path.parts) or standard in path.parents
        kind = 0 if own in path.parents else 1 if library or frame.filename.startswith("<frozen") else 2
        if kind >= best:
            found, best = (frame.filename, frame.lineno), kind
    return found
