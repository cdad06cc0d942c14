from __future__ import annotations

import json
from collections.abc import Iterator

import httpx
import pytest
from conftest import Service, lost, refusal

from knowledger import KnowledgerError
from knowledger._server_events import EventParser


def stream(*events: str, broken: bool = True) -> httpx.Response:
    class Events(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            for event in events:
                yield f"{event}\n\n".encode()
            if broken:
                raise lost()

    return httpx.Response(200, stream=Events(), headers={"content-type": "text/event-stream"})


def test_a_stream_goes_on_behind_the_last_event_and_ends_where_all_is_told(slept: list[float]) -> None:
    service = Service(
        stream('id: 1\ndata: "a"', 'id: 2\ndata: "b"'),
        lost(),
        refusal(503),
        stream('id: 3\ndata: "c"', "id: 7"),
        # A service that stops ends its streams.
        stream('id: 8\ndata: "d"', broken=False),
        httpx.Response(204),
    )
    told = [event.data for event in service.client().follow("/agent/runs/{run_id}/events", {"run_id": "r"})]
    assert told == ["a", "b", "c", "d"]
    assert service.headers("last-event-id") == [None, "2", "2", "2", "7", "8"]
    assert set(service.headers("accept")) == {"text/event-stream"}


def test_a_stream_that_is_refused_is_an_error() -> None:
    with pytest.raises(KnowledgerError, match="not_found"):
        next(Service(refusal(404, "not_found")).client().follow("/events", after="5"))


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_events_are_read_whatever_pieces_they_come_in(size: int) -> None:
    text = 'retry: 2000\n\n: alive\r\n\r\nid:1\r\ndata: {"a":\r\ndata:1}\r\n\r\nevent: x\rdata: "\u2028"\r\rid: 2\n\ndata: "half'
    parser = EventParser()
    events = [event for i in range(0, len(text), size) for event in parser.feed(text[i : i + size])]
    assert [(e.id, e.event, e.data) for e in events] == [("1", None, {"a": 1}), (None, "x", "\u2028"), ("2", None, None)]


COMPLETION = {
    "conversation_id": "v",
    "choices": [{"message": {"role": "assistant", "content": "By hand"}, "citations": [{"id": "c"}], "web_citations": []}],
}


def ag_ui(*events: dict[str, object]) -> httpx.Response:
    return stream(*(f"data: {json.dumps(event)}" for event in events), broken=False)


def test_an_answer_comes_in_pieces_and_then_whole() -> None:
    pieces = [{"type": "TEXT_MESSAGE_CONTENT", "delta": piece} for piece in ("By ", "hand")]
    reasoning = {"type": "REASONING_MESSAGE_CONTENT", "delta": "hm"}
    service = Service(ag_ui(reasoning, *pieces, {"type": "RUN_FINISHED", "result": COMPLETION}))
    answer = service.client().stream("How?", limit=3)
    assert list(answer) == ["By ", "hand"]
    assert answer.answer is not None
    assert (answer.answer.text, answer.answer.citations) == ("By hand", [{"id": "c"}])
    body = {"messages": [{"role": "user", "content": "How?"}], "limit": 3, "stream": True}
    assert json.loads(service.asked[0].content) == body


def test_an_answer_that_fails_or_breaks_off_is_an_error() -> None:
    error = {"type": "RUN_ERROR", "message": "away", "code": "provider_error"}
    with pytest.raises(KnowledgerError, match="away") as caught:
        list(Service(ag_ui(error)).client().stream("How?"))
    assert caught.value.type == "provider_error"
    with pytest.raises(httpx.RemoteProtocolError, match="broke off"):
        list(Service(ag_ui({"type": "TEXT_MESSAGE_CONTENT", "delta": "By"})).client().stream("How?"))
