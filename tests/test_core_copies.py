"""Every public class: a subclass with an __init__ of its own and attributes, copied and pickled, comes back as itself."""

import copy
import inspect
import pickle
import sys
from array import array

import pytest
from conftest import BACKENDS, IMPLEMENTATIONS

MODULES = ("", "agents", "env", "grid", "record", "render", "sliding")
ENTRIES = [float(i % 5) for i in range(65536)]

# name -> the arguments of its base class; what a copy must agree in
CLASSES = {
    "Batch": ((3,), lambda it: (list(it.boards), list(it.streams), list(it.legal))),
    "Expectimax": ((1,), lambda it: (repr(it), it.best(0x1230_0000_0000_0000))),
    "Game": ((7, [[0, 2, 2, 0], [0, 0, 0, 0], [4, 0, 0, 0], [0, 0, 0, 8]]), lambda it: it.record()),
    "NTupleNetwork": (("2x4",), lambda it: it.value(0x1230_0000_0000_0000)),
    "Playouts": ((2, 3, False), lambda it: list(it.final_boards)),
    "RowTable": ((ENTRIES,), lambda it: list(it.values)),
    "agents.Greedy": ((), lambda it: it(0x1230_0000_0000_0000)),
    "agents.MonteCarlo": ((5,), lambda it: it.playouts),
    "agents.Random": ((3,), lambda it: it._stream),
    "env.Game2048Env": ((), lambda it: (it.board, it.stream)),
    "env.Game2048VectorEnv": ((2,), lambda it: it.num_envs),
    "grid.Game": ((3, 5, 1), lambda it: it.record()),
    "sliding.LimitReached": (("too long", 3, 5, 0.5), lambda it: (str(it), it.args, it.lower_bound, it.seconds)),
    "sliding.Solution": ((1, 2, (4, 4), 1, "U", 9, 0.5, "idastar", "manhattan"), lambda it: (it.board, it.heuristic)),
    "sliding.Unsolvable": (("no",), lambda it: str(it)),
}
# Those that evaluate() gives, and named tuples, which have no __init__.
OTHERS = {"agents.Option", "grid.MaxTile"}
WAYS = {  # protocols 0 and 1 know no slots
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    **{f"pickle {p}": lambda it, p=p: pickle.loads(pickle.dumps(it, p)) for p in range(2, 1 + pickle.HIGHEST_PROTOCOL)},
}


def found(impl, name):
    """A public class by its name."""
    module, _, name = name.rpartition(".")
    return getattr(getattr(impl, module) if module else impl, name)


def findable(kind, name, impl):
    """The class under a name by which pickle finds it."""
    kind.__module__, kind.__qualname__ = __name__, f"{name.replace('.', '_')}_{kind.__name__}_{impl.BACKEND}"
    setattr(sys.modules[__name__], kind.__qualname__, kind)
    return kind


def labelled(impl, name):
    """A subclass that takes a label before everything else, and has a slot of its own; one object of it."""
    base = found(impl, name)

    class Mine(base):
        __slots__ = ("__private", "kept")

        def __init__(self, label, *arguments):
            base.__init__(self, *arguments)
            object.__setattr__(self, "label", label)  # a Solution does not change
            object.__setattr__(self, "kept", {"slot": label})
            object.__setattr__(self, "_Mine__private", 5)

        def private(self):
            return self.__private

        def __call__(self, board):  # an agent's own
            return max(d for d in range(4) if impl.legal_moves(board) >> d & 1)

    class Labelled(findable(Mine, name, impl)):
        pass  # so that it has a __dict__ beside the slots

    Labelled = findable(Labelled, name, impl)
    return Labelled(["mine"], *CLASSES[name][0])


AGENTS = ["Expectimax", "NTupleNetwork", "agents.Greedy", "agents.Random"]
PACKAGE = IMPLEMENTATIONS[BACKENDS[0]]  # processes import the package by its own name
for _name in AGENTS:  # and this module, to find the class
    labelled(PACKAGE, _name)


def test_every_public_class_is_here(impl):
    names = set()
    for module in MODULES:
        face = getattr(impl, module) if module else impl
        for name in face.__all__:
            if inspect.isclass(getattr(face, name)):
                names.add(f"{module}.{name}".lstrip("."))
    assert names == set(CLASSES) | OTHERS


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", CLASSES)
def test_a_subclass_comes_back_as_itself(impl, name, way):
    mine = labelled(impl, name)
    if way.startswith("pickle") and name.startswith("sliding.") and issubclass(found(impl, name), Exception):
        del mine.kept  # exceptions pickle what is in their __dict__
    again = WAYS[way](mine)
    assert type(again) is type(mine)
    assert again.label == ["mine"] and (again.label is mine.label) == (way == "copy")
    assert CLASSES[name][1](again) == CLASSES[name][1](mine)
    if not issubclass(found(impl, name), Exception):
        assert again.kept == {"slot": ["mine"]} and again.private() == 5
        assert way == "copy" or again.kept["slot"] is again.label


@pytest.mark.parametrize("name", ["Game", "grid.Game"])
def test_copies_of_games_share_nothing_that_changes(impl, name):
    game = labelled(impl, name)
    game.tags["agent"] = "first"
    for twin in (game.copy(), copy.copy(game)):
        assert twin == game and twin.label is game.label
        direction = next(d for d in range(4) if game.legal >> d & 1)
        twin.move(direction)
        twin.tags["agent"] = "second"
        assert (game.moves, twin.moves, game.tags, len(game.scores)) == (0, 1, {"agent": "first"}, 1)


def test_copies_of_games_have_slots_of_a_class_between(impl):
    class Slotted(impl.Game):
        __slots__ = ("label",)

    class Below(Slotted):
        __slots__ = ()

    game = Below(1)
    game.label = "mine"
    assert game.copy().label == copy.copy(game).label == "mine" and not hasattr(game, "__dict__")


@pytest.mark.parametrize("name", ["Game", "grid.Game"])
def test_records_are_read_by_subclasses_with_any_init(impl, name):
    base = found(impl, name)
    text = base(*CLASSES[name][0]).record()

    class Passing(base):
        def __init__(self, *arguments, **named):
            super().__init__(*arguments, **named)
            self.log = []

    class Other(base):
        def __init__(self, path, seed):
            raise AssertionError("made without it")

    class Failing(base):
        def __init__(self, **named):
            raise TypeError("of its own")

    assert type(labelled(impl, name).from_record(text)).__name__ == "Labelled"
    read = Passing.from_record(text)
    assert type(read) is Passing and read.log == [] and read.record() == text
    assert type(Other.from_record(text)) is Other and Other.from_record(text).record() == text
    with pytest.raises(TypeError, match="of its own"):
        Failing.from_record(text)


def test_tables_are_made_and_read_by_subclasses_with_any_init(impl, tmp_path):
    table = labelled(impl, "RowTable")
    table.save(tmp_path / "t.bbrows")
    for again in (type(table).load(tmp_path / "t.bbrows"), type(table).from_function(lambda a, b, c, d: a)):
        assert type(again) is type(table)
    assert type(table + table) is type(2 * table) is impl.RowTable


def test_a_getstate_of_ones_own_is_heard(impl):
    """As of an agent that keeps an open file."""

    class Logging(impl.Expectimax):
        def __getstate__(self):
            return {name: value for name, value in self.__dict__.items() if name != "log"}

    class LoggingTable(impl.RowTable):
        def __getstate__(self):
            return {"label": self.label}

    search, table = findable(Logging, "", impl)(1), findable(LoggingTable, "", impl)(ENTRIES)
    for thing in (search, table):
        thing.label, thing.log = "mine", sys.stdout
    for again in (pickle.loads(pickle.dumps(search)), copy.copy(search), copy.deepcopy(table)):
        assert again.label == "mine" and not hasattr(again, "log")


@pytest.mark.parametrize("name", AGENTS)
def test_processes_play_with_the_subclass(name):
    """Its own choice decides, so the scores are those of one process; the parent's class would have others."""
    agent = labelled(PACKAGE, name)
    one, two = (PACKAGE.evaluate(agent, games=3, seed=1, workers=workers) for workers in (1, 2))
    assert one.scores == two.scores
    assert one.scores == PACKAGE.evaluate(type(agent).__call__.__get__(agent), games=3, seed=1).scores


def test_a_shrunk_network_keeps_what_a_subclass_added(impl):
    network = labelled(impl, "NTupleNetwork")
    network.update(array("Q", [0x1230_0000_0000_0000]), array("d", [100.0]))
    for smaller in (network.shrink(10), network.shrink(10, step=1)):
        assert type(smaller) is type(network) and smaller.label == ["mine"]
