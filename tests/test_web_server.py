"""The server: who may ask what, limits, many clients at once, and its end."""

import asyncio
import http.client
import importlib
import json
import os
import re
import signal
import socket
import threading
import time
from contextlib import closing

import browser as chromium
import pytest
from conftest import BACKENDS

JSON = {"Content-Type": "application/json"}


def app(impl, host="127.0.0.1", **options):
    protocol = importlib.import_module(".web.protocol", impl.__name__).Protocol(**options)
    return importlib.import_module(".web.server", impl.__name__).App(protocol, host)


async def respond(application, method, path, headers, body=b"", left=False):
    """(status, headers, body) of one request; left: the client goes away after it; None where nothing was sent."""
    messages = [
        {"type": "http.request", "body": body[i : i + 65536], "more_body": True} for i in range(0, len(body), 65536)
    ]
    messages.append({"type": "http.request", "body": b"", "more_body": False})
    sent, forever = [], asyncio.Event()

    async def receive():
        if messages:
            return messages.pop(0)
        if not left:
            await forever.wait()
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message)

    scope = {
        "type": "http", "method": method, "path": path,
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in headers.items()],
    }  # fmt: skip
    await application(scope, receive, send)
    if not sent:
        return None
    return sent[0]["status"], dict(sent[0]["headers"]), b"".join(one.get("body", b"") for one in sent[1:])


def one(application, method="GET", path="/", headers=(), body=b""):
    return asyncio.run(respond(application, method, path, {"Host": "127.0.0.1:2048"} | dict(headers), body))


def test_the_page_and_nothing_else_is_served(impl):
    application = app(impl)
    names = re.findall(r'(?:src|href)="([^"]+)"', one(application)[2].decode())
    assert len(names) == 10
    for path in ("/", *(f"/{name}" for name in names)):
        status, headers, body = one(application, path=path)
        assert status == 200 and body
        assert headers[b"content-security-policy"].startswith(b"default-src 'none'")
        assert headers[b"x-content-type-options"] == b"nosniff"
    for path in (
        "/../../etc/passwd",
        "/static/page.js",
        "//etc/passwd",
        "/replay.html",
        "/%2e%2e/x",
        "/api",
        "/index.html",
    ):
        assert one(application, path=path)[0] == 404
    assert one(application, "POST", "/")[0] == 405
    assert one(application, "GET", "/api/info")[0] == 405
    assert one(application, "PUT", "/api/info")[0] == 405


@pytest.mark.parametrize(
    ("listens", "host", "passes"),
    [
        ("127.0.0.1", "127.0.0.1:2048", True),
        ("127.0.0.1", "localhost:2048", True),
        ("127.0.0.1", "LOCALHOST", True),
        ("127.0.0.1", "[::1]:2048", True),
        ("127.0.0.1", "evil.example", False),
        ("127.0.0.1", "localhost.evil.example:2048", False),
        ("127.0.0.1", "127.0.0.1.evil.example", False),
        ("127.0.0.1", "192.168.0.7:2048", False),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "localhost:2048@evil.example", False),
        ("0.0.0.0", "192.168.0.7:2048", True),
        ("0.0.0.0", "evil.example:2048", False),
        ("box.lan", "box.lan:2048", True),
        ("box.lan", "evil.example", False),
    ],
)
def test_a_foreign_host_is_refused(impl, listens, host, passes):
    assert one(app(impl, listens), headers={"Host": host})[0] == (200 if passes else 403)


@pytest.mark.parametrize(
    ("name", "value", "passes"),
    [
        ("Origin", "http://127.0.0.1:2048", True),
        ("Origin", "http://evil.example", False),
        ("Origin", "null", False),
        ("Origin", "http://127.0.0.1:9999", False),
        ("Origin", "https://127.0.0.1:2048", False),
        ("Sec-Fetch-Site", "same-origin", True),
        ("Sec-Fetch-Site", "none", True),
        ("Sec-Fetch-Site", "cross-site", False),
        ("Sec-Fetch-Site", "same-site", False),
    ],
)
def test_a_foreign_origin_is_refused(impl, name, value, passes):
    status, headers, _ = one(app(impl), "POST", "/api/info", JSON | {name: value}, b"{}")
    assert status == (200 if passes else 403)
    assert b"access-control-allow-origin" not in headers


def test_bodies_are_json_by_their_type_and_limited(impl):
    application = app(impl)
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        assert one(application, "POST", "/api/info", {"Content-Type": kind}, b"{}")[0] == 415
    assert one(application, "POST", "/api/info", {"Content-Type": "application/json; charset=utf-8"}, b"{}")[0] == 200
    assert one(application, "POST", "/api/info", JSON | {"Content-Length": "4000001"})[0] == 413
    assert one(application, "POST", "/api/info", JSON, b" " * 4_000_001)[0] == 413
    status, _, body = one(application, "POST", "/api/info", JSON, b"{")
    assert status == 400 and json.loads(body)["status"] == 400
    status, _, body = one(application, "POST", "/api/legal", JSON, b'{"board": "x"}')
    assert status == 422 and "16 characters" in json.loads(body)["error"]


class Waits:
    """An agent that chooses once it is let."""

    def __init__(self):
        self.entered, self.go = threading.Semaphore(0), threading.Event()

    def __call__(self, board):
        self.entered.release()
        assert self.go.wait(30)
        return 3


BOARD = b'{"board": "1100000000000000"}'


def test_a_slow_search_does_not_stop_others(impl):
    agent = Waits()
    application = app(impl, own={"slow": lambda: agent}, default="slow")

    async def both():
        slow = asyncio.ensure_future(respond(application, "POST", "/api/best", {"Host": "localhost"} | JSON, BOARD))
        await asyncio.to_thread(agent.entered.acquire)
        request = b'{"board": "1100000000000000", "agent": "expectimax", "depth": 1}'
        quick = await respond(application, "POST", "/api/best", {"Host": "localhost"} | JSON, request)
        assert quick[0] == 200 and not slow.done()
        agent.go.set()
        assert (await slow)[0] == 200

    asyncio.run(both())


def test_too_many_searches_at_once_are_refused(impl):
    server = importlib.import_module(".web.server", impl.__name__)
    agent = Waits()
    application = app(impl, own={"slow": lambda: agent}, default="slow")

    async def many():
        ask = ("POST", "/api/best", {"Host": "localhost"} | JSON, BOARD)
        waiting = [asyncio.ensure_future(respond(application, *ask)) for _ in range(server.MOST_WAITING)]
        while application.waiting < server.MOST_WAITING:
            await asyncio.sleep(0)
        assert (await respond(application, *ask))[0] == 503
        agent.go.set()
        assert {one[0] for one in await asyncio.gather(*waiting)} == {200}

    asyncio.run(many())
    assert application.waiting == 0


def test_a_page_that_leaves_ends_its_work(impl):
    done = threading.Event()

    class Slow:
        def __call__(self, board):
            time.sleep(0.001)
            return next(d for d in range(4) if impl.legal_moves(board) >> d & 1)

    application = app(impl, own={"slow": Slow}, default="slow", limit_ms=1e9)
    whole = application.protocol.answer

    def answer(*arguments):
        try:
            return whole(*arguments)
        finally:
            done.set()

    application.protocol.answer = answer
    body = b'{"board": "1100000000000000", "count": 10000}'
    began = time.monotonic()

    async def leave():
        return await respond(application, "POST", "/api/play", {"Host": "localhost"} | JSON, body, left=True)

    assert asyncio.run(leave()) is None
    if not done.wait(0.5):  # it may not have begun at all
        application.pool.shutdown()
    assert time.monotonic() - began < 10


# As a process


@pytest.fixture(scope="module")
def served():
    with chromium.server(BITBOARD_BACKEND=BACKENDS[0]) as (process, address):
        yield process, int(address.rsplit(":", 1)[1].strip("/"))


def connected(port):
    return closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60))


def post(connection, operation, request):
    connection.request("POST", f"/api/{operation}", json.dumps(request), JSON)
    response = connection.getresponse()
    return response.status, json.loads(response.read())


def test_only_this_machine_is_listened_to(served):
    _, port = served
    with socket.socket() as asked:
        asked.settimeout(5)
        asked.connect(("127.0.0.1", port))
    mine = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
    for address in mine - {"127.0.0.1", "127.0.1.1"}:
        with socket.socket() as other:
            other.settimeout(5)
            assert other.connect_ex((address, port)) != 0


def test_fifty_clients_at_once(served):
    _, port = served
    failures, barrier = [], threading.Barrier(50)

    def client(number):
        try:
            barrier.wait(60)
            with connected(port) as connection:
                state = post(connection, "new", {"seed": number})[1]
                for _ in range(10):
                    agent = ("greedy", "expectimax")[number % 2]
                    request = {"board": state["board"], "agent": agent} | ({"depth": 1} if number % 2 else {})
                    best = post(connection, "best", request)[1]["direction"]
                    request = {"board": state["board"], "seed": number, "moves": state["moves"], "direction": best}
                    status, state = post(connection, "move", request)
                    assert status == 200
                assert state["moves"] == 10
        except Exception as error:
            failures.append(repr(error))

    threads = [threading.Thread(target=client, args=(number,)) for number in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_what_is_no_http_breaks_nothing(served):
    process, port = served
    for junk in (
        b"\x00\xff\xfe",
        b"GET / HTTP/1.1\r\n\r\n",
        b"POST /api/info HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
        b"A" * 200_000,
    ):
        with socket.create_connection(("127.0.0.1", port), 5) as client:
            try:
                client.sendall(junk)
                client.shutdown(socket.SHUT_WR)
                assert b" 200 " not in client.recv(1000)
            except OSError:  # the server closed first: reset, broken pipe or no longer connected
                pass
    assert process.poll() is None
    with connected(port) as connection:
        assert post(connection, "info", {})[0] == 200


@pytest.mark.terminal
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_ends_cleanly_in_the_middle_of_work(number):
    with chromium.server(BITBOARD_BACKEND=BACKENDS[0]) as (process, address):
        port = int(address.rsplit(":", 1)[1].strip("/"))
        request = {"board": "1100000000000000", "agent": "montecarlo", "milliseconds": 2000, "count": 10000}
        with connected(port) as busy, connected(port) as other, socket.create_connection(("127.0.0.1", port)):
            busy.request("POST", "/api/play", json.dumps(request), JSON)
            post(other, "info", {})  # so that the work has come in
            process.send_signal(number)
            assert process.wait(20) == (0 if number == signal.SIGINT else -signal.SIGTERM)
        said = process.stdout.read()
        assert "Traceback" not in said
        assert said.endswith("ended\n") or number == signal.SIGTERM


def test_bad_arguments_and_a_port_that_is_taken(cli, served):
    _, port = served
    assert cli("web", "--port", 70000)[0] == 2
    status, _, err = cli("web", "--port", port)
    assert status == 2 and err.startswith("bitboard web: ") and err.count("\n") == 1
    assert cli("web", "--agent", "nobody", "--port", 0)[0] == 2


def test_without_uvicorn_it_says_what_to_install(cli, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "uvicorn", None)
    assert cli("web", "--port", 0) == (
        2,
        "",
        'bitboard web: the server needs uvicorn: pip install -e ".[web]" in the checkout\n',
    )


def test_importing_the_package_loads_none_of_it(impl):
    import subprocess
    import sys

    code = "import sys, bitboard; assert not [m for m in sys.modules if m.startswith(('bitboard.web', 'uvicorn'))]"
    subprocess.run(
        [sys.executable, "-c", code], check=True, env=os.environ | {"BITBOARD_BACKEND": impl.BACKEND}, cwd=chromium.ROOT
    )
