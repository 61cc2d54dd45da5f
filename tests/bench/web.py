"""Bot round trips: how many moves a second a greedy agent makes through `bitboard engine` and over HTTP.

    python tests/bench/web.py [--seconds S]

A move is one request "best" and its answer, on one pipe or one connection; the caller slides and spawns by itself.
Then with "move" as well, where the server keeps the rule: two requests a move. A raw HTTP client, without a library.
"""

import argparse
import json
import platform
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))


@contextmanager
def engine():
    command = [sys.executable, "-m", "bitboard", "engine"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:

        def ask(operation, **request):
            process.stdin.write(json.dumps({"op": operation, **request}) + "\n")
            process.stdin.flush()
            return json.loads(process.stdout.readline())

        yield ask
        process.stdin.close()


@contextmanager
def http():
    from browser import server

    with server("--agent", "greedy") as (_, address):
        port = int(address.rsplit(":", 1)[1].strip("/"))
        with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rb") as answers:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

            def ask(operation, **request):
                body = json.dumps(request).encode()
                head = f"POST /api/{operation} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
                length = 0
                while (line := answers.readline()) not in (b"\r\n", b""):
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                return json.loads(answers.read(length))

            yield ask


def best_alone(ask, bitboard, seconds):
    game, moves, began = bitboard.Game(1), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        game.move(ask("best", board=f"{game.board:016x}")["direction"])
        moves += 1
        if game.over:
            game = bitboard.Game(moves)
    return moves / (time.perf_counter() - began)


def best_and_move(ask, bitboard, seconds):
    state, moves, began = ask("new", seed=1), 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        best = ask("best", board=state["board"])["direction"]
        state = ask("move", board=state["board"], seed=state["seed"], moves=state["moves"], direction=best)
        moves += 1
        if state["over"]:
            state = ask("new", seed=moves)
    return moves / (time.perf_counter() - began)


def main():
    import bitboard

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3)
    seconds = parser.parse_args().seconds
    print(
        f"{platform.processor() or platform.machine()}, Python {platform.python_version()}, backend {bitboard.BACKEND}"
    )
    for name, where in (("engine", engine), ("http", http)):
        with where() as ask:
            print(f"{name:8} best {best_alone(ask, bitboard, seconds):8,.0f} moves/s", end="")
            print(f"    best and move {best_and_move(ask, bitboard, seconds):8,.0f} moves/s", flush=True)


if __name__ == "__main__":
    main()
