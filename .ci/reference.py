"""Build a reference from the docstrings with pdoc: python -W error .ci/reference.py FOLDER

Names that are loaded when first used are asked for beforehand, since pdoc looks into the modules as they are.
"""

import importlib
import sys
from pathlib import Path

import pdoc

MODULES = ("agents", "env", "evaluation", "grid", "many", "networks", "record", "render", "search", "sliding")


def main():
    names = ["bitboard", *(f"bitboard.{name}" for name in MODULES)]
    for name in names:
        module = importlib.import_module(name)
        for public in getattr(module, "__all__", ()):
            setattr(module, public, getattr(module, public))
    folder = Path(sys.argv[1])
    pdoc.pdoc(*names, output_directory=folder)
    text = (folder / "bitboard.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in text for name in ("Game", "move_left", "Expectimax", "NTupleNetwork", "evaluate"))
    print(f"{len(list(folder.rglob('*.html')))} pages")


if __name__ == "__main__":
    main()
