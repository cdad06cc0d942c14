from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from copy import copy
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx
from anyio import sleep
from typing_extensions import Self

from .._requests import TIMEOUT, Call, Session
from .._server_events import EventParser, ServerEvent
from .._waits import LOST, wait_before
from ..errors import KnowledgerError

T = TypeVar("T")


class AsyncTransport:
    """
    Sends requests to one service, with one key.

    Methods raise KnowledgerError for answers that are no success, and what httpx raises where the service cannot be
    reached. What fails for a time (429, 502 to 504, a lost connection) is sent again, after the time that the service
    asks for or a growing one: reads, PUT and DELETE as they are, creations with one `Idempotency-Key` for all attempts.
    A POST that cannot be told apart from a second one, such as the rotation of a key, is sent again only where the
    service has refused it or has not seen it.
    """

    def __init__(
        self,
        url: str,
        key: str,
        *,
        attempts: int = 4,
        reads_own_writes: bool = True,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        """
        `url` is where the service is, such as `https://knowledge.example.com`. `attempts`: how often a request is sent
        at most where it fails for a time. `reads_own_writes`: a read waits until it shows the writes of this client,
        2 s at most for each attempt. `http` is used, and left open, instead of a client of its own.
        """
        self._session = Session(url, key, attempts, reads_own_writes)
        self._owns_http = http is None
        self._http = httpx.AsyncClient(timeout=TIMEOUT) if http is None else http
        self._timeout: float | None = None

    def with_timeout(self, seconds: float) -> Self:
        """
        The same client, whose calls give up after this time, all attempts of one together:
        `kn.with_timeout(5).search(query="reset")`. What comes in pieces may last as long as they keep coming, and
        `follow` lasts.
        """
        timed = copy(self)
        timed._timeout = seconds
        return timed

    async def aclose(self) -> None:
        """Closes the connections. What is under way elsewhere, as in another thread, fails, and `follow` ends."""
        self._session.close(breaks_off=self._owns_http)
        if self._owns_http:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def request(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Any:
        """
        The JSON that any operation answers: `kn.request("GET", "/tags/{id}", {"id": …})`.

        `body` is JSON, or bytes with their `content-type` among the headers.
        """
        call = Call(method, path, parameters or {}, query or {}, body, headers or {})
        return (await self._exchange(call)).json()

    @asynccontextmanager
    async def raw(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[httpx.Response]:
        """The response as it comes, for bytes of any size: a source as it was fetched, an export of the log."""
        call = Call(method, path, parameters or {}, query or {}, body, headers or {})
        response = await self._exchange(call, stream=True)
        try:
            yield response
        finally:
            await response.aclose()

    async def follow(
        self,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        after: str | None = None,
    ) -> AsyncIterator[ServerEvent[Any]]:
        """
        The events of a stream, such as `/crawls/{id}/events`, from the beginning or behind the event with the id
        `after`; then new ones as they come. Ends where all is told, which the log never does: leave the loop.

        A stream that breaks or ends early is resumed behind the last event.
        """
        last = after
        failed = 0
        while True:
            resumed = {} if last is None else {"last-event-id": last}
            call = Call("GET", path, parameters or {}, query or {}, None, resumed, is_stream=True)
            error: Exception | None = None
            try:
                response = await self._once(call, self._session.headers_of(call), stream=True)
                try:
                    # All is told: a stream is not asked for again (HTML Standard, 9.2.3).
                    if response.status_code == 204:
                        return
                    async for event in _events_of(response):
                        failed = 0
                        last = event.id or last
                        if event.data is not None:
                            yield event
                finally:
                    await response.aclose()
            except (KnowledgerError, *LOST) as lost:
                error = lost
            if self._session.closed.is_set():
                return
            failed += 1
            wait = wait_before(error or httpx.RemoteProtocolError("ended early"), failed, True)
            if wait is None:
                raise cast(Exception, error)
            await sleep(wait)

    async def _ask(
        self,
        _: type[T],
        method: str,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> T:
        return cast(T, await self.request(method, path, parameters, query=query, body=body))

    async def _all(
        self,
        path: str,
        name: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any],
    ) -> AsyncIterator[Any]:
        """All records of a list in its order. A page that cannot be had is an error, never the end."""
        asked = dict(query)
        while True:
            page = await self.request("GET", path, parameters, query=asked)
            for record in page[name]:
                yield record
            pagination = page["pagination"]
            if not pagination["has_more"] or "next_id" not in pagination:
                return
            cursor = "after_position" if "after_position" in asked else "after"
            asked[cursor] = pagination["next_id"]

    async def _events(self, call: Call) -> AsyncIterator[ServerEvent[Any]]:
        """The events of one answer: they end with it, and are not resumed."""
        response = await self._exchange(call, stream=True)
        try:
            async for event in _events_of(response):
                yield event
        finally:
            await response.aclose()

    async def _exchange(self, call: Call, *, stream: bool = False) -> httpx.Response:
        headers = self._session.headers_of(call)
        is_repeatable = self._session.is_repeatable(call, headers)
        end = None if self._timeout is None else monotonic() + self._timeout
        for attempt in count(1):
            try:
                return await self._once(call, headers, stream=stream, end=end)
            except (KnowledgerError, *LOST) as error:
                wait = wait_before(error, attempt, is_repeatable)
                if wait is None or attempt >= self._session.attempts or self._session.closed.is_set():
                    raise
                if end is not None and monotonic() + wait >= end:
                    raise
            await sleep(wait)
        raise AssertionError

    async def _once(
        self, call: Call, headers: dict[str, str], *, stream: bool, end: float | None = None
    ) -> httpx.Response:
        request = self._session.request(self._http, call, headers)
        request.extensions["trace"] = self._trace
        if end is not None:
            request.extensions["timeout"] = httpx.Timeout(max(end - monotonic(), 0.001)).as_dict()
        try:
            response = await self._http.send(request, stream=stream)
        finally:
            # Files of a form.
            await cast(httpx.AsyncByteStream, request.stream).aclose()
        if not response.is_success:
            try:
                await response.aread()
            finally:
                await response.aclose()
        self._session.take(response)
        return response

    async def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        self._session.note(event, info)


async def _events_of(response: httpx.Response) -> AsyncIterator[ServerEvent[Any]]:
    parser = EventParser()
    async for text in response.aiter_text():
        for event in parser.feed(text):
            yield event
