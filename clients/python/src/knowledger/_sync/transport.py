# Made by `npm run client:types` from _async/transport.py.
from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from itertools import count
from time import monotonic
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx
from typing_extensions import Self

from .._requests import TIMEOUT, Call, Session
from .._server_events import EventParser, ServerEvent
from .._waits import LOST, wait_before
from ..errors import KnowledgerError

T = TypeVar("T")


class Transport:
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
        http: httpx.Client | None = None,
    ) -> None:
        """
        `url` is where the service is, such as `https://knowledge.example.com`. `attempts`: how often a request is sent
        at most where it fails for a time. `reads_own_writes`: a read waits until it shows the writes of this client,
        2 s at most for each attempt. `http` is used, and left open, instead of a client of its own.
        """
        self._session = Session(url, key, attempts, reads_own_writes)
        self._owns_http = http is None
        self._http = httpx.Client(timeout=TIMEOUT) if http is None else http
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

    def close(self) -> None:
        """Closes the connections. What is under way elsewhere, as in another thread, fails, and `follow` ends."""
        self._session.close(breaks_off=self._owns_http)
        if self._owns_http:
            self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def request(
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
        return (self._exchange(call)).json()

    @contextmanager
    def raw(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Iterator[httpx.Response]:
        """The response as it comes, for bytes of any size: a source as it was fetched, an export of the log."""
        call = Call(method, path, parameters or {}, query or {}, body, headers or {})
        response = self._exchange(call, stream=True)
        try:
            yield response
        finally:
            response.close()

    def follow(
        self,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        after: str | None = None,
    ) -> Iterator[ServerEvent[Any]]:
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
                response = self._once(call, self._session.headers_of(call), stream=True)
                try:
                    # All is told: a stream is not asked for again (HTML Standard, 9.2.3).
                    if response.status_code == 204:
                        return
                    for event in _events_of(response):
                        failed = 0
                        last = event.id or last
                        if event.data is not None:
                            yield event
                finally:
                    response.close()
            except (KnowledgerError, *LOST) as lost:
                error = lost
            if self._session.closed.is_set():
                return
            failed += 1
            wait = wait_before(error or httpx.RemoteProtocolError("ended early"), failed, True)
            if wait is None:
                raise cast(Exception, error)
            self._session.closed.wait(wait)

    def _ask(
        self,
        _: type[T],
        method: str,
        path: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
    ) -> T:
        return cast(T, self.request(method, path, parameters, query=query, body=body))

    def _all(
        self,
        path: str,
        name: str,
        parameters: Mapping[str, str] | None = None,
        *,
        query: Mapping[str, Any],
    ) -> Iterator[Any]:
        """All records of a list in its order. A page that cannot be had is an error, never the end."""
        asked = dict(query)
        while True:
            page = self.request("GET", path, parameters, query=asked)
            for record in page[name]:
                yield record
            pagination = page["pagination"]
            if not pagination["has_more"] or "next_id" not in pagination:
                return
            cursor = "after_position" if "after_position" in asked else "after"
            asked[cursor] = pagination["next_id"]

    def _events(self, call: Call) -> Iterator[ServerEvent[Any]]:
        """The events of one answer: they end with it, and are not resumed."""
        response = self._exchange(call, stream=True)
        try:
            for event in _events_of(response):
                yield event
        finally:
            response.close()

    def _exchange(self, call: Call, *, stream: bool = False) -> httpx.Response:
        headers = self._session.headers_of(call)
        is_repeatable = self._session.is_repeatable(call, headers)
        end = None if self._timeout is None else monotonic() + self._timeout
        for attempt in count(1):
            try:
                return self._once(call, headers, stream=stream, end=end)
            except (KnowledgerError, *LOST) as error:
                wait = wait_before(error, attempt, is_repeatable)
                if wait is None or attempt >= self._session.attempts or self._session.closed.is_set():
                    raise
                if end is not None and monotonic() + wait >= end:
                    raise
            self._session.closed.wait(wait)
        raise AssertionError

    def _once(
        self, call: Call, headers: dict[str, str], *, stream: bool, end: float | None = None
    ) -> httpx.Response:
        request = self._session.request(self._http, call, headers)
        request.extensions["trace"] = self._trace
        if end is not None:
            request.extensions["timeout"] = httpx.Timeout(max(end - monotonic(), 0.001)).as_dict()
        try:
            response = self._http.send(request, stream=stream)
        finally:
            # Files of a form.
            cast(httpx.ByteStream, request.stream).close()
        if not response.is_success:
            try:
                response.read()
            finally:
                response.close()
        self._session.take(response)
        return response

    def _trace(self, event: str, info: Mapping[str, Any]) -> None:
        self._session.note(event, info)


def _events_of(response: httpx.Response) -> Iterator[ServerEvent[Any]]:
    parser = EventParser()
    for text in response.iter_text():
        for event in parser.feed(text):
            yield event
