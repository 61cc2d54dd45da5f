"""Files that several programs may write at once: replaced in one step, under a lock, and what others wrote is kept."""

from __future__ import annotations

import errno
import os
import stat
from _thread import get_ident
from contextlib import contextmanager, suppress

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from io import RawIOBase


def check_regular(path: str) -> None:
    """Raise ValueError for what is there and is not a regular file: a folder, a device, a pipe."""
    if os.path.exists(path) and not os.path.isfile(path):
        raise ValueError(f"{path} is no regular file")


def read(path: str) -> str:
    """The text of a file, every byte: what is not UTF-8 comes back as it was in replace(). "" if there is none."""
    try:
        with open(path, "rb") as file:
            return file.read().decode("utf-8-sig", "surrogateescape")
    except FileNotFoundError:
        return ""


def replace(path: str, content: str | bytes | Iterable[bytes | memoryview]) -> None:
    """Write a file in one step, so that an interruption leaves the old one whole. Links and the mode stay.

    content: also piece by piece, for what should not be in memory twice.
    """
    path = os.path.realpath(path)
    check_regular(path)
    try:
        mode = stat.S_IMODE(os.stat(path).st_mode)
    except FileNotFoundError:
        mode = None
    folder, name = os.path.split(path)
    part = os.path.join(folder, f".{name}.{os.urandom(6).hex()}.part")
    # A new file gets the mode that the system gives new files. To ask for the umask one has to set it, and what other
    # threads make meanwhile would have the wrong mode. Nobody else sees the new content of a private file.
    first = 0o666 if mode is None else 0o600
    try:
        with open(part, "xb", opener=lambda path, flags: os.open(path, flags, first)) as file:
            if isinstance(content, str):
                content = content.encode("utf-8", "surrogateescape")
            for piece in [content] if isinstance(content, bytes) else content:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        if mode is not None:
            os.chmod(part, mode)
        os.replace(part, path)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(part)
        raise


def replace_end(path: str, at: int, old: bytes, new: bytes) -> None:
    """Write new in the place of old, the end of a file from byte `at` on.

    A program that is killed in between leaves the beginning of new, where the disk is full old stays; a power cut may
    leave either. Raises OSError.
    """
    with open(path, "r+b", buffering=0) as file:
        try:
            file.truncate(at)
            _put(file, at, new)
        except OSError:
            with suppress(OSError):
                file.truncate(at)
                _put(file, at, old)
            raise


def _put(file: RawIOBase, at: int, data: bytes) -> None:
    """Write all of it at a place: one call of the system may take a part."""
    file.seek(at)
    while data:
        data = data[file.write(data) or 0 :]


@contextmanager
def locked(path: str) -> Iterator[None]:
    """Alone among the programs that ask for the same file; where there are no such locks, not alone."""
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    # The folder is locked, since the file itself is replaced by another one.
    folder = os.open(os.path.dirname(os.path.realpath(path)), os.O_RDONLY)
    try:
        with suppress(OSError):  # a file system without locks
            fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


_owners: dict[str, tuple[int, int]] = {}  # files that this process has, and which thread of it


@contextmanager
def owned(path: str) -> Iterator[None]:
    """For long work that writes a file in the end: alone among those that ask for it, or an error at once.

    The thread that has it may ask again. Beside the file stands .NAME.lock meanwhile, which is no matter to others once
    the program is gone, killed or not. Raises OSError: BlockingIOError where the file is another's.
    """
    path, here = os.path.realpath(path), (os.getpid(), get_ident())
    if _owners.get(path) == here:
        yield
        return
    try:
        import fcntl
    except ImportError:  # Windows: not alone
        yield
        return
    folder, name = os.path.split(path)
    lock = os.path.join(folder, f".{name}.lock")
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:  # of the folder, so of the file too
        raise OSError(error.errno, error.strerror, path) from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            alone = os.path.exists(lock) and os.path.samestat(os.fstat(handle), os.stat(lock))
        except BlockingIOError:
            alone = False
        except OSError:  # a file system without locks
            alone = True
        if not alone:
            raise BlockingIOError(errno.EWOULDBLOCK, "another program is at work that writes it", path)
        _owners[path] = here
        try:
            yield
        finally:
            del _owners[path]
            with suppress(OSError):
                os.unlink(lock)
    finally:
        os.close(handle)
