"""The server: static files and POST /api/OPERATION around bitboard.web.protocol, as an ASGI application.

Plain ASGI: eleven fixed files and one route need no framework; uvicorn (the extra [web]) does HTTP and signals.

What keeps others out: it listens on this machine alone unless told otherwise; the header Host must name this machine
(an address, so that a foreign name which is made to point here is refused); Origin must be the page's own; bodies are
JSON by their type, which no foreign form can send, and limited; no path leads to a file. Searches run in worker
threads, so many at once, with a limit of time each; the work of a client that has left is ended.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from ..tools import extras
from ..tools.parallel import processors
from . import page
from .errors import RequestError
from .protocol import Protocol, decoded, encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    Receive = Callable[[], Awaitable[dict[str, Any]]]
    Send = Callable[[dict[str, Any]], Awaitable[None]]

LARGEST_BODY = 4_000_000  # bytes; a record of the longest games known takes a tenth
MOST_WAITING = 200  # requests in work or waiting for it
WORKERS = max(4, processors())

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = [
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class App:
    """The ASGI application.

    host: the address that it listens on; other machines may name it in Host only where it is not of this machine alone.
    """

    def __init__(self, protocol: Protocol, host: str = "127.0.0.1") -> None:
        self.protocol, self.host = protocol, host.strip("[]").lower()
        self.files = page.resources()
        self.pool = ThreadPoolExecutor(WORKERS, "bitboard-web")
        self.closing = Event()
        self.waiting = 0
        self.watched: set[asyncio.Task[None]] = set()  # what waits for clients to leave

    def close(self) -> None:
        """End the work of all requests."""
        self.closing.set()
        for task in self.watched.copy():
            task.get_loop().call_soon_threadsafe(task.cancel)
        self.pool.shutdown(wait=False, cancel_futures=True)

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] == "http":
            try:
                status, kind, content = await self._respond(scope, receive)
            except RequestError as error:
                answer = {"error": str(error), "status": error.status}
                status, kind, content = error.status, "application/json", encoded(answer).encode()
            except _Left:
                return
            await _send(send, status, kind, content)
        else:  # a web socket: there are none
            await send({"type": "websocket.close", "code": 1008})

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.shutdown":
                self.close()
            await send({"type": f"{message['type']}.complete"})
            if message["type"] == "lifespan.shutdown":
                return

    async def _respond(self, scope: dict[str, Any], receive: Receive) -> tuple[int, str, bytes]:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        self._check_origin(headers)
        method, path = scope["method"], scope["path"]
        if path in self.files:
            if method not in ("GET", "HEAD"):
                raise RequestError(405, f"{path} is for GET")
            return 200, *self.files[path]
        if not path.startswith("/api/"):
            raise RequestError(404, "there is nothing here; the page is /, the protocol POST /api/OPERATION")
        if method != "POST":
            raise RequestError(405, "the protocol is POST /api/OPERATION with a JSON object")
        if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
            raise RequestError(415, "the content type must be application/json")
        body = await _body(headers, receive)
        return 200, "application/json", encoded(await self._answer(path[5:], decoded(body), receive)).encode()

    def _check_origin(self, headers: dict[str, str]) -> None:
        """Refuse what another site or another name sends."""
        host = headers.get("host", "")
        if not self._is_ours(host):
            raise RequestError(403, f"the Host {host[:60]!r} is not this server's")
        origin = headers.get("origin")
        if origin is not None and origin.lower() != f"http://{host.lower()}":
            raise RequestError(403, f"requests of another origin, {origin[:60]!r}, are refused")
        if headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            raise RequestError(403, "requests of another site are refused")

    def _is_ours(self, host: str) -> bool:
        match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[^:\[\]]+)(:[0-9]{1,5})?", host.lower())
        if match is None:
            return False
        name = match[1].strip("[]")
        if name == "localhost" or name == self.host:
            return True
        try:
            address = ipaddress.ip_address(name)
            # Any address where it listens for other machines: what must not pass is a name, which can be rebound.
            return address.is_loopback or not (self.host == "localhost" or ipaddress.ip_address(self.host).is_loopback)
        except ValueError:
            return False

    async def _answer(self, operation: str, request: dict[str, Any], receive: Receive) -> dict[str, Any]:
        if not self.protocol.is_slow(operation, request):
            return self.protocol.answer(operation, request)
        if self.waiting >= MOST_WAITING:
            raise RequestError(503, "too many searches are waiting; try again later")
        left = Event()

        def cancelled() -> bool:
            return left.is_set() or self.closing.is_set()

        self.waiting += 1
        try:
            loop = asyncio.get_running_loop()
            work = loop.run_in_executor(self.pool, self.protocol.answer, operation, request, cancelled)
            gone = asyncio.ensure_future(_until_gone(receive))
            self.watched.add(gone)
            try:
                await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
                if not work.done():
                    work.cancel()  # if it has not begun
                    if self.closing.is_set():
                        raise RequestError(503, "the server is ending")
                    raise _Left
                return work.result()
            finally:
                left.set()
                self.watched.discard(gone)
                gone.cancel()
        finally:
            self.waiting -= 1


class _Left(Exception):
    """The client has gone away."""


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(headers: dict[str, str], receive: Receive) -> bytes:
    too_long = RequestError(413, f"a request has at most {LARGEST_BODY} bytes")
    length = headers.get("content-length", "0")
    if length.isdecimal() and len(length) < 20 and int(length) > LARGEST_BODY:
        raise too_long
    parts, total = [], 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _Left
        parts.append(message.get("body", b""))
        total += len(parts[-1])
        if total > LARGEST_BODY:
            raise too_long
        if not message.get("more_body"):
            return b"".join(parts)


async def _send(send: Send, status: int, kind: str, content: bytes) -> None:
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(content)).encode()), *_HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})


def serve(protocol: Protocol, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until Ctrl-C or SIGTERM. ready: called with the page's address once it can be opened.

    port: 0 takes a free one. Raises ImportError where uvicorn is missing, OSError where the address is taken.
    """
    try:
        import uvicorn
    except ImportError:
        raise ImportError(f"the server needs uvicorn: {extras.hint('web')}") from None
    import socket

    address = host.strip("[]")
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    # IPPROTO_TCP by name: only then asyncio turns off Nagle's algorithm, which would cost 40 ms an answer.
    with socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((address, port))
        listener.listen(128)
        app = App(protocol, host)

        class Server(uvicorn.Server):
            def handle_exit(self, sig: int, frame: Any) -> None:
                app.close()  # first: it waits for all requests
                super().handle_exit(sig, frame)

        config = uvicorn.Config(
            app,
            log_level="error",
            access_log=False,
            server_header=False,
            limit_concurrency=500,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=1,
            ws="none",
        )
        shown = f"[{address}]" if ":" in address else address
        ready(f"http://{shown}:{listener.getsockname()[1]}/")
        try:
            Server(config).run(sockets=[listener])
        finally:
            app.close()
