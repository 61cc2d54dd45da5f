"""Pictures: what they show, that they can be read, and that files are what they say."""

import importlib
import re
import xml.etree.ElementTree as ElementTree

import oracle
import pytest
from test_games_classic import played

SVG = "{http://www.w3.org/2000/svg}"


def palette(impl):

    return importlib.import_module(".tools.palette", impl.__name__)


def luminance(colour):
    """Relative luminance by WCAG 2."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_every_number_can_be_read(impl):
    colours = palette(impl)
    for exponent in range(1, 63):
        assert contrast(colours.tile(exponent), colours.text(exponent)) >= 4.5, 2**exponent
    assert len({colours.tile(exponent) for exponent in range(1, 16)}) == 15
    assert len({colours.tile_256(exponent) for exponent in range(1, 16)}) == 15


def numbers(picture):
    """The texts of an SVG with their places, in reading order."""
    root = ElementTree.fromstring(picture)
    texts = [(float(t.get("y")), float(t.get("x")), "".join(t.itertext())) for t in root.iter(SVG + "text")]
    return [text for _, _, text in sorted(texts)], root


def test_a_board(impl):
    board = impl.parse("2 4 8 16  32 64 128 256  512 1024 2048 4096  8192 16384 32768 0")
    texts, root = numbers(impl.render.svg(board))
    assert texts == [str(2**k) for k in range(1, 16)]
    assert root.get("width") == "320" and "prefers-color-scheme:dark" in impl.render.svg(board)
    texts, root = numbers(impl.render.svg([[2, 0, 4], [0, 2**62, 0]], size=100))
    assert texts == ["2", "4", str(2**62)]
    assert (root.get("width"), root.get("height")) == ("100", "68")


def test_numbers_fit_into_their_tiles(impl):
    for exponent in range(1, 63):
        face = str(2**exponent)
        picture = impl.render.svg([[2**exponent]])
        size = int((re.findall(r"font-size:(\d+)px", picture) or [40])[0])
        texts, root = numbers(picture)
        assert texts == [face] and size >= 18
        lines = [(float(t.get("y")), t.text) for t in root.iter(SVG + "tspan")] or [(62, face)]
        assert all(size * 0.62 * len(line) <= 100 for _, line in lines)
        middles = [y for y, _ in lines]
        assert sum(middles) / len(middles) == 62 and middles == [middles[0] + i * size for i in range(len(lines))]
        assert middles[0] - size / 2 >= 12 and middles[-1] + size / 2 <= 112


def test_digits_of_images_are_high_enough_to_read(impl, tmp_path):
    """At the usual size: in each tile the rows of pixels with digits come in bands, one a line of the number."""
    from PIL import Image

    for exponent in range(1, 63):
        impl.render.png([[2**exponent] * 4] * 4, tmp_path / "x.png")
        ground = palette(impl).rgb(palette(impl).tile(exponent))
        with Image.open(tmp_path / "x.png") as image:
            scale = 320 / 460
            box = [round(edge * scale) for edge in (12 + 4, 12 + 4, 112 - 4, 112 - 4)]
            tile = image.crop(box)
            edge = image.crop([round(12 * scale) + 1, box[1] + 6, round(112 * scale) - 1, box[3] - 6])
            assert edge.getpixel((0, 0)) == ground
            drawn = [any(tile.getpixel((x, y)) != ground for x in range(tile.width)) for y in range(tile.height)]
            assert not any(edge.getpixel((x, y)) != ground for x in (0, edge.width - 1) for y in range(edge.height))
        bands = [len(band) for band in "".join("x" if row else " " for row in drawn).split()]
        assert len(bands) == -(-len(str(2**exponent)) // 7) and all(band >= 8 for band in bands), (exponent, bands)


def test_the_last_move_is_marked(impl):
    game = impl.Game(seed=1, board=impl.parse("2 2 4 4  0 0 0 0  0 0 0 8  0 0 0 8"))
    game.move("L", spawn=(15, 2))
    picture = impl.render.svg(game)
    root = ElementTree.fromstring(picture)
    marks = {path.get("class"): [] for path in root.iter(SVG + "path")}
    for path in root.iter(SVG + "path"):
        marks[path.get("class")].append(tuple(map(int, re.match(r"M(\d+) (\d+)", path.get("d")).groups())))
    assert marks == {"bb-m": [(16, 16), (128, 16)], "bb-s": [(352, 352)]}
    assert "<title>move 1, score 12</title>" in picture
    assert 'class="bb-m"' not in impl.render.svg(game, 0) and "move 0, score 0" in impl.render.svg(game, 0)
    assert game._repr_svg_() == picture


def test_merged_cells(impl):
    """Against the oracle: the cells whose tile is new there, on boards of all sizes."""
    import random

    rng = random.Random(8)
    for _ in range(500):
        rows, columns = rng.randint(1, 5), rng.randint(1, 5)
        grid = [[rng.choice([0, 2, 2, 4]) for _ in range(columns)] for _ in range(rows)]
        exponents = [face.bit_length() - 1 if face else 0 for row in grid for face in row]
        for direction, letter in enumerate("URDL"):
            merged = impl.render.merged_cells(rows, columns, exponents, direction, 62)
            after, points = oracle.slide(grid, letter)
            flat = [face for row in after for face in row]
            assert sum(flat[cell] for cell in merged) == points
            assert len(set(merged)) == len(merged)
            assert sum(face > 0 for face in flat) == sum(map(bool, exponents)) - len(merged)
    assert impl.render.merged_cells(1, 2, [15, 15], 3, 15) == []


def test_a_moving_picture(impl):
    game = played(impl, moves=20)
    picture = impl.render.animated_svg(game, seconds=0.5)
    root = ElementTree.fromstring(picture)
    frames = [group for group in root.iter(SVG + "g")]
    assert len(frames) == 21 and f"animation:{root.get('id')} 10.50s" in picture
    for frame, board in zip(frames, game, strict=True):
        tiles = [face for row in impl.to_grid(board) for face in row if face]
        assert sorted(int(text.text) for text in frame.iter(SVG + "text")) == sorted(tiles)
    assert impl.render.animated_svg(game, last=5).count("<g ") == 5


def style_of(picture):
    """Of a picture: its id, the selectors of its rules, the names of its animations, and the animations that it uses."""
    root = ElementTree.fromstring(picture)
    (style,) = root.iter(SVG + "style")
    rules = re.sub(r"@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)\}", r"\1", style.text)
    animations = re.findall(r"@keyframes ([^{]+)\{", rules)
    rules = re.sub(r"@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*\}", "", rules)
    selectors = [one for rule in re.findall(r"([^{}]+)\{[^{}]*\}", rules) for one in rule.split(",")]
    return root, selectors, animations, re.findall(r"animation:([^ ]+) ", rules)


def test_pictures_in_one_page_leave_it_and_one_another_alone(impl):
    game, other = played(impl, moves=5), played(impl, seed=4, moves=5)
    pictures = [impl.render.svg(game), impl.render.svg(game, 1), impl.render.svg(0x1234), impl.render.svg([[2, 4]])]
    pictures += [impl.render.animated_svg(game), impl.render.animated_svg(game, seconds=1)]
    pictures += [impl.render.animated_svg(other), impl.render.animated_svg(game, last=3)]
    names = set()
    for picture in pictures:
        root, selectors, animations, used = style_of(picture)
        name = root.get("id")
        names.add(name)
        assert re.fullmatch("[a-z][a-z0-9-]+", name) and len(selectors) >= 9
        assert all(selector.startswith(f"#{name} ") for selector in selectors)
        moving = picture in pictures[4:]
        assert animations == used == ([name] if moving else [])
        classes = {element.get("class") for element in root.iter()} - {None}
        assert classes <= {selector.partition(" .")[2] for selector in selectors}
        assert all(one.startswith("bb-") for one in classes)
    assert len(names) == len(pictures)
    assert impl.render.svg(game) == pictures[0] and impl.render.animated_svg(other) == pictures[6]


def test_png_and_gif(impl, tmp_path):
    from PIL import Image

    game = played(impl, moves=8)
    impl.render.png(game, tmp_path / "game.png", size=240)
    with Image.open(tmp_path / "game.png") as image:
        assert image.format == "PNG" and image.size == (240, 240)
        exponents = game._exponents(game.board)
        for cell, exponent in enumerate(exponents):
            left = 240 / 460 * (12 + cell % 4 * 112 + 20)
            top = 240 / 460 * (12 + cell // 4 * 112 + 20)
            wanted = palette(impl).tile(exponent) if exponent else palette(impl).EMPTY
            assert image.getpixel((round(left), round(top))) == palette(impl).rgb(wanted)
    impl.render.gif(game, tmp_path / "game.gif", size=120)
    with Image.open(tmp_path / "game.gif") as image:
        assert image.format == "GIF" and image.n_frames == 9
    impl.render.png([[2, 4], [8, 0], [16, 0]], tmp_path / "grid.png", size=100)
    with Image.open(tmp_path / "grid.png") as image:
        assert image.size == (100, 147)


@pytest.mark.parametrize(
    ("arguments", "options", "error"),
    [
        ((2**64,), {}, OverflowError),
        (("a board",), {}, TypeError),
        ((None,), {}, TypeError),
        (([[3]],), {}, ValueError),
        (([],), {}, ValueError),
        ((0, 1), {}, ValueError),
        ((0,), {"size": 3}, ValueError),
        ((0,), {"size": "big"}, TypeError),
    ],
)
def test_bad_arguments(impl, arguments, options, error):
    with pytest.raises(error):
        impl.render.svg(*arguments, **options)


def test_bad_arguments_of_games(impl):
    game = played(impl, moves=3)
    with pytest.raises(ValueError, match="move must be an integer from 0 to 3"):
        impl.render.svg(game, 4)
    with pytest.raises(TypeError, match="game must be a game"):
        impl.render.animated_svg(game.board)
    for wrong in (0, 61, float("nan")):
        with pytest.raises(ValueError, match="seconds must be"):
            impl.render.animated_svg(game, seconds=wrong)


def test_without_pillow_the_error_says_what_to_install(impl, tmp_path, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match=r'pip install -e "\.\[images\]" in the checkout'):
        impl.render.png(0, tmp_path / "x.png")


@pytest.mark.parametrize("seconds", ["x", "1", None, 1j])
def test_seconds_that_are_no_number(impl, tmp_path, seconds):
    for make in (
        impl.render.animated_svg,
        lambda game, **options: impl.render.gif(game, tmp_path / "x.gif", **options),
    ):
        with pytest.raises(TypeError, match="seconds must be a number from 0.02 to 60, not"):
            make(impl.Game(seed=1), seconds=seconds)
