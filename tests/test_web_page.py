"""The page in a real browser: Chromium and its driver, as Debian packages them. `pytest -m browser`."""

import json
import random
import time

import browser as chromium
import pytest
from conftest import BACKENDS, DATA, IMPLEMENTATIONS

pytestmark = pytest.mark.browser
bitboard = IMPLEMENTATIONS[BACKENDS[0]]
SEED = 20481
KEYS = {"U": "\ue013", "R": "\ue014", "D": "\ue015", "L": "\ue012"}


@pytest.fixture(scope="module")
def address():
    with chromium.server(BITBOARD_BACKEND=BACKENDS[0]) as (process, where):
        yield where
        assert process.poll() is None, "the server ended by itself"


@pytest.fixture(scope="module")
def window(tmp_path_factory):
    downloads = tmp_path_factory.mktemp("downloads")
    with chromium.browser(downloads=downloads) as driver:
        driver.downloads = downloads
        yield driver


@pytest.fixture
def page(window, address):
    """The page with a game of SEED; afterwards its console must hold no error."""
    chromium.look(window, chromium.DESKTOP)
    window.get(f"{address}?seed={SEED}")
    until(window, "return document.body.dataset.ready")
    yield window
    assert chromium.errors(window) == []


def until(driver, script, seconds=20):
    """Wait until a script gives something true, and give it."""
    end = time.monotonic() + seconds
    while not (found := driver.execute_script(script)):
        assert time.monotonic() < end, script
        time.sleep(0.02)  # between two looks, not instead of one
    return found


def shown(driver):
    """(rows of face values as a screen reader has them, score)."""
    rows = driver.execute_script(
        "return [...document.querySelectorAll('#board tr')].map((r) => [...r.cells].map((c) => c.textContent))"
    )
    score = driver.execute_script("return document.getElementById('score').textContent")
    return [[0 if face == "empty" else int(face) for face in row] for row in rows], int(score.replace(",", ""))


def keys(driver, letters):
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(driver, duration=0).send_keys("".join(KEYS.get(letter, letter) for letter in letters)).perform()


def click(driver, name):
    from selenium.webdriver.common.by import By

    driver.find_element(By.ID, name).click()


def played(seed, moves, rng):
    """A game of random slides and their letters; some change nothing."""
    game, letters = bitboard.Game(seed), ""
    while game.moves < moves and not game.over:
        direction = rng.randrange(4)
        letters += "URDL"[direction]
        if game.legal >> direction & 1:
            game.move(direction)
    return game, letters


def test_a_game_by_keys_is_that_of_the_package(page):
    game, letters = played(SEED, 120, random.Random(1))
    keys(page, letters)
    assert shown(page) == (bitboard.to_grid(game.board), game.score)
    tiles = 16 - bitboard.empty_count(game.board)
    until(page, f"return document.querySelectorAll('#board .tile').length === {tiles}")
    keys(page, "uuu")
    game.undo(3)
    assert shown(page) == (bitboard.to_grid(game.board), game.score)
    keys(page, "rr")
    redone, _ = played(SEED, 119, random.Random(1))
    assert shown(page) == (bitboard.to_grid(redone.board), redone.score)


@pytest.mark.parametrize(
    "rules",
    [
        {},
        {"rows": 3, "columns": 5, "spawn": {2: 1, 8: 3, 4: 5}},
        {"rows": 4, "columns": 4, "top": 64, "spawn": {32: 1}},
        {"rows": 5, "columns": 2, "start_tiles": 7},
        {"rows": 1, "columns": 6},
    ],
)
def test_the_rule_in_the_page_is_that_of_the_package(page, rules):
    rng = random.Random(repr(rules))
    for seed in (0, 2**64 - 1, rng.getrandbits(64)):
        game = bitboard.grid.Game(seed=seed, **rules) if rules else bitboard.Game(seed)
        order = [rng.randrange(4) for _ in range(400)]
        for direction in order:
            if game.legal >> direction & 1:
                game.move(direction)
        request = {"seed": str(seed), **rules}
        result = chromium.run(
            page,
            "const played = new Game((await ask('new', given[0])).game);"
            "for (const d of given[1]) played.move(d);"
            "return [played.boards, played.scores, played.history, played.legal]",
            request,
            order,
        )
        boards, scores, history, legal = result
        assert boards == [list(game._exponents(board)) for board in game._boards]
        assert scores == list(game.scores)
        assert [tuple(move) for move in history] == list(game.history)
        assert legal == [bool(game.legal >> d & 1) for d in range(4)]


def test_swipes(page):
    chromium.look(page, chromium.PHONE)
    game = bitboard.Game(SEED)
    x, y = page.execute_script(
        "const r = document.getElementById('board').getBoundingClientRect(); return [r.x + 150, r.y + 150]"
    )
    for letter, dx, dy in (("L", -90, 5), ("D", 0, 90), ("R", 90, -9), ("U", 3, -90)):
        if game.legal >> "URDL".index(letter) & 1:
            game.move(letter)
        for kind, at in (("touchStart", (x, y)), ("touchMove", (x + dx, y + dy)), ("touchEnd", None)):
            points = [{"x": at[0], "y": at[1]}] if at else []
            page.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    until(page, f"return game.moves === {game.moves}")
    assert shown(page) == (bitboard.to_grid(game.board), game.score)


def test_watch_to_the_end_take_over_and_hand_back(page):
    page.execute_script(
        "$('agent').value = 'greedy'; $('agent').dispatchEvent(new Event('change')); $('speed').value = 4"
    )
    click(page, "watch")
    until(page, "return game.moves >= 3")
    click(page, "watch")
    assert page.execute_script("return watching") is None
    moves = page.execute_script("return game.moves")
    letter = page.execute_script("return LETTERS[game.legal.indexOf(true)]")
    keys(page, letter)
    assert page.execute_script("return game.moves") == moves + 1
    page.execute_script("$('speed').value = 7")
    click(page, "watch")
    until(page, "return game.over && !watching")
    game, agent = bitboard.Game(SEED), bitboard.agents.Greedy()
    for i in range(page.execute_script("return game.moves")):
        game.move(letter if i == moves else agent(game.board))
    assert game.over and shown(page) == (bitboard.to_grid(game.board), game.score)
    assert page.execute_script("return document.getElementById('over').hidden") is False


def test_hint_shows_what_the_agent_thinks(page):
    page.execute_script("$('agent').value = 'greedy'; $('agent').dispatchEvent(new Event('change'))")
    keys(page, "h")
    want = bitboard.agents.Greedy().values(bitboard.Game(SEED).board)
    until(page, "return document.querySelector('.value.best')")
    texts = page.execute_script("return [...document.querySelectorAll('#values output')].map((o) => o.textContent)")
    assert texts == ["–" if value != value else f"{value:.2f}" for value in want]


def test_replay_scrub_analyse_and_keep(page):
    game, _ = played(7, 150, random.Random(2))
    text = game.record(agent="nobody")
    click(page, "tab-replay")
    page.execute_script("$('text').value = arguments[0]", text)
    click(page, "open")
    until(page, "return !$('player').hidden")
    assert page.execute_script("return player.game.moves") == game.moves
    keys(page, ["\ue00f"])  # page down
    assert page.execute_script("return player.at") == 10
    page.execute_script("player.speed.value = 500; player.toggle()")
    until(page, f"return player.at === {game.moves} && !player.timer")
    assert page.execute_script("return player.game.rowsOf()") == bitboard.to_grid(game.board)
    click(page, "judge")
    until(page, "return !judging && judged.length", 60)
    judged = page.execute_script("return judged")
    depth = 2 if bitboard.BACKEND == "c" else 1
    search, boards = bitboard.Expectimax(depth, network=bitboard.NTupleNetwork.default()), list(game)
    losses = []
    for board, (direction, _, _), one in zip(boards, game.history, judged, strict=False):
        values = search.values(board)
        losses.append(max(value for value in values if value == value) - values[direction])
        assert one["loss"] == losses[-1]
    page.execute_script("document.querySelector('#worst button').click()")
    assert page.execute_script("return player.at") == losses.index(max(losses))
    for name, kind in (("record", "game.txt"), ("svg", "game.svg"), ("html", "game.html")):
        click(page, f"get-{name}")
        path = page.downloads / kind
        wait_for(path)
    assert bitboard.Game.from_record((page.downloads / "game.txt").read_text()) == game
    assert (page.downloads / "game.svg").read_text() == bitboard.render.animated_svg(game)


def test_a_file_of_a_web_player_and_play_on_from_there(page):
    path = DATA / "verse_3x3.vrs"  # in Latin-1, of another size
    game = bitboard.record.from_shared(path.read_text(encoding="latin-1"))
    click(page, "tab-replay")
    page.execute_script("return document.getElementById('file')").send_keys(str(path))
    until(page, "return !$('player').hidden")
    assert page.execute_script("return player.game.rowsOf()") == game.board
    assert page.execute_script("return player.game.score") == game.score
    page.execute_script("player.jump(arguments[0])", game.moves - 5)
    click(page, "play-on")
    game.undo(5)
    assert shown(page) == (game.board, game.score)
    letter = "URDL"[next(d for d in range(4) if game.legal >> d & 1)]
    game.move(letter)
    keys(page, letter)
    assert shown(page) == (game.board, game.score)


def wait_for(path):
    end = time.monotonic() + 20
    while not path.exists() or path.stat().st_size == 0:
        assert time.monotonic() < end, path
        time.sleep(0.02)


def test_a_malformed_record_shows_a_message_and_breaks_nothing(page):
    before = shown(page)
    click(page, "tab-replay")
    record = bitboard.Game(3).record()
    for text, said in (
        ("", "no game"),
        ("bitboard game 1\nsize: x\n", "breaks off"),
        (record + "L\n", "line"),
        ("§§", "a record starts with"),
    ):
        page.execute_script("$('text').value = arguments[0]; quieten()", text)
        click(page, "open")
        assert said in until(page, "return !$('message').hidden && $('message').textContent")
        # The browser itself notes each answer that is an error; that is what was asked for.
    noted = [entry for entry in page.get_log("browser") if "422" not in entry["message"]]
    assert noted == []
    click(page, "tab-play")
    assert shown(page) == before
    keys(page, "LRUD")
    assert page.execute_script("return game.moves") >= 2


def test_the_html_file_plays_without_a_server(window, tmp_path, cli):
    game, _ = played(5, 60, random.Random(3))
    game.tags["note"] = "</script><!-- & {{data}}"
    (tmp_path / "game.txt").write_text(game.record())
    assert cli("replay", tmp_path / "game.txt", "--html", tmp_path / "game.html")[0] == 0
    assert "http://" not in (tmp_path / "game.html").read_text().replace("http://www.w3.org/2000/svg", "")
    window.get((tmp_path / "game.html").as_uri())
    window.execute_script("player.speed.value = 100; player.toggle()")
    until(window, "return player.at === player.game.moves && !player.timer")
    assert json.loads(window.execute_script("return JSON.stringify(player.game.rowsOf())")) == bitboard.to_grid(
        game.board
    )
    assert window.execute_script("return player.game.score") == game.score
    assert window.execute_script("return data.record") == game.record()
    assert chromium.errors(window) == []


@pytest.mark.parametrize("size", [(320, 640), chromium.PHONE, chromium.DESKTOP])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_and_can_be_read(page, size, dark):
    chromium.look(page, size, dark, quiet=True)
    keys(page, "LUR")
    for tab in ("play", "replay"):
        click(page, f"tab-{tab}")
        wide, room = page.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide <= room
    unnamed = page.execute_script(
        "return [...document.querySelectorAll('button, input, select, textarea')].filter((e) => "
        "!(e.ariaLabel || e.textContent.trim() || e.labels?.length)).map((e) => e.outerHTML)"
    )
    assert unnamed == []
    assert contrasts(page) == []


def contrasts(page):
    """Texts whose contrast with what lies behind them is below 4.5."""
    return page.execute_script(r"""
      const parts = (text) => (text.match(/[\d.]+/g) ?? []).map(Number);
      const linear = (c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
      const light = ([r, g, b]) => [r, g, b].map(linear).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
      const behind = (e) => { for (; e; e = e.parentElement) { const c = parts(getComputedStyle(e).backgroundColor);
        if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
      return [...document.querySelectorAll('h1, h2, label, button, output, span, b, p, summary')].filter((e) =>
        e.offsetParent && e.textContent.trim() && !e.disabled && !e.closest(':disabled, .unseen')).filter((e) => {
          const [a, b] = [light(parts(getComputedStyle(e).color)), light(behind(e))].sort((x, y) => y - x);
          return (a + 0.05) / (b + 0.05) < 4.5; }).map((e) => e.outerHTML)""")
