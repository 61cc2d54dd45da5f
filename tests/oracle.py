"""A second 2048, written for the tests alone: slow, on lists, and sharing nothing with the package.

Grids are lists of rows of face values of any size; directions are the letters U R D L.
"""


def slide_line(line, top=None):
    """Slide a line of face values towards its start, two of `top` not merging; returns (line, points).

    Walks from the wall outwards: each tile moves on while the cell before it is empty, and
    merges into an equal tile that was not itself made in this slide.
    """
    cells = list(line)
    made = [False] * len(cells)
    points = 0
    for start in range(len(cells)):
        if cells[start] == 0:
            continue
        at = start
        while at > 0 and cells[at - 1] == 0:
            cells[at - 1], cells[at] = cells[at], 0
            at -= 1
        if at > 0 and cells[at - 1] == cells[at] != top and not made[at - 1]:
            cells[at - 1] *= 2
            cells[at] = 0
            made[at - 1] = True
            points += cells[at - 1]
    return cells, points


def slide(grid, direction, top=None):
    """Slide a grid, two tiles of `top` not merging; returns (grid, points)."""
    height, width = len(grid), len(grid[0])
    out = [[0] * width for _ in range(height)]
    if direction in "LR":
        lines = [[(r, c) for c in range(width)] for r in range(height)]
    else:
        lines = [[(r, c) for r in range(height)] for c in range(width)]
    points = 0
    for line in lines:
        if direction in "RD":
            line = line[::-1]
        slid, earned = slide_line([grid[r][c] for r, c in line], top)
        points += earned
        for (r, c), value in zip(line, slid, strict=True):
            out[r][c] = value
    return out, points


def legal(grid, top=None):
    """The letters of the directions that change the grid."""
    return "".join(d for d in "URDL" if slide(grid, d, top)[0] != grid)


def of_hex(text):
    """The grid of 16 characters, each an exponent: 0-9, A-F, and G for 65536."""
    values = [int(character, 36) for character in text]
    faces = [2**k if k else 0 for k in values]
    return [faces[r : r + 4] for r in (0, 4, 8, 12)]


def perft(grid, depth):
    """Leaves of the game tree: a legal slide, then a 2 or a 4 in each empty cell."""
    if depth == 0:
        return 1
    leaves = 0
    for direction in legal(grid):
        after, _ = slide(grid, direction)
        for r in range(len(after)):
            for c in range(len(after[0])):
                if after[r][c] == 0:
                    for value in (2, 4):
                        child = [row[:] for row in after]
                        child[r][c] = value
                        leaves += perft(child, depth - 1)
    return leaves
