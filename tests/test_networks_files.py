"""Files of networks: ours and those of TDL2048, what is damaged, copies by name, few entries in steps."""

import gzip
import os
import pickle
import random
from array import array
from struct import pack

import pytest
from conftest import DATA

from bitboard.networks import packing

BOARDS = [0x1000_0000_0000_0000, 0x1225_2114_0033_0000, 0x2000_5000_1214_2140, 0xFEDC_BA98_7654_3210]


@pytest.fixture
def network(impl):
    network = impl.NTupleNetwork(["0123", "4567", "56a"])
    assert network.train(moves=600, seed=2, lanes=1).updates
    return network


def values(network):
    return [network.value(board) for board in BOARDS]


def test_save_and_load_go_on_as_if_nothing_had_been(both, tmp_path):
    weights = set()
    for writer in both:
        network = writer.NTupleNetwork("2x4", stages=[64])
        network.train(moves=400, seed=2, lanes=2)
        path = tmp_path / f"{writer.BACKEND}.net"
        network.save(path)
        network.train(moves=400, seed=2, lanes=2)
        weights.add(bytes(network._weights))
        for reader in both:
            loaded = reader.NTupleNetwork.load(path)
            assert loaded.patterns == network.patterns and loaded.stages == (64,)
            loaded.train(moves=400, seed=2, lanes=2)
            weights.add(bytes(loaded._weights))
    assert len(weights) == 1
    assert len({path.read_bytes() for path in tmp_path.iterdir()}) == 1


def test_late_boards_go_on_where_they_are_the_same(both, tmp_path):
    late = [0x5432_4321_3210_2100, 0x7654_2345_1111_0000]
    weights = set()
    for writer in both:
        network = writer.NTupleNetwork("2x4")
        network.train(moves=400, lanes=2, starts=late)
        network.save(tmp_path / "n.net")
        network.train(moves=400, lanes=2, starts=late)
        weights.add(bytes(network._weights))
        for reader in both:
            loaded = reader.NTupleNetwork.load(tmp_path / "n.net")
            assert loaded.train(moves=400, lanes=2, starts=late).moves == 400
            weights.add(bytes(loaded._weights))
    assert len(weights) == 1
    other = both[0].NTupleNetwork.load(tmp_path / "n.net")
    other.train(moves=400, lanes=2, starts=late[::-1])  # games of other starts are new ones
    assert bytes(other._weights) not in weights


def test_learning_does_not_change_the_file(impl, network, tmp_path):
    path = tmp_path / "n.net"
    network.save(path)
    before = path.read_bytes()
    loaded = impl.NTupleNetwork.load(path)
    loaded.train(moves=100)
    assert path.read_bytes() == before and values(impl.NTupleNetwork.load(path)) == values(network)


def test_one_that_a_file_has_is_pickled_by_its_name(impl, network, tmp_path):
    path = tmp_path / "n.net"
    network.save(path)
    content = pickle.dumps(network)
    assert len(content) < 1000 and values(pickle.loads(content)) == values(network)
    assert len(pickle.dumps(impl.NTupleNetwork.load(path))) < 1000
    network.train(moves=10)
    assert len(pickle.dumps(network)) > 100_000
    network.save(path)
    with pytest.raises(ValueError, match="is not the file of the network any more"):
        pickle.loads(content)


def test_published_file_is_written_back_to_the_byte(impl, tmp_path):
    content = gzip.decompress((DATA / "network_tc.w.gz").read_bytes())
    (tmp_path / "a.w").write_bytes(content)
    impl.NTupleNetwork.load(tmp_path / "a.w").save(tmp_path / "b", format="tdl")
    assert (tmp_path / "b").read_bytes() == content


@pytest.mark.parametrize(("size", "code"), [(2, "e"), (4, "f"), (8, "d")])
@pytest.mark.parametrize("coherence", [False, True])
def test_tdl_files_of_all_sizes(impl, tmp_path, size, code, coherence):
    # One table of the cells 2, 0, the first cell lowest: entry d2 + 16 * d0 has the weight d2 / 2 + 100 * d0.
    weights = [(i & 15) / 2 + 100 * (i >> 4) for i in range(256)]
    data = pack("<BIBIHHHQ256" + code, 0, 1, 4, 0x20, 2, 0, size, 256, *weights)
    if coherence:
        data += pack("<HQ512" + code, size, 512, *range(256), *range(256))
    (tmp_path / "w").write_bytes(data + pack("<H", 0))
    network = impl.NTupleNetwork.load(tmp_path / "w")
    board = 0x3050_0000_0000_0700
    expected = 0
    for image in impl.symmetries(board):
        expected += (image >> 52 & 15) / 2 + 100 * (image >> 60)
    assert network.value(board) == expected
    assert (network._errors is not None) == coherence


@pytest.mark.parametrize(("bits", "code"), [(16, "e"), (32, "f"), (64, "d")])
@pytest.mark.parametrize("coherence", [False, True])
def test_tdl_files_are_written_in_all_sizes(impl, tmp_path, bits, code, coherence):
    """One table of the cells 0, 2: entry 16 * d0 + d2 of ours is entry d0 + 16 * d2 there."""
    network = impl.NTupleNetwork(["02"], coherence=coherence)
    weights = [i / 3 - 40 for i in range(256)]
    network._weights[:] = array("f", weights)
    if coherence:
        network._begin_learning()
        network._errors[:] = array("f", range(512))
    network.save(tmp_path / "w", format="tdl", bits=bits)
    order = [16 * (i % 16) + i // 16 for i in range(256)]
    single = network._weights.tolist()
    expected = pack("<BIBIHHHQ256" + code, 0, 1, 4, 0x02, 2, 0, bits // 8, 256, *[single[i] for i in order])
    if coherence:
        sums = [2 * i for i in order] + [2 * i + 1 for i in order]
        expected += pack("<HQ512" + code, bits // 8, 512, *sums)
    assert (tmp_path / "w").read_bytes() == expected + pack("<H", 0)
    loaded = impl.NTupleNetwork.load(tmp_path / "w")
    assert loaded._weights.tolist() == pytest.approx(single, rel=1e-3 if bits == 16 else 1e-12)
    assert (loaded._errors is not None) == coherence


def test_bits_of_a_tdl_file(impl, tmp_path):
    network = impl.NTupleNetwork(["02"])
    for options, error, message in [
        ({"bits": 8}, ValueError, "bits must be an integer from 16 to 64"),
        ({"bits": 24}, ValueError, "bits must be 16, 32 or 64"),
        ({"bits": "x"}, TypeError, "bits must be an integer"),
        ({"bits": 64, "format": "bitboard"}, ValueError, "32 where the format is not tdl"),
    ]:
        with pytest.raises(error, match=message):
            network.save(tmp_path / "w", **({"format": "tdl"} | options))
    network._weights[7] = 70_000.0
    with pytest.raises(ValueError, match="bits must be 32 or 64: the network has the number 70000, beyond 65,504"):
        network.save(tmp_path / "w", format="tdl", bits=16)
    assert os.listdir(tmp_path) == []


def test_size_of_a_tdl_file_by_formula(impl, tmp_path):
    network = impl.NTupleNetwork("2x4", coherence=False)
    network.save(tmp_path / "w", format="tdl")
    assert os.path.getsize(tmp_path / "w") == 5 + 2 * (1 + 4 + 2 + 2 + 2 + 8 + 4 * 65536 + 2)
    assert 5 + 4 * (1 + 4 + 2 + 2 + 2 + 8 + 4 * 16**6 + 2) == 268_435_545


def test_damaged_files_are_errors(impl, network, tmp_path):
    ours, theirs, path = tmp_path / "ours", tmp_path / "theirs", tmp_path / "bad"
    network.save(ours)
    network.save(theirs, format="tdl")
    for good in (ours.read_bytes(), theirs.read_bytes()):
        for n in (0, 1, 10, 21, 200, 5000, len(good) - 100):
            path.write_bytes(good[:n])
            with pytest.raises(ValueError, match="bad is"):
                impl.NTupleNetwork.load(path)
    good = ours.read_bytes()
    for at in (0, 8, 13, 17, 30, 5000, len(good) - 64 * 3):
        path.write_bytes(good[:at] + bytes([good[at] ^ 64]) + good[at + 1 :])
        with pytest.raises(ValueError, match="bad is"):
            impl.NTupleNetwork.load(path)
    with pytest.raises(FileNotFoundError):
        impl.NTupleNetwork.load(tmp_path / "none")
    with pytest.raises(ValueError, match="format must be bitboard or tdl"):
        network.save(path, format="x")


def test_a_failed_write_leaves_the_old_file(network, tmp_path, monkeypatch):
    path = tmp_path / "n.net"
    network.save(path)
    before = path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    network.train(moves=50)
    with pytest.raises(OSError, match="No space"):
        network.save(path)
    assert path.read_bytes() == before and os.listdir(tmp_path) == ["n.net"]


def test_checkpoint_is_written_at_the_end(impl, tmp_path):
    network = impl.NTupleNetwork("2x4")
    network.train(moves=100, checkpoint=tmp_path / "c")
    assert values(impl.NTupleNetwork.load(tmp_path / "c")) == values(network)


def test_few_entries_in_steps(both, tmp_path):
    contents = set()
    for impl in both:
        network = impl.NTupleNetwork("2x4")
        network.train(moves=1500, seed=2)
        few = network.shrink(500)
        kept = [w for w in few._weights if w]
        assert len(kept) == 500 and set(kept) <= set(network._weights)
        packed = network.shrink(500, step=4)
        step = [4 * float(round(w / 4)) for w in few._weights]
        rounded = impl.NTupleNetwork("2x4")
        rounded._weights[:] = array("f", step)
        assert packed.packed and values(packed) == values(rounded)
        path = tmp_path / impl.BACKEND
        packed.save(path)
        contents.add(path.read_bytes())
        assert path.stat().st_size < 10_000
        for other in both:
            loaded = other.NTupleNetwork.load(path)
            assert values(loaded) == values(packed) == values(pickle.loads(pickle.dumps(packed)))
            assert loaded.best(BOARDS[1]) == rounded.best(BOARDS[1])
        with pytest.raises(ValueError, match="a packed network does not learn"):
            packed.train(moves=1)
        few.train(moves=300)
        assert sum(map(bool, few._weights)) <= 500
        contents.add(bytes(few._weights))
    assert len(contents) == 2


def test_unpacked_it_learns_on(both, tmp_path):
    contents = set()
    for impl in both:
        network = impl.NTupleNetwork("2x4", stages=[64])
        network.train(moves=1500, seed=2)
        packed = network.shrink(500, step=4)
        packed.save(tmp_path / "packed")
        for one in (packed, impl.NTupleNetwork.load(tmp_path / "packed")):
            unpacked = one.unpack()
            assert not unpacked.packed and unpacked.stages == (64,)
            assert sum(map(bool, unpacked._weights)) == len(one._packed[1])
            assert values(unpacked.shrink(500)) == values(unpacked) == values(packed)
            done = unpacked.train(moves=1500, rate=0.1, seed=3)
            assert done.moves == 1500 and values(unpacked) != values(packed) == values(one)
            contents.add(bytes(unpacked._weights))
        assert unpacked.shrink(700, step=4).packed
        with pytest.raises(ValueError, match="only a packed network can be unpacked"):
            unpacked.unpack()
    assert len(contents) == 1


@pytest.mark.parametrize(("by", "faces"), [("largest", [64]), ("sum", [100])])
def test_entries_of_later_stages_are_not_kept(both, by, faces):
    """split() copies all entries to all stages, also those with tiles that a board of the stage cannot have."""
    contents = set()
    for impl in both:
        network = impl.NTupleNetwork(["012", "4567"], stage_by=by)
        network.train(moves=6000, seed=2)
        more = network.split(faces)
        few = more.shrink(100_000)
        assert values(few) == values(more)
        one, lost = 16**3 + 16**4, []
        for entry in range(one):
            index, cells = (entry, 3) if entry < 16**3 else (entry - 16**3, 4)
            tiles = [2 ** (index >> 4 * cell & 15) for cell in range(cells)]
            if max(tiles) >= faces[0]:
                assert few._weights[entry] == 0 and few._errors[2 * entry + 1] == -1
                lost.append(more._weights[entry])
            elif more._errors[2 * entry + 1]:
                assert few._weights[entry] == more._weights[entry]
        assert any(lost)  # some of them did have weights
        contents.add(bytes(few._weights) + bytes(few._errors))
    assert len(contents) == 1


def test_numbers_of_a_packed_file():
    """Compressed and expanded again; a plane that is missing, cut, or of another length is an error."""
    rng = random.Random(5)
    gaps = array("I", [rng.choice((1, 1, 1, 2, 300, 70_000, 2**32 - 1)) for _ in range(3000)])
    multiples = array("h", [rng.choice((1, -1, 32767, -32767, rng.randrange(1, 2000))) for _ in gaps])
    sections = packing.compressed(gaps, multiples)
    found = packing.expanded(sections)
    assert (list(found[0]), list(found[1])) == (list(gaps), list(multiples))
    other = packing.compressed(gaps[:-1], multiples[:-1])
    for bad in (
        sections | {"gaps1": sections["gaps1"][:-20]},
        sections | {"gaps2": other["gaps2"]},
        sections | {name: part for name, part in other.items() if name.startswith("gaps")},
        sections | {"differences2": sections["differences0"]},
        sections | {"differences1": sections["gaps0"]},
    ):
        with pytest.raises(ValueError, match=r"compressed numbers|differ in length|places for"):
            packing.expanded(bad)


def test_split_begins_with_the_weights_of_the_stage_before(both):
    learned = set()
    for impl in both:
        network = impl.NTupleNetwork("2x4", stages=[64])
        network.train(moves=1500, seed=2)
        more = network.split([32, 128])
        assert more.stages == (32, 128) and network.stages == (64,)
        one = 2 * 16**4
        parts = [bytes(network._weights)[4 * at : 4 * (at + one)] for at in (0, one)]
        assert bytes(more._weights) == parts[0] + parts[0] + parts[1]
        assert any(parts[1]) and parts[0] != parts[1]
        assert bytes(more._errors)[: 8 * one] == bytes(network._errors)[: 8 * one]
        tenth = array("f", [0.1 * error for error in network._errors])
        assert bytes(more._errors)[8 * one :] == bytes(tenth)[: 8 * one] + bytes(tenth)[8 * one :]
        assert values(network.split([64])) == values(network)
        more.train(moves=500, seed=1)
        learned.add(bytes(more._weights))
        with pytest.raises(ValueError, match="stages by the largest tile must be tiles"):
            network.split([100])
        with pytest.raises(ValueError, match="a packed network does not learn"):
            network.shrink(50, 4).split([64])
    assert len(learned) == 1


def test_wrong_arguments_of_shrink(impl, network):
    for arguments, message in [((0,), "entries must be"), ((5, 0), "step must be"), ((5, 1e-5), "is too small")]:
        with pytest.raises(ValueError, match=message):
            network.shrink(*arguments)
    with pytest.raises(ValueError, match="only a network that has learned"):
        impl.NTupleNetwork("2x4").shrink(5)
    with pytest.raises(ValueError, match="neither stages nor packed"):
        network.shrink(50, 4).save("never", format="tdl")


def test_a_fork_learns_for_itself(impl, network, tmp_path):
    """Of a network in memory and of one that is mapped: what the child learns stays in the child."""
    path = tmp_path / "n.net"
    network.save(path)
    for parent in (network, impl.NTupleNetwork.load(path)):
        before, content = values(parent), path.read_bytes()
        child = os.fork()
        if child == 0:
            try:
                parent.train(moves=300, lanes=1)
                os._exit(0 if values(parent) != before else 1)
            finally:
                os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert values(parent) == before and path.read_bytes() == content
