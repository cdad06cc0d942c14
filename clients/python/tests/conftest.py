from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Union

import httpx
import pytest

from knowledger import Knowledger

#: A running service.
URL, KEY = os.environ.get("KNOWLEDGER_URL", ""), os.environ.get("KNOWLEDGER_API_KEY", "")
needs_service = pytest.mark.skipif(not URL or not KEY, reason="KNOWLEDGER_URL and KNOWLEDGER_API_KEY name no service")

Reply = Union[httpx.Response, Exception, Callable[[httpx.Request], httpx.Response]]


class Service:
    """Gives these replies, one after another, and keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self.asked: list[httpx.Request] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        reply = self._replies.pop(0) if self._replies else AssertionError("nothing more was expected")
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, httpx.Response) else reply(request)

    def headers(self, name: str) -> list[str | None]:
        return [request.headers.get(name) for request in self.asked]

    def client(self) -> Knowledger:
        http = httpx.Client(transport=httpx.MockTransport(self))
        return Knowledger("https://kn.example/", "k", http=http)


def answer(body: Any, **headers: str) -> httpx.Response:
    return httpx.Response(200, json=body, headers={k.replace("_", "-"): v for k, v in headers.items()})


def refusal(status: int, type: str = "unavailable", retry_after: str | None = None) -> httpx.Response:
    headers = {} if retry_after is None else {"retry-after": retry_after}
    return httpx.Response(status, json={"error": {"type": type, "message": "no"}}, headers=headers)


def lost() -> httpx.ReadError:
    return httpx.ReadError("connection reset")


@pytest.fixture
def slept(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were waited, all at once."""
    pauses: list[float] = []
    monkeypatch.setattr(threading.Event, "wait", lambda _, seconds: pauses.append(seconds))
    return pauses


@pytest.fixture(scope="session")
def birds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with five files."""
    folder = tmp_path_factory.mktemp("folders") / "Birds"
    for number in range(5):
        path = folder / f"kind{number}" / "osprey.txt"
        path.parent.mkdir(parents=True)
        path.write_text(f"The osprey number{number} dives feet first. " * 200)
    return folder


@pytest.fixture(scope="session")
def indexed(birds: Path) -> Knowledger:
    """A client of a service that has read them."""
    kn = Knowledger(URL, KEY)
    group = kn.upload_folder(birds)
    assert kn.wait_for(kn.get_local_file_group, group["id"])["status"] == "success"
    return kn
