"""The commands about games in a pipe: what they print where, exit statuses, one line for bad input."""

import json
import re

import pytest
from test_games_classic import played


def result(game):
    return f"score {game.score:,}, largest tile {game.largest:,}, {game.moves:,} moves, seed {game.seed}"


def test_watch_in_a_pipe(impl, cli, tmp_path):
    game, agent = impl.Game(seed=7), impl.agents.Greedy()
    while not game.over:
        game.move(agent(game.board))
    path = tmp_path / "games.txt"
    status, out, err = cli("watch", "--agent", "greedy", "--seed", 7, "--save", path)
    lines = out.splitlines()
    assert (status, err) == (0, "")
    assert lines[0] == "greedy plays, seed 7" and lines[-2] == f"game over: {result(game)}"
    assert lines[-1] == f"the record is in {path}"
    first = re.fullmatch(r"move +0  score +0  largest +\d  board (.*)", lines[1])
    assert impl.parse(first[1]) == next(iter(game))
    assert impl.record.read_file(path) == [game]
    cli("watch", "--agent", "greedy", "--seed", 8, "--save", path)
    assert [kept.seed for kept in impl.record.read_file(path)] == [7, 8]


def test_watch_saves_to_no_file_of_something_else(cli, tmp_path):
    path = tmp_path / "thesis.txt"
    path.write_text("Once upon a time\n")
    status, out, err = cli("watch", "--agent", "greedy", "--save", path)
    assert (status, out) == (2, "") and err.startswith(f"bitboard watch: {path} is no file of records: line 1")
    assert path.read_text() == "Once upon a time\n"


def test_watch_plays_the_games_of_eval(impl, cli):
    seed = impl.stream(0, 0)
    _, watched, _ = cli("watch", "--agent", "random", "--seed", seed)
    _, out, _ = cli("eval", "random", "--games", 1, "--json", "-")
    (row,) = json.loads(out)["results"]
    assert f"score {row['score']:,}, largest tile {row['largest']:,}, {row['moves']} moves" in watched


def test_watch_with_other_rules(impl, cli):
    arguments = ("--size", "3x5", "--seed", 4, "--spawn", "2:1, 8:1", "--top", "64")
    status, out, _ = cli("watch", "--agent", "random", *arguments)
    game, agent = impl.grid.Game(3, 5, 4, spawn={2: 1, 8: 1}, top=64), impl.agents.Random(4)
    while not game.over:
        game.move(agent(game.board))
    assert status == 0 and f"game over: {result(game)}" in out


def test_eval(impl, cli, tmp_path, monkeypatch):
    expected = impl.evaluate(impl.agents.Greedy(), 15, 3)
    json_file, csv_file = tmp_path / "r.json", tmp_path / "r.csv"
    status, out, err = cli("eval", "greedy", "--games", 15, "--seed", 3, "--json", json_file, "--csv", csv_file)
    assert (status, err) == (0, "")
    assert f"mean score  {expected.mean_score:,.0f}  (95% interval" in out
    assert [row["score"] for row in json.loads(json_file.read_text())["results"]] == expected.scores
    assert [int(line.split(",")[1]) for line in csv_file.read_text().splitlines()[1:]] == expected.scores
    _, out, _ = cli("eval", "--games", 15, "--seed", 3, "--csv", "-")
    assert [int(line.split(",")[1]) for line in out.splitlines()[1:]] == expected.scores
    (tmp_path / "mine_for_tests.py").write_text(
        "def agent(board):\n    import bitboard\n    return bitboard.agents.Greedy()(board)\n"
    )
    monkeypatch.chdir(tmp_path)
    _, out, _ = cli("eval", "mine_for_tests:agent", "--games", 15, "--seed", 3, "--csv", "-")
    assert [int(line.split(",")[1]) for line in out.splitlines()[1:]] == expected.scores
    status, out, _ = cli("eval", "montecarlo", "--playouts", 1, "--games", 1)
    assert status == 0 and "agent       montecarlo" in out


def test_replay_in_a_pipe(impl, cli, tmp_path):
    game = played(impl, moves=12)
    path = tmp_path / "games.txt"
    impl.record.write_file(path, [impl.Game(seed=1), game])
    status, out, err = cli("replay", path)
    lines = out.splitlines()
    assert (status, err, len(lines)) == (0, "", 14)
    for i, (line, board) in enumerate(zip(lines, game, strict=False)):
        assert line.split()[0] == str(i)
        assert impl.parse(re.split(r"score +\d+ +", line)[1]) == board
        assert re.search(rf"score +{game.scores[i]} ", line)
    assert lines[-1] == f"not over: {result(game)}"
    assert cli("replay", path, "--game", 1)[1].count("\n") == 2
    assert cli("replay", "-", stdin=game.record()) == (0, out, "")


def test_replay_of_a_record_that_breaks_off(impl, cli, tmp_path):
    path = tmp_path / "cut.txt"
    path.write_text(played(impl, moves=12).record()[:-150])
    status, out, err = cli("replay", path)
    assert status == 1 and "not over: score" in out
    assert re.fullmatch(rf"bitboard replay: {path}: line \d+: the record breaks off after move \d+\n", err)


def test_replay_of_a_shared_string(impl, cli):
    status, out, _ = cli("replay", "-", stdin="replay_ !?@\n")
    assert status == 0 and out.splitlines()[-1].startswith("not over: score 4, largest tile 4, 2 moves")


def test_pictures(impl, cli, tmp_path):
    path = tmp_path / "games.txt"
    impl.record.write_file(path, [played(impl, moves=5)])
    starts = {"svg": b"<svg", "gif": b"GIF89a", "png": b"\x89PNG"}
    for kind, start in starts.items():
        target = tmp_path / f"picture.{kind}"
        assert cli("replay", path, "--picture", target) == (0, f"wrote {target}\n", "")
        assert target.read_bytes().startswith(start)
        again = tmp_path / f"AGAIN.{kind.upper()}"
        assert cli("replay", path, "--picture", again) == (0, f"wrote {again}\n", "")
        assert again.read_bytes() == target.read_bytes()


def test_a_picture_of_a_part_of_a_game_says_so(impl, cli, tmp_path):
    from PIL import Image

    path, moving, drawn = tmp_path / "games.txt", tmp_path / "game.gif", tmp_path / "game.svg"
    impl.record.write_file(path, [played(impl, moves=20)])
    for target in (moving, drawn):
        some = f"wrote {target}, the last 5 of 21 positions; --last N takes more\n"
        assert cli("replay", path, "--picture", target, "--last", 5) == (0, some, "")
    with Image.open(moving) as image:
        assert image.n_frames == 5
    assert drawn.read_text().count("<g ") == 5
    assert cli("replay", path, "--picture", drawn, "--last", 21) == (0, f"wrote {drawn}\n", "")
    assert drawn.read_text().count("<g ") == 21
    assert "the last ones (default: 500)" in " ".join(cli("replay", "--help")[1].split())
    for wrong in (0, 100_001):
        error = f"bitboard replay: --last must be from 1 to 100000, got {wrong}\n"
        assert cli("replay", path, "--picture", moving, "--last", wrong) == (2, "", error)


def test_bench(impl, cli):
    status, out, err = cli("bench", "--rounds", 1)
    if impl.BACKEND == "python" and status == 2:  # nothing is built: it says so
        assert err.startswith("bitboard bench: there is no C core to compare with: ")
        return
    assert status == 0
    for name in ("move_left", "spawn", "a random game, a move", "spawn_many"):
        assert re.search(rf"^{name} +[\d,.]+ +[\d,.]+ +[\d,.]+x$", out, re.MULTILINE)


def test_eval_of_later_games_under_a_name(cli):
    _, whole, _ = cli("eval", "greedy", "--games", 6, "--csv", "-")
    status, out, _ = cli("eval", "greedy", "--games", 2, "--first", 4, "--name", "mine", "--json", "-")
    data = json.loads(out)
    assert status == 0 and data["agent"] == "mine"
    expected = [[int(value) for value in line.split(",")[:4]] for line in whole.splitlines()[5:]]
    assert [[row[key] for key in ("game", "score", "moves", "largest")] for row in data["results"]] == expected


def test_eval_reports_the_games_before_a_failure(cli, tmp_path, monkeypatch):
    (tmp_path / "failing_for_tests.py").write_text(
        "import bitboard\nclass Agent(bitboard.agents.Greedy):\n    games = 0\n    def start(self, seed):\n"
        "        self.games += 1\n        if self.games == 4:\n            raise LookupError('no fourth')\n"
    )
    monkeypatch.chdir(tmp_path)
    status, out, err = cli("eval", "failing_for_tests:Agent", "--games", 9)
    assert status == 2 and "games       3 of 9, interrupted" in out
    assert err.startswith("bitboard eval: game 3, start(): the agent raised LookupError: no fourth (")
    assert err.count("\n") == 1 and "line 7)" in err


BAD = [
    (("watch", "--agent", "nobody"), "watch: agent must be one of random, greedy"),
    (("watch", "--agent", "greedy", "--playouts", "3"), "watch: agent greedy has no --playouts"),
    (("watch", "--size", "4"), "watch: --size must be rows x columns such as 5x5, got '4'"),
    (("watch", "--size", "0x4"), "watch: rows must be an integer from 1 to 32, got 0"),
    (("watch", "--size", "5x5", "--agent", "montecarlo"), "watch: agent montecarlo plays 4x4 boards of the original"),
    (("watch", "--spawn", "2:1", "--agent", "expectimax"), "watch: agent expectimax plays 4x4 boards of the original"),
    (("watch", "--agent", "montecarlo", "--depth", "3"), "watch: agent montecarlo has no --depth"),
    (("watch", "--spawn", "2:x"), "watch: --spawn must be tile:weight"),
    (("watch", "--seed", "-1"), "watch: seed must be an integer from 0"),
    (("watch", "--speed", "-1"), "watch: --speed must be from 0"),
    (("watch", "--speed", "nan"), "watch: --speed must be from 0"),
    (("watch", "--save", "/no/such/folder/x"), "watch: "),
    (("watch", "--agent", "no_such_module_here:x"), "watch: No module named"),
    (("eval", "greedy", "--games", "0"), "eval: games must be an integer of at least 1, got 0"),
    (("eval", "greedy", "--workers", "0"), "eval: workers must be"),
    (("eval", "greedy", "--json", "/no/such/folder/x"), "eval: "),
    (("replay", "/no/such/file"), "replay: "),
    (("replay", "-"), "replay: - holds no game"),
    (("bench", "--rounds", "0"), "bench: --rounds must be"),
    (("play",), "play: play needs a terminal"),
]


@pytest.mark.parametrize(("arguments", "message"), BAD)
def test_bad_input_is_one_line_and_status_2(cli, arguments, message):
    status, out, err = cli(*arguments)
    assert status == 2 and err.startswith(f"bitboard {message}") and err.count("\n") == 1, (out, err)


def test_bad_input_for_replay(impl, cli, tmp_path):
    path = tmp_path / "x"
    path.write_text(played(impl, moves=3).record().replace("moves 3", "moves 4"))
    assert cli("replay", path)[2].startswith(f"bitboard replay: {path}: line 12: the record says `end: moves 4")
    path.write_bytes(b"\xff\x00")
    assert cli("replay", path)[2] == f"bitboard replay: {path}: line 1: byte 0 is no text in UTF-8\n"
    path.write_text(played(impl, moves=3).record())
    for option, message in (
        (("--game", 2), "--game must be from 1 to 1, got 2"),
        (("--speed", 0), "--speed must be more than 0"),
        (("--picture", "x.jpg"), "--picture must end in .svg, .gif or .png, got 'x.jpg'"),
    ):
        assert cli("replay", path, *option)[2].startswith(f"bitboard replay: {message}")


@pytest.mark.parametrize("command", ["watch", "play", "eval", "replay", "bench"])
def test_help_has_an_example(cli, command):
    status, out, _ = cli(command, "--help")
    assert status == 0 and re.search(rf"^examples?:\n  bitboard {command}", out, re.MULTILINE)


@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize(
    "rules",
    [
        ("--top", "16"),
        ("--size", "5x5", "--top", "64"),
        ("--spawn", "4:1", "--top", "8"),
        ("--size", "2x3", "--top", "32"),
    ],
)
def test_watch_plays_any_rules_to_the_end(impl, cli, tmp_path, agent, rules):
    path = tmp_path / "games.txt"
    status, out, err = cli("watch", "--agent", agent, "--seed", 1, *rules, "--save", path)
    assert (status, err) == (0, "") and "game over" in out
    (game,) = impl.record.read_file(path)
    top = int(rules[-1])
    assert game.over and game.largest <= top and f"largest tile {game.largest}" in out
    assert (f"two {top} tiles meet" in out) == game.saturated


def test_the_usual_spawn_law_spelt_out_is_the_usual_game(impl, cli):
    usual = cli("watch", "--agent", "greedy", "--seed", 3)
    assert cli("watch", "--agent", "greedy", "--seed", 3, "--spawn", "4:1, 2:9") == usual and usual[0] == 0
    status, out, err = cli("watch", "--agent", "greedy", "--spawn", "2:9 2:1")
    assert (status, out, err) == (2, "", "bitboard watch: --spawn names a tile twice: '2:9 2:1'\n")


@pytest.mark.parametrize("text", ["yes\n", "true", "12", " 1:2\n", "replay", "replaying", "0.5", "L12:1", "    "])
def test_junk_is_no_replay_string(cli, text):
    """As from `tail -c 4 games.txt`; several of these would play as one, by chance."""
    for command in ("replay", "analyse"):
        status, out, err = cli(command, "-", stdin=text)
        what = (
            "- holds no game"
            if not text.strip()
            else "-: line 1: a record starts with the line 'bitboard game 1', not "
        )
        assert (status, out) == (2, "") and err.startswith(f"bitboard {command}: {what}") and err.count("\n") == 1


def test_a_longer_line_is_tried_and_says_what_it_is_not(cli):
    status, out, err = cli("replay", "-", stdin="the quick brown fox jumps over the lazy dog\n")
    assert (status, out) == (2, "")
    assert err.startswith("bitboard replay: -: neither a record, which starts with the line 'bitboard game 1', nor ")


def damaged_file(impl, path):
    """Five records, the second with a move that is none, the fourth with bytes that are no text."""
    games = [played(impl, seed=seed, moves=5) for seed in range(5)]
    texts = [game.record() for game in games]
    texts[1] = texts[1].replace("moves:\n", "moves:\nL99:9 ")
    data = "\n".join(texts).encode()
    at = data.index(b"seed: 3") + 6
    path.write_bytes(data[:at] + b"\xff" + data[at + 1 :])
    return games


def test_one_damaged_record_hides_no_other_game(impl, cli, tmp_path):
    path = tmp_path / "games.txt"
    games = damaged_file(impl, path)
    read = impl.record.read_file(path, errors="return")
    assert [read[i] for i in (0, 2, 4)] == [games[i] for i in (0, 2, 4)]
    assert [type(read[i]) for i in (1, 3)] == [ValueError] * 2
    with pytest.raises(ValueError, match=r"line \d+: byte \d+ is no text in UTF-8"):
        impl.record.read_file(path)
    for number in (1, 3, 5, None):
        option = () if number is None else ("--game", number)
        status, out, err = cli("replay", path, *option)
        assert status == 0 and out.endswith(f"seed {(number or 5) - 1}\n")
        notes = [line.removeprefix(f"bitboard replay: {path}: ") for line in err.splitlines()]
        assert [re.match(r"game (\d) cannot be read: line \d+: (move 1|seed)", note)[1] for note in notes] == ["2", "4"]
    status, out, err = cli("replay", path, "--game", 2)
    assert (status, out) == (2, "") and "move 1 (L99:9)" in err and err.endswith("; 3 of 5 games can be read\n")


def test_what_is_left_of_a_record_stands_before_good_ones(impl, cli, tmp_path):
    """As from `tail -n 40 games.txt`."""
    first, second = played(impl, seed=1, moves=9), played(impl, seed=2, moves=9)
    text = "\n".join([*first.record().splitlines()[-3:], "", second.record()])
    status, out, err = cli("replay", "-", stdin=text)
    assert status == 0 and out.endswith("seed 2\n") and err.count("\n") == 1
    assert err.startswith("bitboard replay: -: game 1 cannot be read: line 1: a record starts with the line")
    with pytest.raises(ValueError, match="line 1: a record starts"):
        impl.record.read(text)


def test_texts_without_a_record_and_bad_options(impl):
    for text in ("junk\n", "# mine\njunk"):
        with pytest.raises(ValueError, match="a record starts with the line"):
            impl.record.read(text, errors="return")
    assert impl.record.read("# mine\n\n", errors="return") == []
    (error,) = impl.record.read("bitboard game 1\nsize: 4x4\n", errors="return")
    assert isinstance(error, ValueError) and "breaks off before its moves" in str(error)
    with pytest.raises(ValueError, match="errors must be raise or return, got 'ignore'"):
        impl.record.read("", errors="ignore")


@pytest.fixture
def file_of_play(impl, tmp_path, monkeypatch):
    """Where `play` keeps the games of this user."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    path = tmp_path / "bitboard" / "games.txt"
    path.parent.mkdir()
    return path


def test_the_file_of_play_is_the_default(impl, cli, file_of_play):
    for command in ("replay", "analyse"):
        status, out, err = cli(command)
        assert (status, out) == (2, "")
        assert (
            err == f"bitboard {command}: no FILE is given, and that of `bitboard play` is not there: {file_of_play}\n"
        )
    small = impl.grid.Game(3, 3, seed=3)
    small.move(next(d for d in range(4) if small.legal >> d & 1))
    impl.record.write_file(file_of_play, [impl.Game(seed=1), played(impl, seed=2, moves=4), small, impl.Game(seed=4)])
    assert re.search(r"\b1 moves?, seed 3\n$", cli("replay")[1])
    assert cli("replay", "--game", 4)[1].endswith("0 moves, seed 4\n")
    status, out, err = cli("analyse", "--depth", 0)  # the last one that it can analyse
    assert (status, err) == (0, "") and "4 moves: " in out
    impl.record.write_file(file_of_play, [impl.Game(seed=1), impl.Game(seed=4)])
    assert cli("replay")[1].endswith("0 moves, seed 4\n")


def test_replay_lists_the_games(impl, cli, tmp_path):
    path = tmp_path / "games.txt"
    games = [
        played(impl, seed=1, moves=12),
        impl.grid.Game(12, 3, seed=2, spawn={4: 1}, top=64),
        impl.Game(3, top=32768),
    ]
    games[0].tags["agent"] = "greedy"
    over = impl.Game(4, board=impl.parse("2 4 2 4  4 2 4 2  2 4 2 4  4 2 4 2"))
    text = "\n".join([game.record() for game in [*games, over]] + [impl.Game(5).record().replace("seed: 5", "seed: x")])
    path.write_text(text + "\n" + games[0].record().partition("board: ")[0])
    status, out, err = cli("replay", path, "--list")
    lines = [re.split("  +", line.strip()) for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert lines[0][:2] == ["1", "4x4"] and lines[0][-2:] == ["seed 1", "agent greedy"] and "not over" in lines[0]
    assert f"{games[0].score:,}" in out.splitlines()[0] and "moves" in lines[0] and "12" in lines[0]
    assert lines[1][:2] == ["2", "12x3"] and lines[1][-3:] == ["spawn 4:1", "top 64", "seed 2"]
    assert lines[2][-2:] == ["top 32768", "seed 3"] and "spawn" not in out.splitlines()[2]
    assert lines[3][-2:] == ["over", "seed 4"]
    assert lines[4][:1] == ["5"] and lines[4][1].startswith("cannot be read: line ")
    assert "broken off" in lines[5] and len(lines) == 6
    assert cli("replay", "-", "--list", stdin="")[2] == "bitboard replay: - holds no game\n"
