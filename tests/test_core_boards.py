"""Properties of the one-board functions, on both backends, against the oracle."""

import importlib

import oracle
import pytest
from conftest import BACKENDS, IMPLEMENTATIONS
from hypothesis import example, given
from hypothesis import strategies as st

cells = st.sampled_from([0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 7, 11, 14])


def of_cells(exponents):
    board = 0
    for exponent in exponents:
        board = board << 4 | exponent
    return board


crowded = st.lists(cells, min_size=16, max_size=16).map(of_cells)
boards = st.one_of(st.integers(0, 2**64 - 1), crowded)
impls = st.sampled_from(list(IMPLEMENTATIONS.values()))
TURN = {0: "U", 1: "R", 2: "D", 3: "L"}


@given(impls, boards)
def test_legality_is_that_the_slide_changes_the_board_also_just_after_slides(impl, board):
    for start in [board] + [after for _, after, _ in impl.afterstates(board)]:
        changed = [d for d in range(4) if impl.move(start, d) != start]
        assert [d for d in range(4) if impl.legal_moves(start) >> d & 1] == changed
        assert impl.legal_moves(start) >> 4 == 0
        assert impl.is_over(start) is (not changed)
        assert [d for d, _, _ in impl.afterstates(start)] == changed
        for d, after, reward in impl.afterstates(start):
            assert (after, reward) == (impl.move(start, d), impl.reward(start, d))


@given(impls, crowded)
def test_slides_equal_the_oracle(impl, board):
    grid = impl.to_grid(board)
    for d, letter in TURN.items():
        after, points = oracle.slide(grid, letter)
        assert impl.to_grid(impl.move(board, d)) == after
        assert impl.reward(board, d) == points
    assert impl.is_over(board) == (oracle.legal(grid) == "")


# How each symmetry maps directions: the image of a slide in direction d is a slide of the image.
SYMMETRIES = {
    "transpose": (3, 2, 1, 0),
    "flip_horizontal": (0, 3, 2, 1),
    "flip_vertical": (2, 1, 0, 3),
    "rotate_90": (1, 2, 3, 0),
    "rotate_180": (2, 3, 0, 1),
    "rotate_270": (3, 0, 1, 2),
}


@given(impls, boards)
def test_moves_rewards_and_legality_agree_under_all_symmetries(impl, board):
    for name, image_of in SYMMETRIES.items():
        turn = getattr(impl, name)
        for d in range(4):
            assert turn(impl.move(board, d)) == impl.move(turn(board), image_of[d])
            assert impl.reward(board, d) == impl.reward(turn(board), image_of[d])
            assert impl.legal_moves(board) >> d & 1 == impl.legal_moves(turn(board)) >> image_of[d] & 1
    assert len({impl.canonical(image) for image in impl.symmetries(board)}) == 1
    assert impl.canonical(board) == min(impl.symmetries(board))
    for image in impl.symmetries(board):
        assert impl.is_saturated(image) == impl.is_saturated(board)
        assert impl.tile_sum(image) == impl.tile_sum(board)


def test_symmetries_of_a_drawn_grid(impl):
    board = 0x0123_4567_89AB_CDEF
    drawn = {
        "transpose": "048c 159d 26ae 37bf",
        "flip_horizontal": "3210 7654 ba98 fedc",
        "flip_vertical": "cdef 89ab 4567 0123",
        "rotate_90": "c840 d951 ea62 fb73",
        "rotate_180": "fedc ba98 7654 3210",
        "rotate_270": "37bf 26ae 159d 048c",
    }
    for name, text in drawn.items():
        assert getattr(impl, name)(board) == impl.parse(text), name
    r90, r180, r270, h, v, t = (
        drawn[k] for k in ("rotate_90", "rotate_180", "rotate_270", "flip_horizontal", "flip_vertical", "transpose")
    )
    expected = [board, *map(impl.parse, (r90, r180, r270, h, v, t)), impl.parse("fb73 ea62 d951 c840")]
    assert list(impl.symmetries(board)) == expected
    assert len(set(expected)) == 8


@given(impls, crowded)
@example(IMPLEMENTATIONS[next(iter(IMPLEMENTATIONS))], 0)
@example(IMPLEMENTATIONS[next(iter(IMPLEMENTATIONS))], 2**64 - 1)
def test_counts(impl, board):
    faces = sum(impl.to_grid(board), [])
    assert impl.empty_count(board) == faces.count(0)
    assert impl.tile_sum(board) == sum(faces)
    assert impl.max_exponent(board) == max(faces).bit_length() - (max(faces) > 0)


@given(impls, crowded)
def test_spawns_are_every_outcome_once_and_sum_to_one(impl, board):
    outcomes = impl.spawns(board)
    assert abs(sum(p for p, _ in outcomes) - 1) < 1e-12
    n = impl.empty_count(board)
    if n == 0:
        assert outcomes == ((1.0, board),)
        return
    assert len({after for _, after in outcomes}) == len(outcomes) == 2 * n
    for p, after in outcomes:
        added = impl.tile_sum(after) - impl.tile_sum(board)
        assert impl.empty_count(after) == n - 1
        assert p == pytest.approx({2: 0.9, 4: 0.1}[added] / n)


@given(impls, boards, st.integers(0, 2**64 - 1))
def test_spawn_follows_its_definition(impl, board, random64):
    digits = f"{board:016x}"
    empty = [i for i, digit in enumerate(digits) if digit == "0"]
    if not empty:
        assert impl.spawn(board, random64) == board
        return
    cell = empty[(random64 >> 32) * len(empty) >> 32]
    tile = "2" if random64 & 0xFFFFFFFF < 429496730 else "1"
    assert impl.spawn(board, random64) == int(digits[:cell] + tile + digits[cell + 1 :], 16)


@pytest.mark.parametrize("low", [0, 429496729, 429496730, 2**32 - 1])
@pytest.mark.parametrize("high", [0, 1, 2**31, 2**32 - 1])
def test_spawn_at_its_limits(impl, low, high):
    for n in (16, 15, 3, 2, 1):
        full = [i >= n for i in range(16)]
        board = of_cells([7 * f for f in full])
        after = impl.spawn(board, high << 32 | low)
        cell = high * n >> 32
        assert after ^ board == (2 if low < 429496730 else 1) << 4 * (15 - cell)


def chi_square(counts, expected):
    return sum((count - e) ** 2 / e for count, e in zip(counts, expected, strict=True))


# 99.99% points of the chi-square distribution by degrees of freedom: tables of any statistics text.
LIMIT = {1: 15.14, 3: 21.11, 5: 25.74, 29: 66.15}


@pytest.mark.parametrize("n", [1, 2, 3, 15])
def test_the_law_of_the_spawn(impl, n):
    draws = 20_000
    board = of_cells([0] * n + [(i % 2) + 5 for i in range(16 - n)])
    index_of = {after: i for i, (_, after) in enumerate(impl.spawns(board))}
    counts = [0] * (2 * n)
    for i in range(draws):
        counts[index_of[impl.spawn(board, impl.random64(n, i))]] += 1
    expected = [p * draws for p, _ in impl.spawns(board)]
    assert chi_square(counts, expected) < LIMIT[2 * n - 1]


def test_random64_is_splitmix64(impl):
    # Outputs of the reference implementation of SplitMix64 (Vigna, splitmix64.c) for the seed
    # 1234567, as published with many ports of it (Rosetta Code, "Pseudo-random numbers/Splitmix64").
    published = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [impl.random64(1234567, i) for i in range(5)] == published
    # and number 0 of the seed 0 (Java's SplittableRandom(0).nextLong(), in hexadecimal)
    assert impl.random64(0, 0) == 0xE220A8397B1DCDAF


def test_random64_needs_no_state_and_wraps(impl):
    gamma = 0x9E3779B97F4A7C15
    for seed in (0, 1, 2**64 - 1):
        assert impl.random64(seed, 7) == impl.random64((seed + 7 * gamma) % 2**64, 0)
        assert impl.random64(seed, 2**64 - 1) == impl.random64((seed - gamma) % 2**64, 0)


def test_streams_differ(impl):
    seeds = {impl.stream(seed, index) for seed in range(50) for index in range(50)}
    assert len(seeds) == 2500
    # stream(seed, index) = mix(mix(seed) + (index + 1) * constant), by way of random64
    gamma, delta = 0x9E3779B97F4A7C15, 0xD1B54A32D192ED03
    mixed = impl.random64((5 - gamma) % 2**64, 0)  # mix(5)
    assert impl.stream(5, 3) == impl.random64((mixed + 4 * delta - gamma) % 2**64, 0)


def core_of(impl):
    return importlib.import_module(".core", impl.__name__)


@given(impls, crowded, st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
@example(IMPLEMENTATIONS[BACKENDS[0]], 1, 2**64 - 1, 2**64 - 1)
def test_the_law_of_a_game_says_which_number_makes_which_tile(impl, board, stream, slide):
    core = core_of(impl)
    assert core.first_board(stream) == impl.spawn(impl.spawn(0, impl.random64(stream, 0)), impl.random64(stream, 1))
    assert core.next_board(board, stream, slide) == impl.spawn(board, impl.random64(stream, (slide + 2) % 2**64))


@pytest.mark.parametrize(
    "bad, error", [(1.5, TypeError), ("1", TypeError), (-1, OverflowError), (2**64, OverflowError)]
)
def test_the_law_of_a_game_names_a_bad_argument(impl, bad, error):
    core = core_of(impl)
    for name, call in [
        ("stream", lambda: core.first_board(bad)),
        ("board", lambda: core.next_board(bad, 1, 2)),
        ("stream", lambda: core.next_board(1, bad, 2)),
        ("slide", lambda: core.next_board(1, 2, bad)),
    ]:
        with pytest.raises(error, match=f"^{name} must be an integer from 0 to 2"):
            call()


def test_perft_equals_the_oracle_and_refuses_nonsense(impl):
    board = impl.parse("2 2 4 8  2 8 16 4  4 32 64 2  8 0 128 0")
    for depth in (0, 1, 2, 3):
        assert impl.perft(board, depth) == oracle.perft(impl.to_grid(board), depth)
    assert impl.perft(0, 0) == 1 and impl.perft(0, 5) == 0
    for bad, error in [(-1, ValueError), (1.0, TypeError), (None, TypeError)]:
        with pytest.raises(error, match="depth"):
            impl.perft(board, bad)
    with pytest.raises(OverflowError, match="board"):
        impl.perft(2**64, 1)


def test_sixty_thousand_boards_agree_between_backends(both):
    first, *others = both
    for other in others:
        for i in range(60_000):
            board = first.random64(11, i) & first.random64(12, i)
            assert other.legal_moves(board) == first.legal_moves(board)
            for name in ("move_up", "move_right", "move_down", "move_left", "reward_rows", "reward_columns"):
                assert getattr(first, name)(board) == getattr(other, name)(board)
            assert first.spawn(board, i << 40) == other.spawn(board, i << 40)
