"""Build a reference from the docstrings with pdoc: python -W error .ci/reference.py FOLDER

Names that are loaded when first used are asked for beforehand, since pdoc looks into the modules as they are.
"""

import importlib
import sys
from pathlib import Path

import pdoc

MODULES = ("agents", "env", "evaluation", "grid", "many", "networks", "record", "render", "search", "sliding")


def defined_in(found):
    """The module that has a class which says that it is of the face of its folder."""
    inside = f"{found.__module__}."
    names = [name for name, module in sys.modules.items() if vars(module).get(found.__name__) is found]
    return next((name for name in names if name.startswith(inside)), found.__module__)


def main():
    names = ["bitboard", *(f"bitboard.{name}" for name in MODULES)]
    for name in names:
        module = importlib.import_module(name)
        for public in getattr(module, "__all__", ()):
            found = getattr(module, public)
            setattr(module, public, found)
            if isinstance(found, type):  # its fields are looked for in the source of the module that it says it is of
                found.__module__ = defined_in(found)
    folder = Path(sys.argv[1])
    pdoc.pdoc(*names, output_directory=folder)
    text = (folder / "bitboard.html").read_text(encoding="utf-8")
    assert all(f'id="{name}"' in text for name in ("Game", "move_left", "Expectimax", "NTupleNetwork", "evaluate"))
    print(f"{len(list(folder.rglob('*.html')))} pages")


if __name__ == "__main__":
    main()
