"""Screenshots of the page at phone and desktop size, in light and dark: python tests/web_shots.py FOLDER"""

import sys
from pathlib import Path

from browser import DESKTOP, PHONE, browser, errors, look, run, server
from selenium.webdriver.support.ui import WebDriverWait

import bitboard


def main():
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    agent, game = bitboard.agents.Greedy(), bitboard.Game(seed=7)
    while not game.over:
        game.move(agent(game.board))
    with server() as (_, address), browser() as driver:
        for name, size in (("phone", PHONE), ("desktop", DESKTOP)):
            for dark in (False, True):
                look(driver, size, dark)
                driver.get(f"{address}?seed=7")
                WebDriverWait(driver, 20).until(lambda d: d.execute_script("return document.body.dataset.ready"))
                run(
                    driver,
                    "game.follow((await ask('play', {...asked(game), agent: 'greedy', count: 400})).played);"
                    "begin(game); toggleHint(); await new Promise((r) => setTimeout(r, 500))",
                )
                shot(driver, folder / f"{name}-{'dark' if dark else 'light'}-play.png", size)
                run(
                    driver,
                    "choose('replay'); await openText(given[0]);"
                    "$('judge').click(); while (judging) await new Promise((r) => setTimeout(r, 50));"
                    "player.jump(300); await new Promise((r) => setTimeout(r, 300))",
                    game.record(agent="greedy"),
                )
                shot(driver, folder / f"{name}-{'dark' if dark else 'light'}-replay.png", size)
        print(errors(driver) or "no error in the console")


def shot(driver, path, size):
    """The whole page, with all that is below the window."""
    height = driver.execute_script("return Math.ceil(document.body.getBoundingClientRect().bottom)")
    dark = "dark" in path.name
    look(driver, (size[0], max(size[1], height)), dark)
    driver.save_screenshot(str(path))
    look(driver, size, dark)
    print(path)


if __name__ == "__main__":
    main()
