"""The shipped network: its size, how it is read and copied, and that it plays."""

import copy
import importlib.util
import pickle
import sys
from pathlib import Path

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS, ROOT

BOARDS = [0x1000_0000_0000_0000, 0x1225_2114_0033_0000, 0x2000_5000_1214_2140, 0xEDCB_589A_3241_1210]


@pytest.fixture(scope="module", params=BACKENDS)
def network(request):
    return IMPLEMENTATIONS[request.param].NTupleNetwork.default()


def test_it_is_small_and_read_only(network):
    import bitboard

    assert (Path(bitboard.__file__).parent / "networks" / "default.bbnet").stat().st_size < 4_000_000
    assert network.packed
    backend = sys.modules[type(network).__module__.partition(".")[0]].BACKEND
    assert network.memory < (100_000_000 if backend == "c" else 500_000_000)  # pure Python keeps a dict
    with pytest.raises(ValueError, match="a packed network does not learn"):
        network.train(moves=1)


def test_both_backends_agree(both):
    values = {str([impl.NTupleNetwork.default().values(board) for board in BOARDS]) for impl in both}
    assert len(values) == 1


def test_symmetric_boards_are_worth_the_same(network):
    import bitboard

    for board in BOARDS:
        assert len({network.value(image) for image in bitboard.symmetries(board)}) == 1


def test_copies_and_pickles_name_it(network):
    network.note = "mine"
    assert len(pickle.dumps(network)) < 1000
    for again in (copy.copy(network), pickle.loads(pickle.dumps(network))):
        assert again.packed and again.note == "mine" and again.value(BOARDS[1]) == network.value(BOARDS[1])
    del network.note


def test_the_script_that_made_it(tmp_path, monkeypatch):
    """All its steps on small networks, once more from the middle, and the entries that it keeps."""
    import bitboard

    spec = importlib.util.spec_from_file_location("learn_network", ROOT / "tables" / "learn_network.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    for name, value in {
        "PATTERNS": ["012", "456", "024"],
        "STAGE": 64,
        "FEW": 300,
        "ENTRIES": 250,
        "STEP": 1,
        "ROUND": 1500,
        "ROUNDS": dict.fromkeys(("learned", "late", "few", "calm"), 2),
        "LATE_GAMES": 2,
        "LATE_DEPTH": 0,
        "LATE_TILE": 32,
        "LATE_SHARE": 2,
        "LANES": 2,
        "LATE_LANES": 1,
    }.items():
        assert hasattr(script, name)
        monkeypatch.setattr(script, name, value)
    contents = []
    for _ in range(2):
        script.main([str(tmp_path), "--threads", "1", "--pack", str(tmp_path / "packed.net")])
        contents.append((tmp_path / "packed.net").read_bytes())
        (tmp_path / "calm.rounds").write_text("2")
    assert contents[0] == contents[1]
    packed = bitboard.NTupleNetwork.load(tmp_path / "packed.net")
    assert packed.packed and packed.stages == (64,)
    few = bitboard.NTupleNetwork.load(tmp_path / "few.net")
    assert sum(a >= 0 for a in few._errors[1::2]) == 300 and 250 <= sum(map(bool, few._weights)) <= 300
    assert 200 <= len(packed._packed[0]) <= 250
    late = few.entries // 2
    assert any(few._weights[:late]) and any(few._weights[late:])


def test_it_plays():
    """40 games: the mean of greedy games is far above 100,000 (bitboard/networks/README.md has the figure)."""
    impl = IMPLEMENTATIONS[BACKENDS[0]]
    games = 40 if impl.BACKEND == "c" else 1
    scores = impl.play_games(impl.NTupleNetwork.default(), games, seed=3).scores
    assert sum(scores) / games > (100_000 if games > 1 else 10_000)
