"""The .w files of TDL2048: tables of weights as 16, 32 or 64-bit floats, with and without the state of coherence.

Little-endian: u8 0, u32 number of tables; each: u8 4, u32 the pattern as hexadecimal digits, u16 how many, u16 0 (or
an 8-byte name), u16 bytes a value, u64 count, the values; with coherence u16 bytes a value, u64 2 * count, the sums
of errors and then those of absolute errors; u16 0. The first cell of a pattern is the lowest digit of an index here,
and in our tables the first cell in reading order is the highest.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from struct import pack, unpack_from

from . import patterns as names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .network import NTupleNetwork

FORMATS = {2: "e", 4: "f", 8: "d"}
BLOCK = 1 << 16


def is_one(data: memoryview) -> bool:
    """Whether the bytes begin as such a file does."""
    if len(data) < 16 or data[0] != 0:
        return False
    tables = int.from_bytes(data[1:5], "little")
    return 1 <= tables <= names.MOST_PATTERNS and data[5] == 4


def _order(pattern: str) -> list[int]:
    """For each digit of our index, from the lowest, the weight of that cell in the other index."""
    by_cell = sorted(range(len(pattern)), key=lambda i: -int(pattern[i], 16))
    return [16**i for i in by_cell]


def _strides(pattern: str, ours: bool) -> list[int]:
    """For each digit of one index, from the lowest, the weight of that cell in the other one."""
    to_other = _order(pattern)
    if ours:
        return to_other
    back = [0] * len(to_other)
    for place, weight in enumerate(to_other):
        back[(weight.bit_length() - 1) // 4] = 16**place
    return back


def _permuted(source: memoryview, strides: list[int]) -> array[float]:
    """The items in the order of another index: item i is that of the sum of its digits times strides."""
    if strides == [16**place for place in range(len(strides))]:
        return array("f", source)
    low = strides[0]
    out = array("f")
    places = [0]
    for weight in strides[1:]:
        places = [place + digit * weight for digit in range(16) for place in places]
    for place in places:  # the lowest digit runs fastest
        out.extend(source[place : place + 15 * low + 1 : low])
    return out


class _Reader:
    """Numbers from a file, in order; ValueError where it ends too early."""

    def __init__(self, name: str, data: memoryview) -> None:
        self.name, self.data, self.at = name, data, 0

    def bytes(self, n: int) -> memoryview:
        part = self.data[self.at : self.at + n]
        if len(part) != n:
            raise ValueError(f"{self.name} is damaged: it ends after {len(self.data):,} bytes, within a table")
        self.at += n
        return part

    def number(self, size: int) -> int:
        return int.from_bytes(self.bytes(size), "little")

    def floats(self, size: int, count: int) -> memoryview:
        """32-bit floats of numbers of some size; those of 64 bits are rounded."""
        if size not in FORMATS:
            raise ValueError(f"{self.name} has numbers of {size} bytes; 2, 4 and 8 are read here")
        part = self.bytes(size * count)
        if size == 2:
            return memoryview(array("f", unpack_from(f"<{count}e", part)))
        items = array(FORMATS[size], part.tobytes())
        if sys.byteorder == "big":
            items.byteswap()
        return memoryview(items if size == 4 else array("f", items))


def read(cls: type[NTupleNetwork], name: str, data: memoryview) -> NTupleNetwork:
    """The network of such a file. Raises ValueError for one that is damaged or of tables of another kind."""
    file = _Reader(name, data)
    file.number(1)
    found = []
    for _ in range(file.number(4)):
        if file.number(1) != 4:
            raise ValueError(f"{name} has a table of a kind that is not read here")
        digits, length = file.number(4), file.number(2)
        pattern = f"{digits:0{length}x}"[-length:] if 1 <= length <= names.MOST_CELLS else ""
        size = file.number(2)
        if size == 0 or size not in FORMATS:  # a name of 8 bytes, or 0 for none
            if size:
                file.bytes(6)
            size = file.number(2)
        count = file.number(8)
        if not pattern or count != 16**length:
            raise ValueError(f"{name} has a table of {count:,} entries for {length} cells; not one of ours")
        weights, sums = file.floats(size, count), None
        size = file.number(2)
        if size:
            if file.number(8) != 2 * count:
                raise ValueError(f"{name} is damaged: the sums of errors are not two an entry")
            sums = file.floats(size, 2 * count)
            if file.number(2):
                raise ValueError(f"{name} is damaged: a table does not end where it should")
        found.append((pattern, weights, sums))
    if file.at != len(data):
        raise ValueError(f"{name} is damaged: {len(data) - file.at:,} bytes follow the last table")
    coherent = all(sums is not None for _, _, sums in found)
    network = cls.__new__(cls)
    network._define(names.parse([pattern for pattern, _, _ in found]), [], "largest", True)
    network._take_memory()
    if coherent:
        network._begin_learning()
    assert network._weights is not None
    at = 0
    for pattern, weights, sums in found:
        stop, strides = at + len(weights), _strides(pattern, ours=True)
        network._weights[at:stop] = _permuted(weights, strides)
        if coherent and sums is not None and network._errors is not None:
            pairs = array("f", bytes(8 * len(weights)))
            # memoryview assigns no strided slices of floats from one to another; arrays do
            pairs[::2] = _permuted(sums[: len(weights)], strides)
            pairs[1::2] = _permuted(sums[len(weights) :], strides)
            network._errors[2 * at : 2 * stop] = pairs
        at = stop
    return network


def parts(network: NTupleNetwork, bits: int) -> Iterator[bytes | memoryview]:
    """The content of such a file, floats of so many bits, with the state of coherence if the network has one."""
    if network.stages or network._weights is None:
        raise ValueError("the .w format of TDL2048 has neither stages nor packed networks")
    yield pack("<BI", 0, len(network.patterns))
    at, size = 0, bits // 8
    for pattern in network.patterns:
        count = 16 ** len(pattern)
        strides = _strides(pattern, ours=False)
        yield pack("<BIHHHQ", 4, int(pattern, 16), len(pattern), 0, size, count)
        yield from _little(_permuted(network._weights[at : at + count], strides), size)
        if network._errors is not None:
            errors = array("f", network._errors[2 * at : 2 * (at + count)])
            yield pack("<HQ", size, 2 * count)
            for k in (0, 1):
                yield from _little(_permuted(memoryview(errors[k::2]), strides), size)
        yield pack("<H", 0)
        at += count


def _little(items: array[float], size: int) -> Iterator[bytes | memoryview]:
    """Floats of so many bytes, little-endian. Raises ValueError for one that is too large for 16 bits."""
    if size == 2:
        for at in range(0, len(items), BLOCK):
            block = items[at : at + BLOCK]
            try:
                yield pack(f"<{len(block)}e", *block)
            except OverflowError:
                most = max(map(abs, block))
                raise ValueError(f"bits must be 32 or 64: the network has the number {most:g}, beyond 65,504") from None
        return
    if size == 8:
        items = array("d", items)
    if sys.byteorder == "big":
        items.byteswap()
    yield memoryview(items).cast("B")
