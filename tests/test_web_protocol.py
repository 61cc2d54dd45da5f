"""The protocol against the package's own functions, and what it refuses."""

import importlib
import json
import math
import random

import oracle
import pytest

LETTERS = "URDL"


@pytest.fixture
def protocol(impl):
    return module(impl, "protocol").Protocol(default="greedy")


def module(impl, name):
    return importlib.import_module(f".web.{name}", impl.__name__)


def ask(protocol, operation, **request):
    """An answer that went through JSON, as it would on a wire."""
    return json.loads(json.dumps(protocol.answer(operation, json.loads(json.dumps(request))), allow_nan=False))


def boards(impl, n=40):
    rng = random.Random(19)
    found = [0, 0x1100_0000_0000_0000, 0x1212_2121_1212_2121, 0xFFFF_FFFF_FFFF_FFFF]
    while len(found) < n:
        found.append(sum(rng.choice((0, 0, *range(1, 16))) << 4 * i for i in range(16)))
    return found


def test_legal_and_afterstates_are_those_of_the_package(impl, protocol):
    for board in boards(impl):
        text = f"{board:016x}"
        legal = ask(protocol, "legal", board=text)
        expected = [(d, *oracle.slide(impl.to_grid(board), d)) for d in oracle.legal(impl.to_grid(board))]
        assert legal["legal"] == [d for d, _, _ in expected]
        assert legal["over"] == (not legal["legal"])
        found = ask(protocol, "afterstates", board=text)["afterstates"]
        assert [(one["direction"], impl.parse_grid(one["board"]), one["reward"]) for one in found] == expected
        rows = ask(protocol, "afterstates", board=impl.to_grid(board))["afterstates"]
        assert [one["board"] for one in rows] == [after for _, after, _ in expected]
        flat = ask(protocol, "afterstates", board=sum(impl.to_grid(board), []))["afterstates"]
        assert [one["board"] for one in flat] == [sum(one["board"], []) for one in rows]


def test_characters_above_f(protocol):
    found = ask(protocol, "afterstates", board="ff00gg00GH000000")["afterstates"]
    left = next(one for one in found if one["direction"] == "L")
    assert left["reward"] == 65536 + 131072
    assert left["board"] == "g000h000gh000000"
    assert ask(protocol, "afterstates", board="ff00" + "0" * 12)["afterstates"][-1] == {
        "direction": "L", "board": "g" + "0" * 15, "reward": 65536,
    }  # fmt: skip
    assert ask(protocol, "legal", board=[[65536, 65536], [0, 0]])["legal"] == ["R", "D", "L"]
    over = ask(protocol, "afterstates", board="hh00" + "0" * 12)["afterstates"][0]
    assert (over["board"], over["reward"]) == ("00hh" + "0" * 12, 0)  # the original ends at 131072
    assert ask(protocol, "best", board="gh00000000000000", agent="expectimax")["direction"] in "RDL"
    with pytest.raises(ValueError, match="expectimax plays 4x4 boards of the usual rules with tiles to 131072 alone"):
        ask(protocol, "best", board=[[262144, 0, 0, 0]] + [[0] * 4] * 3, agent="expectimax")


@pytest.mark.parametrize("rules", [{}, {"rows": 3, "columns": 5, "spawn": {"2": 1, "8": 2}}, {"top": 64}])
def test_a_game_by_moves_is_that_of_the_package(impl, protocol, rules):
    given = {
        name: ({int(face): n for face, n in value.items()} if name == "spawn" else value)
        for name, value in rules.items()
    }
    game = impl.grid.Game(seed=5, **given) if rules else impl.Game(5)
    state = ask(protocol, "new", seed="5", **rules)
    law = {name: value for name, value in rules.items() if name in ("spawn", "top")}
    score = 0
    while not state["over"]:
        assert rows(state["board"]) == rows(game.board if rules else f"{game.board:016x}")
        direction = state["legal"][game.moves % len(state["legal"])]
        board, seed, moves = state["board"], state["seed"], state["moves"]
        state = ask(protocol, "move", board=board, seed=seed, moves=moves, direction=direction, **law)
        score += state["reward"]
        game.move(direction)
        assert (state["spawn"]["cell"], int(math.log2(state["spawn"]["tile"]))) == game.history[-1][1:]
    assert game.over and score == game.score and state["moves"] == game.moves


def rows(board):
    """Rows of exponents of a board of either form."""
    if isinstance(board, str):
        return [[int(digit, 16) for digit in board[i : i + 4]] for i in (0, 4, 8, 12)]
    return [[face.bit_length() - 1 if face else 0 for face in row] for row in board]


def test_moves_against_an_oracle(protocol):
    rng = random.Random(7)
    for _ in range(30):
        grid = [[rng.choice((0, 2, 2, 4, 8)) for _ in range(4)] for _ in range(4)]
        for one in ask(protocol, "afterstates", board=grid)["afterstates"]:
            assert (one["board"], one["reward"]) == oracle.slide(grid, one["direction"])


def test_best_and_evaluate_give_the_agents_values(impl, protocol):
    agents = {"greedy": impl.agents.Greedy(), "expectimax": impl.agents.expectimax(1)}
    for board in boards(impl, 15)[4:]:
        view = impl.Game(0, board).board
        for name, agent in agents.items():
            request = {"board": f"{board:016x}", "agent": name} | ({"depth": 1} if name == "expectimax" else {})
            if impl.is_over(view):
                assert ask(protocol, "evaluate", **request) == {"value": 0.0, "over": True}
                continue
            answer = ask(protocol, "best", **request)
            want = list(agent.values(view))
            assert list(answer["values"].values()) == [None if value != value else value for value in want]
            assert answer["direction"] == LETTERS[impl.agents.best(want)]
            assert ask(protocol, "evaluate", **request)["value"] == max(value for value in want if value == value)


def test_play_is_best_and_move_again_and_again(impl, protocol):
    for name in ("greedy", "random"):
        board, moves, made = f"{impl.Game(9).board:016x}", 0, []
        whole = ask(protocol, "play", board=board, seed="9", agent=name, count=25)
        for _ in range(25):
            best = ask(protocol, "best", board=board, seed="9", moves=moves, agent=name)["direction"]
            state = ask(protocol, "move", board=board, seed="9", moves=moves, direction=best)
            board, moves = state["board"], state["moves"]
            made.append(f"{best}{state['spawn']['cell']}:{int(math.log2(state['spawn']['tile']))}")
        assert (whole["played"].split(), whole["board"], whole["moves"]) == (made, board, moves)


@pytest.mark.parametrize("name", ["greedy", "random"])
def test_agents_know_the_largest_tile_of_a_request(protocol, name):
    board = [[16, 16], [2, 4], [0, 0]]  # only down, where two 16 do not merge; else left and right earn most
    assert ask(protocol, "best", board=board, top=16, agent=name)["direction"] == "D"
    merging = ask(protocol, "best", board=board, top=32, agent=name)["direction"]
    assert merging in "LRD" and (name == "random" or merging in "LR")


def test_play_ends_where_the_client_has_left(impl):
    protocol, asked = module(impl, "protocol").Protocol(), []

    def left():
        asked.append(1)
        return len(asked) > 5

    assert protocol.answer("play", {"board": "1100000000000000", "count": 1000}, left)["moves"] == 5


def test_whole_games_go_round(impl, protocol):
    agent = impl.agents.Greedy()
    games = [impl.Game(3), impl.grid.Game(3, 3, 4, spawn={4: 1}, top=64), impl.grid.Game(2, 4, 5, start_tiles=5)]
    for game in games:
        while not game.over and game.moves < 60:
            game.move(
                next(d for d in range(4) if game.legal >> d & 1) if game.moves % 3 else "URDL"[first_legal(game, agent)]
            )
        game.tags["agent"] = "someone"
        (read,) = ask(protocol, "read", text=game.record())["games"]
        assert ask(protocol, "record", game=read)["text"] == game.record()
        assert ask(protocol, "svg", game=read)["text"] == impl.render.animated_svg(game)
        assert ask(protocol, "svg", game=read, move=2)["text"] == impl.render.svg(game, 2)
        assert game.record() in json.loads(html_data(ask(protocol, "html", game=read)["text"]))["record"]


def test_damaged_records_hide_no_other_game(impl, protocol):
    game = impl.Game(3)
    text = game.record().replace("seed: 3", "seed: x") + "\n" + game.record()
    answer = ask(protocol, "read", text=text)
    assert [one["seed"] for one in answer["games"]] == ["3"]
    assert len(answer["damaged"]) == 1 and "seed cannot be 'x'" in answer["damaged"][0]


def first_legal(game, agent):
    return max(d for d in range(4) if game.legal >> d & 1)


def html_data(text):
    return text.split('id="data">')[1].split("</script>")[0]


def test_the_html_of_a_game_asks_for_nothing_and_cannot_be_broken_out_of(impl):
    game = impl.Game(1)
    game.tags["note"] = "</script><script>alert(1)</script><!--"
    text = module(impl, "page").replay(game)
    assert text.count("</script>") == 2 and "alert(1)</script>" not in text
    assert json.loads(html_data(text))["game"]["tags"] == game.tags
    for loads in ("src=", "@import", "url(", "https://", "fetch("):
        assert loads not in text


def test_the_page_is_small(impl):
    assert sum(len(content) for _, content in module(impl, "page").resources().values()) < 100_000


def test_analysis_is_that_of_the_command(impl, protocol):
    game = impl.Game(11)
    while game.moves < 12:
        game.move(first_legal(game, None))
    pairs = [[f"{board:016x}", LETTERS[move[0]]] for board, move in zip(game, game.history, strict=False)]
    judged = ask(protocol, "analyse", positions=pairs, depth=1)["judged"]
    search = impl.Expectimax(1, network=impl.NTupleNetwork.default())
    for (board, direction), one in zip(pairs, judged, strict=True):
        values = search.values(int(board, 16))
        top = max(value for value in values if value == value)
        assert one["loss"] == top - values[LETTERS.index(direction)]
        share = one["loss"] / top
        assert one["mark"] == ("??" if share > 0.01 else "?" if share > 0.001 else "")


REFUSED = [
    ("fly", {}, 404, "operation must be one of info, new"),
    ("legal", {}, 422, "no board"),
    ("legal", {"board": "1" * 15}, 422, "16 characters, one a cell, got 15"),
    ("legal", {"board": "i" + "0" * 15}, 422, "character 0 is 'i'"),
    ("legal", {"board": "１" + "0" * 15}, 422, "character 0"),
    ("legal", {"board": 5}, 422, "text of 16 characters, or a list of rows"),
    ("legal", {"board": [[2, 4], [2]]}, 422, "row 1 of grid must have 2 cells"),
    ("legal", {"board": [[2, 3]]}, 422, "column 1 of grid must be 0 or a power of two"),
    ("legal", {"board": [[2.0, 4]]}, 422, "row 0 of board must hold integers alone"),
    ("legal", {"board": [[True, 4]]}, 422, "row 0 of board must hold integers alone"),
    ("legal", {"board": [[2] * 33]}, 422, "1 to 32 cells, got 33"),
    ("legal", {"board": [2] * 15}, 422, "must have 16 face values, got 15"),
    ("legal", {"board": "0" * 16, "seed": 1}, 422, "unknown field 'seed'; legal takes board"),
    ("new", {"seed": -1}, 422, "seed must be an integer from 0"),
    ("new", {"seed": "abc"}, 422, "seed must be an integer from 0"),
    ("new", {"rows": 33}, 422, "rows must be an integer from 1 to 32, got 33"),
    ("new", {"rows": "4"}, 422, "rows must be an integer from 1 to 32, not str"),
    ("new", {"spawn": {"3": 1}}, 422, "power of two"),
    ("new", {"spawn": {"2": 0}}, 422, "weight of 2"),
    ("new", {"spawn": [2]}, 422, "spawn must be an object"),
    ("new", {"top": 3}, 422, "top must be a power of two"),
    ("move", {"board": "1000000000000000", "direction": "L"}, 409, "sliding L changes nothing; legal: R D"),
    ("move", {"board": "1000000000000000", "direction": "X"}, 422, "direction must be"),
    ("move", {"board": "1000000000000000"}, 422, "no direction"),
    ("move", {"board": "1212212112122121", "direction": "L"}, 409, "the game is over"),
    ("best", {"board": "1212212112122121"}, 422, "the game is over"),
    ("best", {"board": "1100000000000000", "agent": "os:system"}, 422, "agent must be one of greedy"),
    ("best", {"board": "1100000000000000", "agent": ["greedy"]}, 422, "agent must be one of greedy"),
    ("best", {"board": "1100000000000000", "depth": 3}, 422, "agent greedy has no depth"),
    ("best", {"board": "1100000000000000", "agent": "expectimax", "depth": 21}, 422, "depth must be"),
    ("best", {"board": "1100000000000000", "agent": "expectimax", "milliseconds": 2001}, 422, "from 0.1 to 2000"),
    ("best", {"board": "1100000000000000", "agent": "expectimax", "milliseconds": True}, 422, "milliseconds must be"),
    ("best", {"board": [[2, 2]], "agent": "montecarlo"}, 422, "greedy plays any"),
    ("play", {"board": "1100000000000000", "count": 0}, 422, "count must be"),
    ("analyse", {"positions": []}, 422, "positions must be a list of 1 to 1000"),
    ("analyse", {"positions": [["1000000000000000", "L"]]}, 409, "position 0: sliding L changes nothing"),
    ("analyse", {"positions": [[[[2, 2]], "L"]]}, 422, "analyse is for 4x4"),
    ("read", {"text": ""}, 422, "no game"),
    ("read", {"text": 5}, 422, "text must be"),
    ("record", {"game": {}}, 422, "game must be an object"),
    ("record", {"game": {"rules": {"rows": 1, "columns": 2, "top": 99}}}, 422, "top must be"),
]


@pytest.mark.parametrize(("operation", "request_", "status", "said"), REFUSED)
def test_refused(impl, protocol, operation, request_, status, said):
    with pytest.raises(module(impl, "errors").RequestError) as caught:
        protocol.answer(operation, request_)
    assert caught.value.status == status
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "{", "[1]", '{"a": NaN}', "[" * 100_000, '{"a": ' + "9" * 5000 + "}", "\ufeff{}", b"\xff"]
)
def test_texts_that_are_no_requests(impl, text):
    with pytest.raises(module(impl, "errors").RequestError) as caught:
        module(impl, "protocol").decoded(text)
    assert caught.value.status == 400


def test_damaged_games_are_refused_and_nothing_else_happens(impl, protocol):
    rng = random.Random(3)
    game = ask(protocol, "read", text=impl.Game(1).record())["games"][0]
    for _ in range(300):
        broken = json.loads(json.dumps(game))
        place = rng.choice((broken, broken["rules"]))
        place[rng.choice(sorted(place))] = rng.choice(
            (None, -1, 2**70, "x", [], {}, [[1]], 1.5, True, {"2": -1}, "L0:1")
        )
        try:
            protocol.answer("record", {"game": broken})
        except module(impl, "errors").RequestError as error:
            assert error.status == 422
