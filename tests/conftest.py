"""Both backends side by side, and the data of tests/data.

`impl` is the package twice: as the user imports it with the C core, and a second copy of it
named bitboard_python that runs in pure Python (all imports inside the package are relative).
BITBOARD_BACKEND=python tests pure Python alone; otherwise a missing C core is an error.
"""

import importlib
import importlib.util
import io
import os
import signal
import sys
from pathlib import Path

import pytest

try:
    from hypothesis import settings
except ImportError:  # the property tests need it; the rest of a session does not
    pass
else:
    settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=200)
    settings.load_profile("repeatable")

# A suite that was started in the background inherits that SIGINT is ignored, and so would the programs that
# the tests start and interrupt. With a handler here they start with the default.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(__file__).resolve().parent / "data"
# The learners of stable-baselines3, which needs torch, run where it is installed; test_env_sb3.py runs everywhere.
SB3 = importlib.util.find_spec("stable_baselines3") is not None
collect_ignore = [] if SB3 else ["test_env_sb3_learning.py"]
BACKENDS = ["python"] if os.environ.get("BITBOARD_BACKEND") == "python" else ["c", "python"]


def _load(backend):
    """The package under test with one backend."""
    before = os.environ.get("BITBOARD_BACKEND")
    os.environ["BITBOARD_BACKEND"] = backend
    try:
        if backend == BACKENDS[0]:
            import bitboard

            return bitboard
        import bitboard

        init = Path(bitboard.__file__)
        spec = importlib.util.spec_from_file_location(
            "bitboard_python", init, submodule_search_locations=[str(init.parent)]
        )
        module = importlib.util.module_from_spec(spec)
        sys.modules["bitboard_python"] = module
        spec.loader.exec_module(module)
        return module
    finally:
        if before is None:
            del os.environ["BITBOARD_BACKEND"]
        else:
            os.environ["BITBOARD_BACKEND"] = before


IMPLEMENTATIONS = {backend: _load(backend) for backend in BACKENDS}
for _backend, _module in IMPLEMENTATIONS.items():
    if _backend != _module.BACKEND:
        raise RuntimeError(f"{_module.__file__} runs with the backend {_module.BACKEND}, {_backend} is wanted")


def pytest_report_header(config):
    first = IMPLEMENTATIONS[BACKENDS[0]]
    backends = f"bitboard {first.__version__}, backends under test: {', '.join(BACKENDS)} ({first.__file__})"
    return [backends, f"stable-baselines3: {'installed' if SB3 else 'the stand-in of tests/sb3_stand_in.py'}"]


@pytest.fixture(params=BACKENDS)
def impl(request):
    """The package with one backend."""
    return IMPLEMENTATIONS[request.param]


@pytest.fixture
def both():
    """The package with each backend under test, to compare them."""
    return list(IMPLEMENTATIONS.values())


@pytest.fixture
def cli(impl, capsys, monkeypatch):
    """Run a command of one backend: (exit status, stdout, stderr)."""
    module = importlib.import_module(".cli", impl.__name__)

    def run(*arguments, stdin=""):
        data = stdin if isinstance(stdin, bytes) else stdin.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        try:
            status = module.main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return run


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory):
    """Databases of the tests are kept apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BITBOARD_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session")
def database():
    """The name of a pattern database of the 15-puzzle that both backends can use: a small one without the C core."""
    name = "6-6-3" if BACKENDS[0] == "c" else "3-3-3-3-3"
    IMPLEMENTATIONS[BACKENDS[0]].sliding.build_database(name)
    return name
