"""Moves, whole games and game trees as other programs played them."""

import pytest
import vectors

MOVES = list(vectors.rows("moves_4x4.csv.gz"))
GAMES = list(vectors.objects("games_original.jsonl.gz"))


def saturated_moves(case):
    """The directions of a case in which the original makes a 65536."""
    return [d for d in "URDL" if "G" in case[d]]


def test_the_data_is_all_there():
    assert len(MOVES) == 8179 and len(GAMES) == 96
    assert not any("G" in case["board"] for case in MOVES)
    assert sum(1 for case in MOVES if saturated_moves(case)) > 100


def test_every_move_reward_and_legality_of_the_original(impl):
    checked = 0
    for case in MOVES:
        board = impl.parse(case["board"])
        for bit, d in enumerate("URDL"):
            if d in saturated_moves(case):
                continue  # checked below
            checked += 1
            assert impl.move(board, d) == int(case[d], 16), (case["board"], d)
            assert impl.reward(board, d) == int(case[d + "_reward"]), (case["board"], d)
            assert impl.legal_moves(board) >> bit & 1 == (case[d] != case["board"]), (case["board"], d)
        if not saturated_moves(case):
            # the original calls a board with an empty cell movable, even the empty one
            movable = not impl.is_over(board) or impl.empty_count(board) > 0
            assert movable == (case["moves_available"] == "1"), case["board"]
    assert checked > 31_000


def test_where_the_original_makes_a_65536_we_are_saturated_and_lose_nothing(impl):
    checked = 0
    for case in MOVES:
        board_text = case["board"]
        board = impl.parse(board_text)
        assert impl.is_saturated(board) == bool(saturated_moves(case)), board_text
        for d in saturated_moves(case):
            checked += 1
            after = impl.move(board, d)
            made = case[d].count("G")
            assert impl.tile_sum(after) == impl.tile_sum(board)
            assert impl.reward(board, d) == int(case[d + "_reward"]) - made * 65536
            # the original turned two F into each G; here they stay
            assert f"{after:016x}".count("f") == case[d].count("F") + 2 * made
    assert checked > 100


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game["id"]))
def test_games_of_the_original_slide_by_slide(impl, game):
    board, score = impl.from_grid(game["start"]), 0
    noops = {}
    for index, d in game["noops"]:
        noops.setdefault(index, []).append(d)
    for index, (d, row, column, value, score_after) in enumerate(game["moves"]):
        for useless in noops.get(index, []):
            assert impl.move(board, useless) == board
            assert impl.reward(board, useless) == 0
        assert not impl.is_over(board)
        score += impl.reward(board, d)
        after = impl.move(board, d)
        assert after != board
        grid = impl.to_grid(after)
        assert grid[row][column] == 0
        grid[row][column] = value
        board = impl.from_grid(grid)
        assert score == score_after
        assert board in [outcome for _, outcome in impl.spawns(after)]
    assert impl.to_grid(board) == game["final"]
    assert score == game["score"]
    assert impl.is_over(board) == game["over"]
    assert 2 ** impl.max_exponent(board) == game["max"]


@pytest.mark.parametrize("case", list(vectors.rows("perft.csv")), ids=lambda case: f"{case['id']}-{case['depth']}")
def test_perft(impl, case):
    assert impl.perft(int(case["board"], 16), int(case["depth"])) == int(case["leaf_nodes"])
