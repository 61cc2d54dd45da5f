"""Pattern databases of sliding puzzles: partitions, files, the user's cache.

A file is a header of 128 bytes, little-endian, and the tables of the patterns one after another:

    offset  bytes
         0      8  magic "bbslide\\n"
         8      4  version, 1
        12      4  rows, columns, cell of the blank in the goal, number of patterns (one byte each)
        16     16  the pattern of each goal cell, 255 for the blank and cells that are not there
        32      8  bytes of the tables
        40      4  CRC-32 of the tables
        44      4  CRC-32 of the header with this field 0
        48     80  zeros

A table has a nibble for each placement of its pieces (ascending, numbered by pattern_index()), the even
ones in the low half of a byte: (moves of these pieces - their Manhattan distance) / 2. A file is
written under another name and renamed when whole, and read into memory and checked whole when it is used.
"""

from __future__ import annotations

import os
import struct
import time
import warnings
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from ..core import kernels_of
from ..tools import checks, folders, forks
from ..tools.progress import bar
from .board import text_of_size
from .heuristics import Heuristic, Pattern, pattern_weights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .board import Size

    Parts = tuple[tuple[int, ...], ...]

    from . import _py as kernels
else:
    kernels = kernels_of(__package__)

MAGIC, VERSION = b"bbslide\n", 1
HEADER = struct.Struct("<8sI4B16sQII80x")
MOST_PATTERNS = 8
BUILDING_BYTES = 3  # of memory for each placement while a pattern is built
STALE_SECONDS = 3600  # a file half written that nobody has touched for so long was left by a process that is gone

# The shape of Korf and Felner (2002) for the blank first; other partitions are cut in reading order.
_SHAPES = {((4, 4), 0, "6-6-3"): ((1, 2, 4, 5, 8, 9), (3, 6, 7, 10, 11, 15), (12, 13, 14))}

_loaded: dict[tuple[Size, int, Parts], Heuristic] = {}  # what this process has
_lock = forks.Lock()


class DamagedError(ValueError):
    """A database file that is not what it should be."""


class Stopped(Exception):
    """A database is not built: it would take, or has taken, more than a limit allows. Says what."""


def cache_directory() -> str:
    """Where databases are kept: $BITBOARD_CACHE, else bitboard in $XDG_CACHE_HOME or ~/.cache.

    A ~ at the front is a user's folder. Raises FileNotFoundError where that is not known, as in a container without
    HOME whose user has no entry.
    """
    own = os.environ.get("BITBOARD_CACHE")
    return folders.expanded(own, "BITBOARD_CACHE") if own else os.path.join(folders.cache(), "bitboard")


def default_partition(size: Size) -> str:
    """As few patterns of at most six tiles as there can be: 6-6-3 for 4x4."""
    if size == (4, 4):
        return "6-6-3"
    tiles = size[0] * size[1] - 1
    patterns = -(-tiles // 6)
    return "-".join(str(tiles // patterns + (i < tiles % patterns)) for i in range(patterns))


def parts_of(partition: str, size: Size, blank: int) -> Parts:
    """The pieces of each pattern of a partition such as "7-8"; ValueError if it is none for this size."""
    rows, cols = size
    tiles = rows * cols - 1
    # One spelling each, since the name is also the file's: no 06-6-3.
    words = checks.text(partition, "partition").split("-")
    lengths = [int(word) if word in set("12345678") else 0 for word in words]
    if sum(lengths) != tiles or not all(lengths) or len(lengths) > MOST_PATTERNS:
        raise ValueError(
            f"a partition for {text_of_size(size)} must be numbers of tiles from 1 to 8 that add up to {tiles}, "
            f"at most {MOST_PATTERNS} of them, such as {default_partition(size)}; got {checks.shown(partition)}"
        )
    if (size, blank, partition) in _SHAPES:
        return _SHAPES[size, blank, partition]
    # Along the shorter side, so that a pattern is a compact block.
    order = range(rows * cols)
    cells = list(order) if rows >= cols else sorted(order, key=lambda cell: (cell % cols, cell // cols))
    cells.remove(blank)
    return tuple(tuple(sorted(cells[sum(lengths[:i]) : sum(lengths[: i + 1])])) for i in range(len(lengths)))


def entries_of(cells: int, length: int) -> int:
    """How many placements a pattern has."""
    return pattern_weights(length, cells)[0] * cells


def table_bytes(cells: int, parts: Parts) -> int:
    """Bytes of the tables of a database."""
    return sum((entries_of(cells, len(part)) + 1) // 2 for part in parts)


def building_bytes(cells: int, parts: Parts) -> int:
    """Bytes of memory that it takes to build a database, its tables included."""
    return table_bytes(cells, parts) + BUILDING_BYTES * max(entries_of(cells, len(part)) for part in parts)


def path_of(partition: str, size: Size, blank: int) -> str:
    """The file of a database in the cache directory."""
    place = f"-blank{blank}" if blank else ""
    return os.path.join(cache_directory(), f"sliding-{text_of_size(size)}{place}-{partition}.pdb")


def _header(size: Size, blank: int, parts: Parts, data: Any) -> bytes:
    part_of = bytearray(b"\xff" * 16)
    for number, part in enumerate(parts):
        for piece in part:
            part_of[piece] = number
    fields = (MAGIC, VERSION, *size, blank, len(parts), bytes(part_of), len(data), zlib.crc32(data))
    return HEADER.pack(*fields, zlib.crc32(HEADER.pack(*fields, 0)))


def _patterns(parts: Parts, cells: int, data: memoryview) -> list[Pattern]:
    patterns, start = [], 0
    for part in parts:
        end = start + (entries_of(cells, len(part)) + 1) // 2
        patterns.append(Pattern(part, cells, data[start:end]))
        start = end
    return patterns


def load(path: str, size: Size, blank: int, parts: Parts) -> bytes:
    """The tables in a file, read into memory and checked there: 1 to 4 ms for 6 MB, a third of a second for 288 MB.

    Not mapped: what becomes of the file later, cut or written over, must not reach a search.
    Raises OSError if it cannot be read, DamagedError if it is not this database, whole and right.
    """
    wanted = table_bytes(size[0] * size[1], parts)
    with open(path, "rb") as file:
        header = file.read(HEADER.size)
        if not header:
            raise DamagedError("it is empty")
        if len(header) < HEADER.size or header[:8] != MAGIC:
            raise DamagedError("it is no database of sliding puzzles")
        version = int.from_bytes(header[8:12], "little")
        if version != VERSION:
            raise DamagedError(f"its version is {version}, {VERSION} is wanted")
        length = os.fstat(file.fileno()).st_size - HEADER.size
        data = file.read(wanted) if length == wanted else b""
    if len(data) != wanted:
        raise DamagedError(f"it has {length} bytes of tables, {wanted} are wanted")
    if header != _header(size, blank, parts, data):
        raise DamagedError("its checksum is wrong")
    return data


def can_build(parts: Parts) -> bool:
    """Whether the backend can build the patterns."""
    return max(map(len, parts)) <= kernels.LONGEST_PATTERN


def building_seconds(cells: int, parts: Parts) -> float:
    """What building takes on a slow machine, roughly."""
    return sum(entries_of(cells, len(part)) for part in parts) / kernels.PLACEMENTS_A_SECOND


def build(size: Size, blank: int, parts: Parts, progress: Callable[[int], None]) -> bytearray:
    """The tables of a database, made in memory; progress is told of placements found and written."""
    if not can_build(parts):
        raise ImportError(
            f"a pattern of {max(map(len, parts))} tiles needs the C core to be built, "
            f"pure Python takes at most {kernels.LONGEST_PATTERN}"
        )
    cells = size[0] * size[1]
    try:
        data, start = bytearray(table_bytes(cells, parts)), 0
        view = memoryview(data)
        for part in parts:
            end = start + (entries_of(cells, len(part)) + 1) // 2
            kernels.build_pattern(size, blank, part, view[start:end], progress)
            start = end
    except MemoryError:
        need = building_bytes(cells, parts) / 1e6
        raise MemoryError(f"building the database takes {need:,.0f} MB of memory, which there is not") from None
    return data


def save(path: str, size: Size, blank: int, parts: Parts, data: bytearray) -> None:
    """Write a file whole or not at all: two processes at once do no harm. Raises OSError.

    Its permissions are those of any new file (the umask's), so that users can share a cache. Files half
    written by processes that were killed are removed.
    """
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    _remove_stale(folder)
    temporary = f"{path}.{os.urandom(6).hex()}.tmp"
    try:
        with open(temporary, "xb") as file:
            file.write(_header(size, blank, parts, data))
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with suppress(OSError):  # the first error is the one to tell
            os.unlink(temporary)
        raise


def _remove_stale(folder: str) -> None:
    """Remove what killed processes left half written; what cannot be removed stays."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith("sliding-") and entry.name.endswith(".tmp"):
                with suppress(OSError):
                    if time.time() - entry.stat(follow_symlinks=False).st_mtime > STALE_SECONDS:
                        os.unlink(entry.path)


def _from_cache(path: str, size: Size, blank: int, parts: Parts) -> tuple[bytes | None, Exception | None]:
    """The tables in the cache, None where there are none; and why, if there is a file that cannot be used."""
    try:
        return load(path, size, blank, parts), None
    except (FileNotFoundError, NotADirectoryError):
        return None, None
    except (OSError, DamagedError) as error:
        return None, error


def obtain(
    partition: str,
    size: Size,
    blank: int,
    *,
    may_build: bool = True,
    rebuild: bool = False,
    until: float | None = None,
) -> Heuristic | None:
    """A database: of this process, of the cache, or built and kept there; None if it had to be built and may not.

    A bar on stderr shows how a build goes on. If the file cannot be written, a warning says so and
    the database serves this process alone. Raises Stopped if a build goes on when perf_counter() is `until`.
    """
    parts = parts_of(partition, size, blank)
    cells = size[0] * size[1]
    with _lock:
        known = _loaded.get((size, blank, parts))
        if known and not rebuild:
            return known
        data: Any = None
        path = wrong = unknown = None
        try:
            path = path_of(partition, size, blank)
        except FileNotFoundError as error:
            unknown = error
        if path and not rebuild:
            data, wrong = _from_cache(path, size, blank, parts)
        if wrong:
            anew = " and is made anew" if may_build and can_build(parts) else ""
            warnings.warn(f"{path} cannot be used{anew}: {wrong}", RuntimeWarning, stacklevel=3)
        if data is None:
            if not may_build:
                return None
            total = 2 * sum(entries_of(cells, len(part)) for part in parts)
            label = f"building {partition} for {text_of_size(size)}, {table_bytes(cells, parts) / 1e6:,.1f} MB"
            with bar(total, label, "steps", announce=True) as advance:

                def progress(steps: int) -> None:
                    advance(steps)
                    if until is not None and time.perf_counter() >= until:
                        raise Stopped(f"building {partition} takes longer than max_seconds")

                data = build(size, blank, parts, progress)
            if path is None:
                warnings.warn(f"the database is not kept: {unknown}", RuntimeWarning, stacklevel=3)
            else:
                try:
                    save(path, size, blank, parts, data)
                except OSError as error:
                    warnings.warn(f"the database cannot be kept in {path}: {error}", RuntimeWarning, stacklevel=3)
        rows, cols = size
        mirrored = rows == cols and blank // cols == blank % cols
        database = Heuristic(partition, _patterns(parts, cells, memoryview(data)), mirrored)
        _loaded[size, blank, parts] = database
        return database


def files() -> Sequence[tuple[str, int]]:
    """(name, bytes) of the database files in the cache directory."""
    try:
        with os.scandir(cache_directory()) as entries:
            return sorted((e.name, e.stat().st_size) for e in entries if e.name.endswith(".pdb"))
    except OSError:
        return []
