"""Networks: values, learning and games against a plain Python implementation, on both backends."""

import copy
import csv
import doctest
import gzip
import importlib
import math
import pickle
import random
import re
import sys
from array import array

import network_oracle
import pytest
from conftest import DATA, ROOT


def boards_of(n, seed):
    rng = random.Random(seed)
    return [sum(rng.choice((0, 1, 2, 3, 5, 8, 11, 15)) << 4 * i for i in range(16)) for _ in range(n)]


@pytest.fixture
def published(impl, tmp_path):
    path = tmp_path / "network.bin"
    path.write_bytes(gzip.decompress((DATA / "network_tc.w.gz").read_bytes()))
    return impl.NTupleNetwork.load(path)


def test_values_of_a_network_made_elsewhere(published):
    text = gzip.decompress((DATA / "network_tc.csv.gz").read_bytes()).decode()
    rows = list(csv.DictReader(text.splitlines()))
    boards = array("Q", [int(row["board"], 16) for row in rows])
    expected = [float(row["value"]) for row in rows]
    assert [published.value(board) for board in boards] == pytest.approx(expected, rel=1e-12)
    assert published.many(boards).tolist() == [published.value(board) for board in boards]


def test_symmetric_images_have_the_same_value_to_the_bit(impl, published):
    for board in boards_of(200, 1):
        assert len({published.value(image) for image in impl.symmetries(board)}) == 1


@pytest.mark.parametrize("coherence", [True, False])
@pytest.mark.parametrize(("stages", "by"), [((), "largest"), ((32, 2048), "largest"), ((500, 9000), "sum")])
def test_values_and_updates_equal_a_plain_implementation(impl, coherence, stages, by):
    patterns = ["0123", "569a", "4", "f73"]
    network = impl.NTupleNetwork(patterns, stages=stages, stage_by=by, coherence=coherence)
    plain = network_oracle.Network(patterns, coherence, stages, by == "sum")
    rng = random.Random(5)
    boards = array("Q", boards_of(40, 2) * 10)
    targets = array("d", [rng.uniform(-1000, 5000) for _ in boards])
    network.update(boards, targets)
    for board, target in zip(boards, targets, strict=True):
        plain.update(board, target, 1.0 if coherence else 0.1)
    for board in boards_of(300, 3) + list(boards[:40]):
        assert network.value(board) == plain.value(board)
        values = [value for value in network.values(board) if not math.isnan(value)]
        assert sorted(values) == sorted(impl.reward(board, d) + plain.value(a) for d, a, _ in impl.afterstates(board))


@pytest.mark.parametrize(
    ("coherence", "decay", "lanes", "restart"),
    [(True, 0.5, 3, 20), (True, None, 2, 20), (False, 0.9, 1, 0), (False, None, 4, 5)],
)
def test_training_equals_a_plain_trainer(both, coherence, decay, lanes, restart):
    patterns = ["0123", "4567", "56a"]
    plain = network_oracle.Network(patterns, coherence)
    rate = 1.0 if coherence else 0.1
    network_oracle.train(both[0], plain, 7, rate, decay, lanes, restart, 1500)
    options = {"seed": 7, "decay": decay, "lanes": lanes, "restart": restart}
    for impl in both:
        network = impl.NTupleNetwork(patterns, coherence=coherence)
        for moves in (1, 499, 1000):
            network.train(moves=moves, **options)
        for board in [*boards_of(50, 9), 0x1000_0000_0000_0000, 0x1234_1000_0000_0000]:
            assert network.value(board) == plain.value(board)


LATE = [0x5432_4321_3210_2100, 0x7654_2345_1111_0000, 0x8123_8321_2132_1213]


@pytest.mark.parametrize(("decay", "lanes", "start_lanes"), [(0.5, 3, 2), (None, 2, 1), (0.5, 2, 2)])
def test_training_from_late_boards_equals_a_plain_trainer(both, decay, lanes, start_lanes):
    patterns = ["0123", "4567", "56a"]
    plain = network_oracle.Network(patterns)
    network_oracle.train(both[0], plain, 7, 1.0, decay, lanes, 20, 1500, LATE, start_lanes)
    options = {"seed": 7, "decay": decay, "lanes": lanes, "start_lanes": start_lanes}
    for impl in both:
        network = impl.NTupleNetwork(patterns)
        done = [network.train(moves=moves, starts=LATE, **options) for moves in (1, 499, 1000)]
        for board in [*boards_of(50, 9), *LATE, 0x1000_0000_0000_0000, 0x1234_1000_0000_0000]:
            assert network.value(board) == plain.value(board)
        assert (sum(d.games for d in done) > 0) == (start_lanes < lanes)


def test_late_boards_in_any_form_and_half_of_the_lanes(impl):
    learned = set()
    for starts in (LATE, tuple(LATE), array("Q", LATE), memoryview(array("Q", LATE))):
        network = impl.NTupleNetwork("2x4")
        network.train(moves=400, lanes=3, starts=starts, start_lanes=None if starts is LATE else 2)
        learned.add(bytes(network._weights))
    assert len(learned) == 1


def test_wrong_late_boards(impl):
    network = impl.NTupleNetwork("2x4")
    over = 0x1212_2121_1212_2121
    for options, error, message in [
        ({"starts": []}, ValueError, "starts must be at least one board"),
        ({"starts": [1, 2**64]}, OverflowError, r"starts\[1\] must be an integer"),
        ({"starts": 5}, TypeError, "starts must be a C-contiguous buffer"),
        ({"starts": array("d", [5.0])}, TypeError, "starts must hold unsigned 64-bit"),
        ({"starts": [*LATE, over]}, ValueError, r"starts\[3\] must not be over, .* 1212212112122121"),
        ({"starts": [0]}, ValueError, r"starts\[0\] must not be over"),
        ({"starts": LATE, "start_lanes": 0}, ValueError, "start_lanes must be"),
        ({"starts": LATE, "start_lanes": 9}, ValueError, "start_lanes must be"),
        ({"start_lanes": 1}, ValueError, "start_lanes goes with starts"),
        ({"starts": LATE, "start_lanes": 8, "games": 1}, ValueError, "start_lanes must be below lanes, 8,"),
    ]:
        with pytest.raises(error, match=message):
            network.train(**({"moves": 10} | options))
    assert not any(network._weights)


def test_both_backends_and_any_chunks_learn_the_same_bits(both):
    contents = set()
    for impl in both:
        for chunks in ([1200], [700, 1, 499]):
            network = impl.NTupleNetwork("2x4", stages=[64])
            done = [network.train(moves=moves, seed=3, restart=10, lanes=3) for moves in chunks]
            contents.add((bytes(network._weights), bytes(network._errors), sum(d.games for d in done)))
            assert sum(d.moves for d in done) == 1200
    assert len(contents) == 1


def test_games_end_training_at_the_same_move(both):
    networks = [impl.NTupleNetwork("2x4") for impl in both]
    done = [network.train(games=2, seed=1) for network in networks]
    assert {d[:7] for d in done} == {done[0][:7]} and done[0].games >= 2
    assert len({bytes(network._weights) for network in networks}) == 1


def test_play_games_are_those_of_evaluate(impl, published):
    result = impl.play_games(published, 6, seed=4, threads=2)
    evaluation = impl.evaluate(published, 6, seed=4)
    assert list(result.scores) == evaluation.scores
    assert list(result.lengths) == [r[2] for r in evaluation.results]
    assert [2**k for k in result.max_exponents] == [r[3] for r in evaluation.results]
    assert "6 greedy games" in str(result)


def test_a_game_that_reaches_the_kernels_top_is_played_by_the_whole_rule(impl, published, monkeypatch):
    """Greedy play needs hours of learning to get there: here the kernel says that it did, with numbers that are wrong."""
    playing = importlib.import_module(f"{impl.__name__}.networks.playing")
    kernel = type(published._kernel)
    original = kernel.play

    def play(self, seed, start, stop, finals):
        original(self, seed, start, stop, finals)
        for index in range(start, stop, 2):
            finals[0][index], finals[1][index], finals[2][index], finals[3][index] = 1, 2, 3, playing.TOP

    expected = impl.play_games(published, 4, seed=4)
    monkeypatch.setattr(kernel, "play", play)
    result = impl.play_games(published, 4, seed=4)
    for name in ("final_boards", "scores", "lengths", "max_exponents"):
        assert list(getattr(result, name)) == list(getattr(expected, name)), name
    result.max_exponents[0] = 17
    assert len(result.tile_counts()) == 18 and result.tile_counts()[17] == 1 and "131072" in str(result)


def test_it_is_an_agent(impl, published):
    assert published.name == "network"
    board = impl.parse("2 4 0 0  0 0 0 0  0 2 0 0  0 0 0 0")
    assert published(board) == published.best(board) == impl.agents.best(published.values(board))
    with pytest.raises(ValueError, match="over"):
        published.best(impl.parse("2 4 2 4  4 2 4 2  2 4 2 4  4 2 4 2"))


class Mine:
    """Made a subclass of each backend's class by the test."""


def test_copies_and_pickles(impl, monkeypatch):
    kind = type("Mine", (impl.NTupleNetwork,), {"__module__": __name__})
    monkeypatch.setattr(__import__("sys").modules[__name__], "Mine", kind)
    network = kind("2x4")
    network.note = ["kept"]
    network.train(moves=300, lanes=2)
    board = 0x1200_0000_0000_0000
    for other in (copy.copy(network), copy.deepcopy(network), pickle.loads(pickle.dumps(network))):
        assert type(other) is kind and other.note == ["kept"] and other.value(board) == network.value(board)
        before = network.value(board)
        other.update(array("Q", [board]), array("d", [9999.0]))
        assert network.value(board) == before != other.value(board)
    other = copy.deepcopy(network)
    network.train(moves=300, lanes=2)
    other.train(moves=300, lanes=2)
    assert bytes(other._weights) == bytes(network._weights)


def test_a_runaway_keeps_the_last_good_weights(impl):
    network = impl.NTupleNetwork("2x4")
    board = 0x1000_0000_0000_0000
    for bad in (math.nan, math.inf, 1e9):
        network.update(array("Q", [board]), array("d", [10.0]))
        good = bytes(network._weights)
        with pytest.raises(ArithmeticError, match="ran away: the error of board 0"):
            network.update(array("Q", [board]), array("d", [bad]))
        assert bytes(network._weights) == good


@pytest.mark.parametrize(
    ("patterns", "error", "message"),
    [
        ("9x9", ValueError, "patterns must be one of 4x6"),
        (5, TypeError, "patterns must be a name"),
        ([5], TypeError, r"patterns\[0\] must be a str"),
        (["0123", "00"], ValueError, r"patterns\[1\]"),
        (["01234567"], ValueError, "1 to 7 different cells"),
        ([], ValueError, "1 to 16"),
        (["0123", "37bf"], ValueError, "patterns 0123 and 37bf are the same up to symmetry"),
    ],
)
def test_wrong_patterns(impl, patterns, error, message):
    with pytest.raises(error, match=message):
        impl.NTupleNetwork(patterns)


def test_wrong_arguments(impl):
    network = impl.NTupleNetwork("2x4")
    for options, error, message in [
        ({}, ValueError, "give games, moves or seconds"),
        ({"moves": 0}, ValueError, "moves must be"),
        ({"seconds": "x"}, TypeError, "seconds must be a number"),
        ({"moves": 1, "decay": 2}, ValueError, "decay must be"),
        ({"moves": 1, "threads": 0}, ValueError, "threads must be"),
        ({"moves": 1, "seed": -1}, OverflowError, "seed must be"),
    ]:
        with pytest.raises(error, match=message):
            network.train(**options)
    with pytest.raises(TypeError, match="stages must be a list of face values, not int"):
        impl.NTupleNetwork("2x4", stages=2048)
    with pytest.raises(ValueError, match="stages must be"):
        impl.NTupleNetwork("2x4", stages=[64, 64])
    with pytest.raises(ValueError, match="stages by the largest"):
        impl.NTupleNetwork("2x4", stages=[65])
    with pytest.raises(TypeError, match=r"bitboard.NTupleNetwork"):
        impl.play_games(5, 1)
    with pytest.raises(OverflowError):
        network.value(-1)


def test_memory_is_told(impl, monkeypatch):
    assert impl.NTupleNetwork("2x4").memory == 12 * 2 * 65536
    monkeypatch.setattr("os.sysconf", {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": 1000}.get, raising=False)
    with pytest.raises(
        MemoryError, match="needs 805,306,368 bytes in all, 67,108,864 entries; this machine has 4,096,000"
    ):
        impl.NTupleNetwork("4x6")


def test_named_patterns_are_all_different(impl):
    for name in ("4x6", "5x6", "6x6", "8x6", "2x4", "5x4", "4x5"):
        network = impl.NTupleNetwork(name)
        cells, size = int(name[0]), int(name[2])
        assert len(network.patterns) == cells and {len(p) for p in network.patterns} == {size}
        assert impl.NTupleNetwork(network.patterns).patterns == network.patterns
    joined = impl.NTupleNetwork("5x4+4x5").patterns
    assert joined == impl.NTupleNetwork("5x4").patterns + impl.NTupleNetwork("4x5").patterns
    with pytest.raises(ValueError, match="patterns 0123 and 0123 are the same up to symmetry"):
        impl.NTupleNetwork("2x4+5x4")
    with pytest.raises(ValueError, match="patterns must be one of .* several of them joined by .*, got '5x4.'"):
        impl.NTupleNetwork("5x4+")


def test_threads_share_the_weights(impl):
    network = impl.NTupleNetwork("2x4")
    done = network.train(moves=3000, threads=2)
    assert done.moves == 3000 and network.value(0x1000_0000_0000_0000) > 0


def test_an_interrupt_keeps_what_was_learned(impl):
    network, seen = impl.NTupleNetwork("2x4"), []

    def stop(done):
        seen.append(done)
        raise KeyboardInterrupt

    done = network.train(moves=10**12, seconds=60, progress=stop)
    assert done.interrupted and done.moves >= seen[0].moves > 0
    assert network.train(moves=10).moves == 10


def test_the_guide_runs(impl, monkeypatch):
    text = (ROOT / "bitboard" / "networks" / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    monkeypatch.setitem(sys.modules, "bitboard", impl)
    session = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "guide", "README.md", 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session)
    assert result.attempted > 15 and result.failed == 0
