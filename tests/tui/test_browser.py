"""The browser version: driven by keys in headless Chromium, and closed to whoever lacks its address."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

aiohttp = pytest.importorskip("aiohttp", reason="textual-serve is not installed")
pytest.importorskip("aiohttp.web", reason="textual-serve is not installed")
pytest.importorskip("textual_serve", reason="textual-serve is not installed")

HOST = "127.0.0.1"
ROOT = Path(__file__).parents[2]
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 120  # seconds
KEYS = {"ArrowRight": (39, 0), "s": (83, 2), "q": (81, 2)}  # code, modifiers (2: ctrl)


def until(condition: Any, what: str) -> Any:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"never came true: {what}")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    path = tmp_path / "board.threat"
    path.write_text("scenario board {\n    N = 1000\n    clip = 1e-15\n    decimals = 5\n}\n")
    return path


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((HOST, port)) == 0


@pytest.fixture
def address(example: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "threatplan", "explore", "--serve", "--port", str(port), str(example)]
    server = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stderr is not None
        line = server.stderr.readline()
        found = re.search(rf"http://127\.0\.0\.1:{port}/[\w-]{{43}}/", line)
        assert found, line
        until(lambda: answers(port), "the server listens")
        yield found[0]
        server.send_signal(signal.SIGINT)
        assert server.wait(PATIENCE) == 0
    finally:
        server.kill()  # one that never came up, or would not end: no server outlives its test
        server.wait()


@asynccontextmanager
async def page(address: str, folder: Path) -> AsyncIterator[Any]:
    """A page of headless Chromium, spoken to in its DevTools protocol."""
    assert CHROMIUM is not None
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1400,900"]
    browser = subprocess.Popen(
        [CHROMIUM, *options, "--remote-allow-origins=*", f"--user-data-dir={folder}", address],
        stdout=subprocess.DEVNULL,
        stderr=(folder.parent / "chromium.log").open("w"),
    )
    log = folder.parent / "chromium.log"
    try:
        port = until(lambda: re.search(r"ws://127\.0\.0\.1:(\d+)/", log.read_text()), "DevTools").group(1)
        async with aiohttp.ClientSession() as session:
            targets = await (await session.get(f"http://127.0.0.1:{port}/json")).json()
            target = next(one for one in targets if one["type"] == "page")
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                yield Page(socket)
    finally:
        browser.kill()
        browser.wait()


class Page:
    """Commands to one page."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._numbers = socket, itertools.count(1)

    async def ask(self, method: str, **parameters: Any) -> Any:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        async for message in self._socket:
            answer = message.json()
            if answer.get("id") == number:
                return answer["result"]
        raise AssertionError("Chromium hung up")

    async def press(self, key: str) -> None:
        code, modifiers = KEYS[key]
        about = {"key": key, "code": key if len(key) > 1 else f"Key{key.upper()}", "modifiers": modifiers}
        for kind in ("rawKeyDown", "keyUp"):
            await self.ask("Input.dispatchKeyEvent", type=kind, windowsVirtualKeyCode=code, **about)

    async def evaluate(self, script: str) -> Any:
        return (await self.ask("Runtime.evaluate", expression=script))["result"].get("value")


@pytest.mark.chromium
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed: the browser version was not driven")
@pytest.mark.asyncio
async def test_keys_pressed_in_the_browser_reach_the_file(address: str, example: Path, tmp_path: Path) -> None:
    async with page(address, tmp_path / "profile") as tab:
        for _ in range(PATIENCE * 5):
            if await tab.evaluate("document.querySelector('.xterm-screen canvas, .xterm-rows') !== null"):
                break
            await asyncio.sleep(0.2)
        for _ in range(PATIENCE * 5):
            if await tab.evaluate("document.activeElement.className") == "xterm-helper-textarea":
                break
            await asyncio.sleep(0.2)
        assert await tab.evaluate("document.activeElement.className") == "xterm-helper-textarea", (
            "keys go there at once"
        )
        assert await tab.evaluate("document.title") == "board.threat: threatplan"
        assert not await tab.evaluate(
            "performance.getEntriesByType('resource').some(one => !one.name.includes('127.0.0.1'))"
        )
        for _ in range(PATIENCE):  # keys that come before the explorer is there are not lost, but may be early
            await tab.press("ArrowRight")
            await tab.press("s")
            await asyncio.sleep(1)
            if "N = 1000\n" not in example.read_text():
                break
        assert re.search(r"N = [1-9][0-9_]*0\n", example.read_text())
        assert "decimals = 5" in example.read_text()
        picture = await tab.ask("Page.captureScreenshot", format="png")
        assert len(picture["data"]) > 20_000, "a blank page compresses to less"


def site(address: str) -> str:
    """Scheme, machine and port: what anybody can find out."""
    return address.rsplit("/", 2)[0]


def other(address: str) -> str:
    """The address with one character of its token changed."""
    return address[:-2] + ("A" if address[-2] != "A" else "B") + "/"


@pytest.mark.asyncio
async def test_the_page_and_its_files_come_with_the_token_only(address: str) -> None:
    files = ("", "static/js/textual.js", "download/key")
    async with aiohttp.ClientSession() as session:
        for start in (f"{site(address)}/", other(address), f"{address[:-1]}A/", f"{address[:-2]}/"):
            for file in files:
                assert (await session.get(start + file)).status == 403, start + file
        page = await (await session.get(address)).text()
        assert "<title>board.threat: threatplan</title>" in page
        assert "//fonts." not in page, "other machines learn nothing"
        for query in ("?token=", "?"):
            assert (await session.get(f"{site(address)}/{query}{address.split('/')[3]}")).status == 403
        assert [(await session.get(address + file)).status for file in files] == [200, 200, 404]
        page = await session.get(address)
        assert f'"{address.replace("http", "ws", 1)}ws"' in await page.text()
        assert page.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.asyncio
async def test_the_socket_opens_with_the_token_only(address: str) -> None:
    """Whoever drives the explorer writes files as its owner."""
    headers = {"Origin": site(address)}
    async with aiohttp.ClientSession() as session:
        for start in (f"{site(address)}/", other(address)):
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await session.ws_connect(f"{start}ws?width=80&height=24", headers=headers)
            assert refused.value.status == 403
        async with session.ws_connect(f"{address}ws?width=80&height=24", headers=headers) as screen:
            assert (await screen.receive(timeout=PATIENCE)).data


@pytest.mark.asyncio
@pytest.mark.parametrize("headers", [{}, {"Origin": "http://evil.example"}, {"Host": "evil.example"}])
async def test_other_pages_are_refused_even_with_the_token(address: str, headers: dict[str, str]) -> None:
    if "Host" in headers:
        headers = headers | {"Origin": site(address)}
    async with aiohttp.ClientSession() as session:
        answer = await session.get(f"{address}ws", headers=headers | {"Upgrade": "websocket"})
        assert answer.status == 403


def test_tokens_are_compared_in_constant_time_and_the_machine_alone_is_served(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from aiohttp.test_utils import make_mocked_request

    from tui import serve

    compared: list[tuple[bytes, bytes]] = []
    monkeypatch.setattr(serve, "compare_digest", lambda a, b: compared.append((a, b)))
    server = serve._server("true", 8000, "secret")
    assert server.host == "127.0.0.1"

    async def ask() -> None:
        app = await server._make_app()
        (guard,) = app.middlewares
        await guard(make_mocked_request("GET", "/sec%72et/ws", headers={"Host": "127.0.0.1:8000"}), None)

    with pytest.raises(aiohttp.web.HTTPForbidden):
        asyncio.run(ask())
    assert compared == [(b"secret", b"secret")]


def test_a_port_in_use_is_told(example: Path) -> None:
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "threatplan", "explore", "--serve", "--port", str(port), str(example)]
        answer = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env=os.environ, check=False)
    assert answer.returncode == 2
    assert f"port {port} cannot be used" in answer.stderr
