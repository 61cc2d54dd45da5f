"""`bitboard engine`: a JSON object a line in, one out."""

import json
import os
import subprocess
import sys

from conftest import ROOT


def lines(cli, *texts, arguments=()):
    status, out, err = cli("engine", *arguments, stdin="".join(text + "\n" for text in texts))
    return status, [json.loads(line) for line in out.splitlines()], err


def test_answers_come_in_order_with_their_id(cli):
    status, answers, err = lines(
        cli,
        '{"op": "legal", "board": "1000000000000000", "id": 7}',
        "",
        '{"op": "best", "board": "1100000000000000", "id": {"a": [1]}}',
        '{"op": "quit"}',
        '{"op": "info"}',
    )
    assert (status, err) == (0, "")
    assert answers[0] == {"id": 7, "legal": ["R", "D"], "over": False}
    assert answers[1]["id"] == {"a": [1]} and answers[1]["direction"] == "R"
    assert len(answers) == 2


def test_what_is_wrong_is_an_answer_and_the_next_line_is_read(cli):
    status, answers, err = lines(
        cli,
        "{",
        '{"op": "fly", "id": 1}',
        '{"id": 2}',
        '{"op": 5}',
        "5",
        '{"op": "legal", "board": "1"}',
        '{"op": "info"}',
    )
    assert (status, err) == (0, "")
    assert [answer.get("status") for answer in answers] == [400, 404, 422, 404, 400, 422, None]
    assert [answer.get("id") for answer in answers[:3]] == [None, 1, 2]


def test_bytes_that_are_not_utf8_and_a_byte_order_mark(cli):
    text = '{"op": "legal", "board": "1000000000000000"}\n'.encode("utf-8-sig")
    status, out, err = cli("engine", stdin=text + b"\xff\n" + text)
    answers = [json.loads(line) for line in out.splitlines()]
    assert (status, err) == (0, "") and [answer.get("legal") for answer in answers] == [["R", "D"], None, ["R", "D"]]
    assert answers[1]["status"] == 400 and "0xff" in answers[1]["error"]


def test_a_line_that_is_too_long(cli, impl, monkeypatch):
    import importlib

    monkeypatch.setattr(importlib.import_module(".commands.engine", impl.__name__), "LONGEST", 100)
    _, answers, _ = lines(
        cli, '{"op": "info", "id": "' + "x" * 1000 + '"}', '{"op": "legal", "board": "1000000000000000"}'
    )
    assert answers[0]["status"] == 413 and answers[1]["legal"] == ["R", "D"] and len(answers) == 2


def test_the_agent_of_the_command_line(cli):
    _, answers, _ = lines(
        cli,
        '{"op": "best", "board": "1100000000000000"}',
        '{"op": "info"}',
        arguments=("--agent", "montecarlo", "--playouts", "2"),
    )
    assert answers[0]["agent"] == "montecarlo"
    assert answers[1]["agents"][0] == "montecarlo" and answers[1]["own"] == ["montecarlo"]
    assert cli("engine", "--agent", "nobody")[0] == 2
    assert cli("engine", "--playouts", "3") == (2, "", "bitboard engine: options of an agent need --agent\n")
    assert cli("engine", "--agent", "greedy", "--depth", "3")[0] == 2


def test_a_program_plays_a_game_through_pipes(impl):
    command = [sys.executable, "-m", "bitboard", "engine"]
    environment = os.environ | {"BITBOARD_BACKEND": impl.BACKEND}
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as engine:

        def ask(**request):
            engine.stdin.write(json.dumps(request) + "\n")
            engine.stdin.flush()
            return json.loads(engine.stdout.readline())

        game, agent = impl.Game(3), impl.agents.Greedy()
        state = ask(op="new", seed=3)
        while not state["over"]:
            best = ask(op="best", board=state["board"])["direction"]
            state = ask(op="move", board=state["board"], seed="3", moves=state["moves"], direction=best)
            game.move(agent(game.board))
            assert int(state["board"], 16) == game.board
        engine.stdin.close()
        assert engine.wait(20) == 0
    assert game.over
