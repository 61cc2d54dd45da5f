"""--json of the commands: one object on stdout, with the numbers of the library."""

import json
from math import isnan, nan

import pytest
from test_games_classic import played


def printed(done):
    """The object that a command printed, alone and without errors."""
    status, out, err = done
    assert (status, err, out.count("\n")) == (0, "", 1)
    return json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is not JSON"))


def test_info(cli, impl):
    facts = printed(cli("info", "--json"))
    assert facts["bitboard"] == impl.__version__ and facts["backend"] == impl.BACKEND
    assert facts["rows_sha256"].startswith("e7c22111") and facts["cpu"] in facts["built"]
    text = cli("info")[1]
    for name in ("bitboard", "backend", "reason", "cpu", "rows_sha256", "implementation", "python", "machine"):
        assert facts[name] in text


def test_random(cli, impl):
    games = impl.random_games(60, 5)
    told = printed(cli("random", "60", "--seed", "5", "--level", "0.9", "--json"))
    assert (told["games"], told["seed"], told["level"]) == (60, 5, 0.9)
    assert told["slides"] == sum(games.lengths) and told["mean_score"] == sum(games.scores) / 60
    assert told["interval"] == list(games.interval(0.9)) and told["standard_deviation"] == games.std_scores[0]
    tiles = [2**k for k in games.max_exponents]
    assert told["largest_tiles"] == {str(tile): tiles.count(tile) for tile in sorted(set(tiles))}
    assert printed(cli("random", "1", "--json"))["interval"] is None


def test_maxtile(cli, impl):
    board = "3\n2 2 2\n4 4 4\n8 8 8\n"
    found = impl.grid.max_tile([[2, 2, 2], [4, 4, 4], [8, 8, 8]], 5)
    assert printed(cli("maxtile", "--json", stdin=board)) == found._asdict()
    status, out, err = cli("maxtile", "--slides", "10", "--max-nodes", "1", "--json", stdin="2\n2 4\n4 8\n")
    assert status == 0 and json.loads(out)["proven"] == ("not proven" not in err)


def test_replay(cli, impl, tmp_path):
    game = played(impl, moves=20)
    impl.record.write_file(tmp_path / "games.txt", [game])
    told = printed(cli("replay", tmp_path / "games.txt", "--json"))
    assert (told["seed"], told["score"], told["over"], told["largest"]) == (
        str(game.seed),
        game.score,
        game.over,
        game.largest,
    )
    assert [position["board"] for position in told["positions"]] == [impl.to_grid(board) for board in game]
    assert [position["score"] for position in told["positions"]] == list(game.scores)
    assert told["positions"][0]["move"] is None
    assert " ".join(position["move"] for position in told["positions"][1:]) == told["moves"]
    cut = (tmp_path / "games.txt").read_text()
    (tmp_path / "games.txt").write_text(cut[: len(cut) - 9])
    status, out, err = cli("replay", tmp_path / "games.txt", "--json")
    assert status == 1 and json.loads(out)["cut"] and "breaks off" in err


def test_analyse(cli, impl, tmp_path):
    game = played(impl, moves=12)
    impl.record.write_file(tmp_path / "games.txt", [game])
    arguments = ("analyse", tmp_path / "games.txt", "--depth", "1", "--worst", "3")
    told, text = printed(cli(*arguments, "--json")), cli(*arguments)[1]
    search = impl.Expectimax(1, network=impl.NTupleNetwork.default())
    assert [move["move"] for move in told["moves"]] == list(range(1, 13))
    for move, board, (direction, _, _), line in zip(told["moves"], game, game.history, text.splitlines(), strict=False):
        values = search.values(board)
        assert [nan if move["values"][d] is None else move["values"][d] for d in "URDL"] == pytest.approx(
            list(values), nan_ok=True
        )
        top = max(value for value in values if not isnan(value))
        assert values["URDL".index(move["best"])] == top and move["loss"] == top - values[direction]
        assert move["made"] in line and f"score {move['score']:>7}" in line and (move["mark"] in line)
        assert ("best" in line) == (move["loss"] > 0)
    losses = [move["loss"] for move in told["moves"]]
    assert told["best"] == losses.count(0) and told["score"] == game.score
    assert told["marks"] == {mark: [move["mark"] for move in told["moves"]].count(mark) for mark in ("?", "??")}
    lost = sorted((-loss, i) for i, loss in enumerate(losses, 1) if loss > 0)
    assert told["worst"] == [i for _, i in lost[:3]]
    assert [int(line.split()[0]) for line in text.partition("most was lost by\n")[2].splitlines()] == told["worst"]
