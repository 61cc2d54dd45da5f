"""The agent expectimax on the command line, and `bitboard analyse`."""

import re

import pytest


@pytest.fixture
def games(cli, tmp_path):
    """A file with two short games of the greedy agent."""
    path = tmp_path / "games.txt"
    for seed in (7, 9):
        cli("watch", "--agent", "random", "--seed", seed, "--save", path)
    return path


def test_the_agent_of_this_name(impl, tmp_path):
    agent = impl.agents.create("expectimax")
    assert impl.agents.name_of(agent) == "expectimax"
    network, table, prune = impl.NTupleNetwork.default(), impl.RowTable.default(), impl.agents.PRUNE
    assert repr(agent) == repr(impl.Expectimax(network=network, boards=35, four_layers=2, prune=1000))
    agent = impl.agents.create("expectimax", table=table)
    assert repr(agent) == repr(impl.Expectimax(3, table, four_layers=2, prune=prune, adaptive=True))
    board = 0x1212_2121_1212_0133
    agent = impl.agents.create("expectimax", depth=0)
    assert (
        agent(board)
        == impl.agents.best(agent.values(board))
        == impl.agents.best(impl.Expectimax(2, network=network, four_layers=2, prune=1000).values(board))
    )
    budget = impl.agents.create("expectimax", milliseconds=5)
    assert repr(budget) == repr(impl.Expectimax(time_ms=5, network=network, four_layers=2, prune=1000))
    exact = impl.agents.expectimax(2, table=table, four_layers=1, prune=None, adaptive=False)
    assert repr(exact) == repr(impl.Expectimax(2))
    mine = impl.NTupleNetwork("2x4", optimistic=500)
    mine.save(tmp_path / "n.net")
    of_file = impl.agents.create("expectimax", depth=1, network=str(tmp_path / "n.net"))
    assert str(of_file.values(board)) == str(impl.agents.expectimax(1, network=mine).values(board))
    impl.RowTable.corner().save(tmp_path / "corner.bbrows")
    corner = impl.agents.create("expectimax", depth=0, table=str(tmp_path / "corner.bbrows"), adaptive=False)
    assert corner.values(board) == pytest.approx(impl.Expectimax(0, impl.RowTable.corner()).values(board), nan_ok=True)
    assert "prune" not in repr(corner)  # the margin is one of the shipped table
    evaluating = impl.agents.expectimax(1, evaluator=impl.RowTable.corner().many)
    assert evaluating(board) == impl.Expectimax(1, impl.RowTable.corner(), four_layers=2).best(board)
    with pytest.raises(ValueError, match="playouts"):
        impl.agents.create("expectimax", playouts=5)


def test_watch_and_eval(impl, cli):
    seed = impl.stream(5323, 0)
    game, agent = impl.Game(seed=seed), impl.agents.expectimax(depth=0)
    while not game.over:
        game.move(agent(game.board))
    assert game.moves < 1000, "find a short game, as the guide of the search has to: pure Python is slow"
    status, out, err = cli("watch", "--agent", "expectimax", "--depth", 0, "--seed", seed)
    assert (status, err) == (0, "")
    assert f"score {game.score:,}, largest tile {game.largest:,}, {game.moves:,} moves" in out
    status, out, _ = cli("eval", "expectimax", "--depth", 0, "--games", 1, "--seed", 5323)
    assert status == 0 and f"{game.score:,}" in out


def test_a_network_judges_the_moves(impl, cli, games, tmp_path):
    network = impl.NTupleNetwork("2x4")
    network.train(moves=3000)
    network.save(tmp_path / "n.net")
    game = impl.record.read_file(games)[0]
    for depth in (0, 1):
        search = impl.Expectimax(depth, network=network)
        status, out, err = cli("analyse", games, "--game", 1, "--network", tmp_path / "n.net", "--depth", depth)
        assert (status, err) == (0, "")
        lines = out.splitlines()[: game.moves]
        for line, board, (direction, _, _) in zip(lines, game, game.history, strict=False):
            assert f"value {search.values(board)[direction]:.2f}" in line
    for more, message in [
        (("--network", tmp_path / "n.net", "--table", "x"), "exclude each other"),
        (("--network", tmp_path / "none.net"), "none.net"),
        (("--network", games), "is no file of a network"),
    ]:
        status, out, err = cli("analyse", games, *more)
        assert status == 2 and out == "" and message in err and err.count("\n") == 1


def test_replay_ends_lines_with_hints(impl, cli, games, tmp_path):
    network = impl.NTupleNetwork("2x4")
    network.train(moves=3000)
    network.save(tmp_path / "n.net")
    game = impl.record.read_file(games)[0]
    status, out, err = cli("replay", games, "--game", 1, "--agent", "network", "--network", tmp_path / "n.net")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    plain = cli("replay", games, "--game", 1)[1].splitlines()
    for line, before, board in zip(lines, plain, list(game)[:-1], strict=False):
        best = network.best(board)
        name = ("up", "right", "down", "left")[best]
        assert line == f"{before}  hint of network: {name} ({network.values(board)[best]:,.1f})"
    assert lines[game.moves] == f"{plain[game.moves]}  the game is over" and lines[-1] == plain[-1]
    impl.record.write_file(games, [impl.grid.Game(3, 3, seed=1)])
    assert "plays 4x4 boards" in cli("replay", games, "--agent", "network", "--network", tmp_path / "n.net")[2]
    assert "hint of greedy: " in cli("replay", games, "--agent", "greedy")[1]


def test_every_move_is_compared_with_the_best(impl, cli, games):
    game = impl.record.read_file(games)[0]
    status, out, err = cli("analyse", games, "--game", 1, "--depth", 1, "--worst", 3)
    assert (status, err) == (0, "")
    search = impl.Expectimax(1, network=impl.NTupleNetwork.default())
    lines = out.splitlines()
    lost = []
    for i, (board, (direction, cell, exponent)) in enumerate(zip(game, game.history, strict=False)):
        values = search.values(board)
        top = max(value for value in values if value == value)
        words = lines[i].split()
        assert words[:2] == [str(i + 1), f"{'URDL'[direction]}{cell}:{exponent}"]
        assert f"score {game.scores[i + 1]:>7}  value {values[direction]:.2f}" in lines[i]
        loss = top - values[direction]
        lost.append(loss)
        assert ("lost" in lines[i]) == (loss > 0)
        if loss > 0:
            assert (
                lines[i].endswith(f"lost {loss:.2f}") and ("up", "right", "down", "left")[values.index(top)] in lines[i]
            )
        assert re.search(r":\d +\?\? +score", lines[i]) is not None or loss <= top / 100
        assert re.search(r":\d +\?\?? +score", lines[i]) is not None or loss <= top / 1000
    summary = lines[game.moves]
    assert summary.startswith(f"{game.moves} moves: {sum(x <= 0 for x in lost) / len(lost):.1%} the best")
    assert lines[game.moves + 1] == "most was lost by"
    worst = [float(line.split()[-1]) for line in lines[game.moves + 2 :]]
    assert worst == pytest.approx(sorted(lost, reverse=True)[:3], abs=0.01)


def test_the_best_moves_are_not_marked(impl, cli, tmp_path):
    game, search = impl.Game(seed=3), impl.Expectimax(1, network=impl.NTupleNetwork.default())
    for _ in range(20):
        game.move(search(game.board))
    (tmp_path / "best.txt").write_text(game.record())
    status, out, _ = cli("analyse", tmp_path / "best.txt", "--depth", 1)
    assert status == 0 and "20 moves: 100.0% the best, 0.0% marked ?, 0.0% marked ??" in out
    assert "lost" not in out


def test_a_record_that_breaks_off(cli, games, tmp_path):
    text = games.read_text()
    (tmp_path / "cut.txt").write_text(text[: text.index("moves:") + 40])
    status, out, err = cli("analyse", tmp_path / "cut.txt", "--depth", 0)
    assert status == 1 and "moves: " in out and err.count("\n") == 1


def test_bad_input_is_one_line(cli, games, tmp_path):
    (tmp_path / "wide.txt").write_text("")
    (tmp_path / "empty.txt").write_text("")
    cli("watch", "--agent", "random", "--size", "3x3", "--seed", 1, "--save", tmp_path / "wide.txt")
    for arguments in [
        [tmp_path / "none"],
        [games, "--game", 3],
        [games, "--depth", -1],
        [games, "--worst", -1],
        [games, "--milliseconds", 0],
        [games, "--table", games],
        [tmp_path / "wide.txt"],
        [tmp_path / "empty.txt"],
    ]:
        status, out, err = cli("analyse", *arguments)
        assert (status, out, err.count("\n")) == (2, "", 1), arguments
        assert err.startswith("bitboard analyse: ")


@pytest.mark.parametrize("agent", ["expectimax", "montecarlo"])
@pytest.mark.parametrize("rules", [("--size", "3x3"), ("--top", "2048")])
def test_agents_of_the_4x4_board_refuse_another_one_before_the_game(cli, agent, rules):
    status, out, err = cli("watch", "--agent", agent, *rules)
    assert (status, out) == (
        2,
        "",
    ) and err == f"bitboard watch: agent {agent} plays 4x4 boards of the original rules alone; greedy plays any\n"


def test_a_file_without_a_game_says_so(cli, tmp_path):
    (tmp_path / "empty.txt").write_text("\n")
    for command in ("analyse", "replay"):
        status, out, err = cli(command, tmp_path / "empty.txt")
        assert (status, out) == (2, "") and "holds no game" in err
