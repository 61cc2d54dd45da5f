"""The environment of one game: Gymnasium's own checker, the oracle's game, and every argument."""

import copy
import pickle
import random
import subprocess
import sys

import gymnasium
import numpy as np
import oracle
import pytest
from conftest import ROOT
from gymnasium.utils.env_checker import check_env, data_equivalence

SATURATED = 0xFF00_0000_0000_0000
OVER = 0x1212_2121_1212_2121
OVER_BUT_SATURATED = 0xFF12_2121_1212_2121
ONLY_RIGHT = 0x1200_2100_1200_2100  # two full columns of unlike tiles at the left wall
OBSERVATIONS = ("exponents", "one_hot", "board")


# Which pixels of a digit's 3 x 5 are set: how many.
INK = {"0": 12, "1": 8, "2": 11, "3": 10, "4": 9, "5": 11, "6": 12, "7": 7, "8": 13, "9": 12}


def changed(before, afterstate, after):
    return float(before != afterstate)


def make(impl, **arguments):
    """The environment with a spec, as gymnasium.make() would give it."""
    env = impl.env.Game2048Env(**arguments)
    env.spec = gymnasium.envs.registration.EnvSpec(
        "bitboard/Check-v0", entry_point=impl.env.Game2048Env, kwargs=arguments
    )
    return env


def grid_of(board):
    return oracle.of_hex(f"{board:016x}".upper())


def made_by(before, direction):
    """The tiles that a slide makes, found on the grid by pairing equal neighbours from the wall."""
    lines = grid_of(before) if direction in "LR" else [list(line) for line in zip(*grid_of(before), strict=True)]
    made = []
    for line in lines:
        tiles = [tile for tile in (line if direction in "LU" else line[::-1]) if tile]
        while tiles:
            tile = tiles.pop(0)
            if tiles and tiles[0] == tile and tile < 32768:
                tiles.pop(0)
                made.append(2 * tile)
    return made


@pytest.mark.parametrize("observation", OBSERVATIONS)
@pytest.mark.parametrize("reward", ["points", "log2", changed])
def test_gymnasium_finds_nothing_to_warn_of(impl, observation, reward, capsys):
    check_env(make(impl, observation=observation, reward=reward))


def test_made_by_name_with_or_without_the_import():
    env = gymnasium.make("bitboard.env:bitboard/Game2048-v0", observation="board")
    env.reset(seed=3)
    again = env.spec.make()
    assert type(again.unwrapped) is type(env.unwrapped)
    assert data_equivalence(again.reset(seed=3)[0], env.unwrapped.reset(seed=3)[0])
    spec = gymnasium.spec("bitboard/Game2048-v0")
    assert spec.vector_entry_point and spec.max_episode_steps is None and not spec.nondeterministic


@pytest.mark.parametrize("missing", ["gymnasium", "numpy"])
def test_without_gymnasium_the_error_says_what_to_install(missing):
    code = f"""
import sys
sys.modules[{missing!r}] = None
import bitboard
for load in (lambda: bitboard.env, lambda: __import__("bitboard.env")):
    try:
        load()
    except ImportError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.count('gymnasium 1.1 or newer, and numpy: pip install -e ".[gym]" in the checkout') == 2


def test_a_game_is_the_oracles_and_follows_the_stream(impl):
    generator, illegal = random.Random(1), 0
    for seed in range(4):
        env = impl.env.Game2048Env()
        observation, info = env.reset(seed=seed)
        board = impl.spawn(impl.spawn(0, impl.random64(seed, 0)), impl.random64(seed, 1))
        score = moves = 0
        terminated = False
        while not terminated:
            grid = grid_of(board)
            assert (np.where(observation, 2 ** observation.astype(int), 0) == grid).all()
            assert [int(letter in oracle.legal(grid)) for letter in "URDL"] == info["action_mask"].tolist()
            assert env.action_masks().dtype == bool and env.action_masks().tolist() == [*map(bool, info["action_mask"])]
            assert (info["board"], info["score"], info["moves"]) == (board, score, moves)
            assert info["max_tile"] == max(map(max, grid))
            assert {info[name].dtype.num for name in ("score", "max_tile", "moves")} == {np.dtype(np.int64).num}
            action = generator.randrange(4)
            slid, points = oracle.slide(grid, "URDL"[action])
            observation, reward, terminated, truncated, info = env.step(action)
            assert (reward, truncated) == (points, False)
            assert grid_of(info["afterstate"]) == slid
            if slid == grid:
                illegal += 1
            else:
                board = impl.spawn(int(info["afterstate"]), impl.random64(seed, 2 + moves))
                score, moves = score + points, moves + 1
            assert terminated == (not oracle.legal(grid_of(board)))
        assert info["board"] == board and info["action_mask"].tolist() == [0, 0, 0, 0]
    assert illegal > 50


def test_a_reset_without_a_seed_goes_on_with_the_stream_of_the_last(impl):
    env = impl.env.Game2048Env()
    env.reset(seed=5)
    for index in (5, impl.stream(5, 0), impl.stream(impl.stream(5, 0), 0)):
        assert env.stream == index
        assert env.board == impl.spawn(impl.spawn(0, impl.random64(index, 0)), impl.random64(index, 1))
        env.reset()
    first, second = impl.env.Game2048Env(), impl.env.Game2048Env()
    first.reset(), second.reset()
    assert first.stream != second.stream


def test_observations_and_spaces_hold_every_board(impl):
    generator = random.Random(2)
    boards = [generator.getrandbits(64) for _ in range(300)] + [2**64 - 1, 0, SATURATED]
    for observation in OBSERVATIONS:
        env = impl.env.Game2048Env(observation=observation)
        for board in boards:
            seen, info = env.reset(options={"board": board})
            assert seen in env.observation_space and seen.dtype == env.observation_space.dtype
            assert info["board"] == info["afterstate"] == board == env.board
            cells = np.array(impl.to_grid(board, exponents=True))
            if observation == "exponents":
                assert (seen == cells).all()
            elif observation == "one_hot":
                assert (seen.argmax(axis=0) == cells).all() and seen.sum() == 16
            else:
                assert seen == [board]


def test_rewards(impl):
    generator = random.Random(3)
    slides = []
    for _ in range(400):
        board = generator.getrandbits(64) & generator.getrandbits(64)
        slides += [(board, after, d) for d, after, _ in impl.afterstates(board)]
    envs = {reward: impl.env.Game2048Env(reward=reward) for reward in ("points", "log2")}
    seen = []
    watching = impl.env.Game2048Env(reward=lambda *boards: seen.append(boards) or 7)
    for board, after, d in slides:
        made = made_by(board, "URDL"[d])
        for env in (*envs.values(), watching):
            env.reset(seed=1, options={"board": board})
        assert envs["points"].step(d)[1] == sum(made)
        assert envs["log2"].step(d)[1] == sum(tile.bit_length() - 1 for tile in made)
        assert watching.step(d)[1] == 7.0
        assert seen.pop() == (board, after, watching.board)
    watching.reset(options={"board": ONLY_RIGHT})
    watching.step(0)
    assert seen == [(ONLY_RIGHT,) * 3]
    assert all(type(board) is int for board in seen[0])


def test_illegal_actions(impl):
    for illegal in ("ignore", "end", "raise"):
        env = impl.env.Game2048Env(illegal=illegal)
        env.reset(seed=1, options={"board": ONLY_RIGHT})
        if illegal == "raise":
            with pytest.raises(ValueError, match=r"action 0 is illegal: sliding up .*0x1200210012002100"):
                env.step(0)
        else:
            _, reward, terminated, truncated, info = env.step(0)
            assert (reward, terminated, truncated) == (0.0, illegal == "end", False)
            assert (info["board"], info["moves"], info["score"]) == (ONLY_RIGHT, 0, 0)
            assert info["action_mask"].tolist() == [0, 1, 0, 0]
        assert env.board == ONLY_RIGHT
        assert env.step(1)[4]["moves"] == 1


def test_no_action_raises_on_a_board_that_is_over(impl):
    env = impl.env.Game2048Env(illegal="raise")
    env.reset(seed=1, options={"board": OVER})
    for action in range(4):
        assert env.step(action)[1:4] == (0.0, True, False)


@pytest.mark.parametrize("action", range(4))
def test_no_episode_hangs(impl, action):
    """A player that knows one direction only."""
    for limit in (1, 7, 100):
        env = impl.env.Game2048Env(max_illegal=limit)
        env.reset(seed=action)
        moves = in_a_row = steps = 0
        ended = False
        while not ended:
            *_, terminated, truncated, info = env.step(action)
            ended, steps = terminated or truncated, steps + 1
            in_a_row = in_a_row + 1 if info["moves"] == moves else 0
            moves = info["moves"]
            assert truncated == (in_a_row == limit and not terminated)
        assert steps < 1000 and (in_a_row == limit or terminated)


def test_max_moves_truncates(impl):
    env = impl.env.Game2048Env(max_moves=3)
    env.reset(seed=1)
    ended = moves = 0
    while not ended:
        *_, terminated, ended, info = env.step(np.flatnonzero(env.action_masks())[0])
        moves += 1
        assert not terminated and ended == (moves == 3) == (info["moves"] == 3)


def test_saturated_boards_truncate_and_are_not_over(impl):
    for board, action in ((SATURATED, 2), (OVER_BUT_SATURATED, 0)):
        env = impl.env.Game2048Env()
        env.reset(seed=1, options={"board": board})
        *_, terminated, truncated, info = env.step(action)
        assert (terminated, truncated) == (False, True)
        assert info["max_tile"] == 32768
    env.reset(options={"board": OVER})
    assert env.step(0)[2:4] == (True, False)


def test_wrong_arguments(impl):
    make = impl.env.Game2048Env
    for arguments in (
        {"observation": "pixels"}, {"reward": "score"}, {"illegal": "no"}, {"max_illegal": 0},
        {"max_moves": 0}, {"render_mode": "rgb"}, {"reward": 3}, {"observation": ["exponents"]},
    ):  # fmt: skip
        (name,) = arguments
        with pytest.raises(ValueError, match=name):
            make(**arguments)
    with pytest.raises(TypeError, match="max_moves"):
        make(max_moves=1.5)
    env = make()
    for method in (lambda: env.step(0), env.action_masks, env.render):
        with pytest.raises(RuntimeError, match=r"call reset\(\) before \w+\(\)"):
            method()
    with pytest.raises(TypeError, match="board"):
        env.reset(options={"board": "1"})
    with pytest.raises(OverflowError, match="board"):
        env.reset(options={"board": 2**64})
    with pytest.raises(OverflowError, match="seed"):
        env.reset(seed=2**64)
    with pytest.raises(ValueError, match="'boards'"):
        env.reset(options={"boards": 1})
    env.reset(seed=1)
    before = env.board
    for action in (*range(-20, 0), *range(4, 20), -(2**70), 2**70, np.int64(-1), np.int64(-5), np.array(-5)):
        with pytest.raises(ValueError, match="action must be an integer from 0 to 3"):
            env.step(action)
    for action in (1.0, "up", None, np.float32(1), [1], np.array([1, 2]), np.array([-1])):
        with pytest.raises(TypeError, match="action must be an integer from 0 to 3"):
            env.step(action)
    assert env.board == before and env.moves == 0


@pytest.mark.parametrize("kind", [int, np.int64, np.uint8, np.int32, np.array])
def test_actions_of_any_integer_type(impl, kind):
    env = impl.env.Game2048Env()
    env.reset(seed=1)
    assert env.step(kind(2))[4]["moves"] == 1


def test_pickles_and_copies_go_on_as_the_original_does(impl):
    env = impl.env.Game2048Env(observation="one_hot", reward="log2", max_moves=500)
    env.reset(seed=9)
    for _ in range(20):
        env.step(int(np.flatnonzero(env.action_masks())[-1]))
    others = copy.deepcopy(env), pickle.loads(pickle.dumps(env))
    for action in [0, 1, 2, 3] * 10:
        result = env.step(action)
        for other in others:
            assert data_equivalence(other.step(action), result, exact=True)
    result = env.reset()
    for other in others:
        assert data_equivalence(other.reset(), result, exact=True)


def test_what_is_returned_is_the_callers(impl):
    env = impl.env.Game2048Env()
    observation, info = env.reset(seed=1)
    observation[:] = 15
    info["action_mask"][:] = 0
    again, fresh = env.reset(seed=1)
    assert again.max() < 3 and fresh["action_mask"].any()


def test_ansi(impl):
    env = impl.env.Game2048Env(render_mode="ansi")
    env.reset(seed=1, options={"board": 0x1234_0000_0000_000F})
    assert env.render() == "score 0  moves 0\n" + impl.pretty(0x1234_0000_0000_000F) + "\n"


def test_human_prints_each_board_once(impl, capsys):
    env = impl.env.Game2048Env(render_mode="human")
    env.reset(seed=1)
    assert env.render() is None
    env.step(2)
    printed = capsys.readouterr().out
    assert printed.count("score") == 2 and printed.endswith(impl.pretty(env.board) + "\n")


def test_human_without_a_stdout(impl, monkeypatch):
    env = impl.env.Game2048Env(render_mode="human")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        env.reset(seed=1)
        info = env.step(2)[4]
    assert info["moves"] == 1


def test_human_redraws_in_place_on_a_terminal(impl, monkeypatch, capsys):
    slept = []
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("time.sleep", slept.append)
    env = impl.env.Game2048Env(render_mode="human")
    env.reset(seed=1)
    assert slept == [1 / env.metadata["render_fps"]]
    assert capsys.readouterr().out.startswith("\x1b[H\x1b[2Jscore 0")


def cells_of(image):
    """The sixteen 80 x 80 squares of an image, 8 pixels apart."""
    return [image[8 + r * 88 :, 8 + c * 88 :][:80, :80] for r in range(4) for c in range(4)]


def test_rgb_array(impl):
    env = impl.env.Game2048Env(render_mode="rgb_array")
    env.reset(options={"board": 0x0123_4567_89AB_CDEF})
    image = env.render()
    assert image.shape == (360, 360, 3) and image.dtype == np.uint8
    cells = cells_of(image)
    for exponent, cell in enumerate(cells):
        ink = (cell != cell[0, 0]).any(axis=2)
        if exponent == 0:
            assert not ink.any()
            continue
        rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
        scale, digits = len(rows) // 5, str(2**exponent)
        assert scale >= 3 and len(rows) == 5 * scale
        top, left = (80 - 5 * scale) // 2, (80 - (4 * len(digits) - 1) * scale) // 2
        assert rows[0] == top and left <= columns[0] and columns[-1] < 80 - left  # in the middle, with a margin
        assert ink[top::scale, left::scale].sum() == sum(INK[digit] for digit in digits) == ink.sum() / scale**2
    assert len({cell[0, 0].tobytes() for cell in cells}) == 16
    env.reset(options={"board": 0xFEDC_BA98_7654_3210})
    assert all(map(np.array_equal, cells_of(env.render()), cells[::-1]))
