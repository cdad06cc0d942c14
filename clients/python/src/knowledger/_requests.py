from __future__ import annotations

import json
import re
import socket
import threading
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote
from weakref import WeakSet

import httpx

from ._files import FileForm
from .errors import error_of
from .types import KEYED

#: POST operations that change nothing.
SAFE_POSTS = frozenset({"/search", "/query", "/extract", "/scrape"})
#: Answers of language models take minutes; event streams send a sign of life every 15 s.
TIMEOUT = httpx.Timeout(10, read=300, write=300)
STREAM_TIMEOUT = httpx.Timeout(10, read=60, write=300)
EVENT_STREAM = "text/event-stream"


@dataclass(frozen=True)
class Call:
    """What is asked of the service, whatever asks it."""

    method: str
    #: With names in braces, such as `/tags/{id}`.
    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    query: Mapping[str, Any] = field(default_factory=dict)
    #: JSON, bytes, or a form.
    body: Any = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_stream: bool = False


class Session:
    """What a client knows from one request to the next: address, key, and what it has written. Performs nothing."""

    def __init__(self, url: str, key: str, attempts: int, reads_own_writes: bool) -> None:
        self._base = f"{url.rstrip('/')}/api/v1"
        self._key = key
        self.attempts = attempts
        self._reads_own_writes = reads_own_writes
        self._written = ""
        self._lock = threading.Lock()
        self._connections: WeakSet[Any] = WeakSet()
        self.closed = threading.Event()

    def note(self, event: str, info: Mapping[str, Any]) -> None:
        """What httpx does for a request: connections are kept, so that `close` can end them."""
        if event.endswith((".connect_tcp.complete", ".start_tls.complete")):
            self._connections.add(info["return_value"])

    def close(self, *, breaks_off: bool) -> None:
        """Lets nothing begin again; `breaks_off` wakes those that read from a connection, as httpx does not."""
        self.closed.set()
        for connection in list(self._connections) if breaks_off else ():
            with suppress(OSError):
                connection.get_extra_info("socket").shutdown(socket.SHUT_RDWR)

    def headers_of(self, call: Call) -> dict[str, str]:
        """The headers of all attempts of a call."""
        headers = {"x-api-key": self._key}
        # Runs of agents take the key in their body too, and not two of them.
        names_key = isinstance(call.body, Mapping) and call.body.get("idempotency_key") is not None
        if call.method == "POST" and call.path in KEYED and not names_key:
            headers["idempotency-key"] = str(uuid.uuid4())
        if self._reads_own_writes and self._written:
            headers["x-min-position"] = self._written
        if call.is_stream:
            headers["accept"] = EVENT_STREAM
        return {**headers, **call.headers}

    def request(
        self, client: httpx.Client | httpx.AsyncClient, call: Call, headers: dict[str, str]
    ) -> httpx.Request:
        """One attempt of a call."""
        path = re.sub(r"\{(\w+)\}", lambda name: quote(call.parameters[name[1]], safe=""), call.path)
        url = f"{self._base}{path}"
        if isinstance(call.body, FileForm):
            return call.body.request(client, url, headers)
        content: bytes | None = None
        if isinstance(call.body, bytes):
            content = call.body
        elif call.body is not None:
            content = json.dumps(call.body, ensure_ascii=False, separators=(",", ":")).encode()
            headers = {"content-type": "application/json", **headers}
        return client.build_request(
            call.method,
            url,
            params=query_of(call.query),
            content=content,
            headers=headers,
            timeout=STREAM_TIMEOUT if call.is_stream else client.timeout,
        )

    def is_repeatable(self, call: Call, headers: Mapping[str, str]) -> bool:
        """Whether sending a call twice does no more than once."""
        return call.method != "POST" or call.path in KEYED or "idempotency-key" in headers or call.path in SAFE_POSTS

    def take(self, response: httpx.Response) -> None:
        """
        Notes what the response tells.

        Raises KnowledgerError if it is no success; it must have been read then.
        """
        if not response.is_success:
            raise error_of(response)
        position = response.headers.get("x-position", "")
        with self._lock:
            # Positions compare as texts.
            self._written = max(self._written, position)


def query_of(query: Mapping[str, Any]) -> dict[str, str]:
    """
    The parameters that are not None. Several values of one are separated by commas.

    Raises ValueError for an empty list: without the parameter the service would answer everything.
    """
    return {name: _text_of(name, value) for name, value in query.items() if value is not None}


def _text_of(name: str, value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Sequence) and not isinstance(value, str):
        if not value:
            raise ValueError(f"{name} of the query is an empty list: name at least one, or leave it out")
        return ",".join(str(one) for one in value)
    return str(value)
