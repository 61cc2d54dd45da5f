"""Files of networks: our own format, and which format a file has.

The format: the 8 bytes `bbntuple`, the version 1, the length of the heading and its CRC-32 as little-endian unsigned
32-bit integers, then the heading in JSON: the patterns, stages, settings of training, and the sections that follow,
each with name, offset (from the end of the heading, rounded up to 64), bytes and CRC-32. Sections, little-endian:
  weights    32-bit floats, all stages; errors   E and A of each entry beside one another (csrc/network_api.h)
  gaps0 ... differences2   a packed network: where its entries are and their multiples of its step, compressed
  state0 ...   what the trainers go on from, 64-bit words
"""

from __future__ import annotations

import json
import os
import sys
from array import array
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import accumulate
from mmap import ACCESS_COPY, mmap
from os import PathLike
from pkgutil import get_data
from typing import Any, SupportsIndex
from zlib import crc32

from ..tools import checks, copies, files
from . import packing, tdl
from . import patterns as names
from .network import NTupleNetwork, _number

__all__ = ["default", "load", "save", "shrink", "split", "unpack"]

MAGIC, VERSION = b"bbntuple", 1
HEAD, ALIGN, BLOCK = 20, 64, 1 << 24
TRACE = 0.001  # of an error: far below those of learning
ITEMS = {"weights": "f", "errors": "f"} | {
    f"{name}{i}": "B" for name in packing.PLANES for i in range(packing.PLANES[name])
}

# What the constructor sets; other attributes are the user's, and are kept by copies.
FIELDS = frozenset(NTupleNetwork("2x4").__dict__)


def _crc(data: memoryview) -> int:
    crc = 0
    for start in range(0, len(data), BLOCK):  # between two blocks Ctrl-C is heard
        crc = crc32(data[start : start + BLOCK], crc)
    return crc


def _sections(network: NTupleNetwork) -> dict[str, memoryview]:
    """The arrays of a network as bytes."""
    found: dict[str, Any] = {}
    if network._packed is not None:
        found |= packing.compressed(*network._packed[:2])
    else:
        found["weights"] = network._weights
        if network._errors is not None:
            found["errors"] = network._errors
    if network._trainers is not None:
        for i, trainer in enumerate(network._trainers[1]):
            found[f"state{i}"] = trainer.state() if hasattr(trainer, "state") else trainer
    if sys.byteorder == "big":
        for name, items in found.items():
            swapped = array(ITEMS.get(name, "Q"), items)
            swapped.byteswap()
            found[name] = swapped
    return {name: memoryview(items).cast("B") for name, items in found.items()}


def parts(network: NTupleNetwork) -> Iterator[bytes | memoryview]:
    """The content of its file, piece by piece."""
    sections, table, at = _sections(network), [], 0
    for name, data in sections.items():
        table.append({"name": name, "offset": at, "bytes": len(data), "crc": _crc(data)})
        at += -(-len(data) // ALIGN) * ALIGN
    heading = json.dumps(
        {
            "patterns": network.patterns,
            "stages": network.stages,
            "stage_by": network.stage_by,
            "coherence": network.coherence,
            "step": None if network._packed is None else network._packed[2],
            "training": None if network._trainers is None else network._trainers[0],
            "sections": table,
        }
    ).encode("ascii")
    numbers = (VERSION, len(heading), crc32(heading))
    yield MAGIC + b"".join([number.to_bytes(4, "little") for number in numbers]) + heading
    yield bytes(-(HEAD + len(heading)) % ALIGN)
    for data in sections.values():
        yield data
        yield bytes(-len(data) % ALIGN)


def save(network: NTupleNetwork, path: str | PathLike[str], format: str = "bitboard", bits: SupportsIndex = 32) -> None:
    """Write a network; see NTupleNetwork.save."""
    name = os.fsdecode(path)
    size = checks.integer(bits, "bits", 16, 64)
    if size not in (16, 32, 64) or (size != 32 and format == "bitboard"):
        raise ValueError(f"bits must be 16, 32 or 64, and 32 where the format is not tdl, got {size}")
    if checks.text(format, "format") == "tdl":
        files.replace(name, tdl.parts(network, size))
    elif format == "bitboard":
        files.replace(name, parts(network))
        network._file = os.path.abspath(name), _heading_crc(name)
    else:
        raise ValueError(f"format must be bitboard or tdl, got {checks.shown(format)}")


def _heading_crc(path: str) -> int:
    """The checksum of the heading, which has those of all sections: what tells two files apart."""
    with open(path, "rb") as file:
        return int.from_bytes(file.read(HEAD)[16:], "little")


def is_same(known: tuple[str, int]) -> bool:
    """Whether a file still is what it was."""
    try:
        return _heading_crc(known[0]) == known[1]
    except OSError:
        return False


def load(cls: type[NTupleNetwork], path: str | PathLike[str], trusted: bool = False) -> NTupleNetwork:
    """Read a file; see NTupleNetwork.load. trusted: its sections were checked before."""
    name = os.fsdecode(os.fspath(path))
    with open(name, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size < HEAD:
            raise ValueError(f"{name} is no file of a network: it has {size} bytes")
        data = memoryview(mmap(file.fileno(), size, access=ACCESS_COPY))
    if bytes(data[:8]) == MAGIC:
        network = _read(cls, name, data, trusted)
        network._file = os.path.abspath(name), int.from_bytes(data[16:HEAD], "little")
        network._mapped = sys.byteorder == "little"
        return network
    if tdl.is_one(data):
        return tdl.read(cls, name, data)
    raise ValueError(f"{name} is no file of a network: it does not begin as one, nor as a .w file of TDL2048")


def _read(cls: type[NTupleNetwork], name: str, data: memoryview, trusted: bool) -> NTupleNetwork:
    """The network that the bytes of a file hold."""
    version, length, crc = (int.from_bytes(data[at : at + 4], "little") for at in (8, 12, 16))
    if version != VERSION:
        raise ValueError(f"{name} is a network of version {version} of the format; version {VERSION} is read here")
    text = data[HEAD : HEAD + length]
    if len(text) != length or crc32(text) != crc:
        raise ValueError(f"{name} is damaged: the checksum of its heading is wrong")
    try:
        heading = json.loads(bytes(text))
        network = cls.__new__(cls)
        stages = [int(face) for face in heading["stages"]]
        network._define(names.parse(heading["patterns"]), stages, heading["stage_by"], heading["coherence"])
        start = -(-(HEAD + length) // ALIGN) * ALIGN
        found = {}
        for section in heading["sections"]:
            part = data[start + section["offset"] :][: section["bytes"]]
            if len(part) != section["bytes"]:
                raise ValueError(f"{name} is damaged: it ends too early")
            if not trusted and _crc(part) != section["crc"]:
                raise ValueError(f"{name} is damaged: the checksum of its {section['name']} is wrong")
            found[section["name"]] = _native(part, ITEMS.get(section["name"], "Q"))
        training, step = heading["training"], heading["step"]
    except (KeyError, TypeError) as error:
        raise ValueError(f"{name} is damaged: its heading is incomplete ({error})") from None
    if step is not None:
        try:
            entries = packing.expanded(found)
        except ValueError as error:
            raise ValueError(f"{name} is damaged: {error}") from None
        if not network._set_packed(*entries, step):
            raise ValueError(f"{name} is damaged: its entries lead past the end")
    else:
        errors = found.get("errors")
        if len(found["weights"]) != network.entries or len(errors or ()) not in (0, 2 * network.entries):
            raise ValueError(f"{name} is damaged: it has {len(found['weights'])} weights, not {network.entries}")
        network._set_weights(found["weights"], errors)
    if training is not None:
        network._trainers = tuple(training), [array("Q", found[f"state{i}"]) for i in range(training[1])]
    return network


def _native(part: memoryview, typecode: str) -> memoryview:
    """Little-endian items as this machine has them."""
    if sys.byteorder == "little":
        return part.cast(typecode)  # type: ignore[call-overload,no-any-return]
    items = array(typecode, part.tobytes())
    items.byteswap()
    return memoryview(items)


def from_file(cls: type[NTupleNetwork], path: str, crc: int) -> NTupleNetwork:
    """For pickle: a network that a file has."""
    if not is_same((path, crc)):
        raise ValueError(f"{path} is not the file of the network any more that was pickled by its name")
    return load(cls, path, trusted=True)


def from_bytes(cls: type[NTupleNetwork], content: bytes) -> NTupleNetwork:
    """For pickle: a network that no file has."""
    network = _read(cls, "the pickle", memoryview(content), True)
    network._mapped = sys.byteorder == "little"  # as of a file: it takes memory of its own when it learns
    return network


def default(cls: type[NTupleNetwork]) -> NTupleNetwork:
    """The shipped network; see NTupleNetwork.default. Also for pickle."""
    network = cls.__new__(cls)
    network.__dict__.update(_default().__dict__)  # what was read is never written
    return network


@cache
def _default() -> NTupleNetwork:
    content = get_data(__package__, "default.bbnet")
    assert content is not None, "this importer gives no data"
    network = _read(NTupleNetwork, "default.bbnet", memoryview(content), False)
    network._is_default = True
    return network


def split(network: NTupleNetwork, stages: Iterable[SupportsIndex]) -> NTupleNetwork:
    """A new network of other stages; each begins with the weights of the stage that it comes from.

    stages: face values as those of NTupleNetwork, compared with the same measure. A network that has learned all of a
    game so learns on for its late part in weights of its own. With coherence a new stage keeps a tenth of what its
    rates come from, so that they change sooner; from nothing at all it would unlearn what it begins with.
    Raises TypeError and ValueError for stages and for a packed network, MemoryError as a new network.
    """
    network._check_learns()
    faces = network._stages(stages, network.stage_by)
    result = type(network).__new__(type(network))
    result._define(network.patterns, faces, network.stage_by, network.coherence)
    result._take_memory()
    if network._errors is not None:
        result._begin_learning()
    one = network.entries // (1 + len(network.stages))
    for to, face in enumerate((0, *faces)):
        of = sum(start <= face for start in network.stages)
        for new, old, width in ((result._weights, network._weights, 1), (result._errors, network._errors, 2)):
            if new is not None and old is not None:
                new[width * to * one : width * (to + 1) * one] = old[width * of * one : width * (of + 1) * one]
        if result._errors is not None and face not in (0, *network.stages):
            result._kernel.hasten(to * one, (to + 1) * one)
    copies.restore(result, copies.added(network, FIELDS))
    return result


def shrink(network: NTupleNetwork, entries: Any = 3_000_000, step: float | None = None) -> NTupleNetwork:
    """A new network with only the entries that matter most: those whose absence costs most where they are met.

    entries: how many are kept at most. step: None for a network whose other entries are absent: it learns on with
    just those kept, as it should before it is packed. Else the weights are rounded to multiples of step points and
    packed: read only, a few MB as a file (8 to 64 are good steps).
    Raises TypeError and ValueError for the arguments, for one that did not learn with coherence, and for a step so
    small that a weight is beyond 32,767 steps; MemoryError as a new network.
    """
    network._check_learns()
    keep = checks.integer(entries, "entries", 1, 2**40)
    size = None if step is None else _number(step, "step", 1e-6, 1e6)
    if network._errors is None or network._weights is None:
        raise ValueError("only a network that has learned with coherence can be shrunk: nothing tells what matters")
    smaller = type(network).__new__(type(network))
    smaller._define(network.patterns, list(network.stages), network.stage_by, network.coherence)
    smaller._take_memory()
    smaller._begin_learning()
    assert smaller._weights is not None and smaller._errors is not None
    smaller._weights[:], smaller._errors[:] = network._weights, network._errors
    smaller._kernel.shrink(keep)
    own = copies.added(network, FIELDS)
    if size is None:
        copies.restore(smaller, own)
        return smaller
    packed = smaller._kernel.pack(size)
    if packed is None:
        raise ValueError(f"step {size:g} is too small: a weight is beyond 32,767 steps")
    result = type(network).__new__(type(network))
    result._define(network.patterns, list(network.stages), network.stage_by, network.coherence)
    result._set_packed(memoryview(packed[0]), memoryview(packed[1]), size)
    copies.restore(result, own)
    return result


def unpack(network: NTupleNetwork) -> NTupleNetwork:
    """A new network with the weights of a packed one and all other entries 0, each of which learns on.

    With coherence all rates begin at 1: learn with a small `rate` first, or what is there is soon unlearned. What is
    there has a trace of errors, so that shrink() keeps entries that learning does not meet again: those of slides that
    are rejected for them. Takes memory as a new network of its patterns, and two seconds for the shipped one.
    Raises ValueError for a network that is not packed, MemoryError as a new network.
    """
    if network._packed is None:
        raise ValueError("only a packed network can be unpacked: this one learns as it is")
    result = type(network).__new__(type(network))
    result._define(network.patterns, list(network.stages), network.stage_by, network.coherence)
    result._take_memory()
    gaps, multiples, step = network._packed
    result._begin_learning()
    weights: Any = result._weights
    errors: Any = result._errors
    for entry, multiple in zip(accumulate(gaps, initial=-1), (0, *multiples), strict=True):
        if multiple:
            weights[entry] = multiple * step
            if errors is not None:
                errors[2 * entry] = errors[2 * entry + 1] = TRACE
    copies.restore(result, copies.added(network, FIELDS))
    return result
