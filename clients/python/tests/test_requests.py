from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from queue import Queue

import anyio
import httpx
import pytest
from conftest import Service, answer, lost, refusal

from knowledger import AsyncKnowledger, Knowledger, KnowledgerError


def test_a_read_that_fails_for_a_time_is_sent_again(slept: list[float]) -> None:
    service = Service(lost(), refusal(502), answer({"id": "t"}))
    assert service.client().get_tag("t") == {"id": "t"}
    assert len(service.asked) == 3
    assert 0.25 <= slept[0] <= 0.5 and 0.5 <= slept[1] <= 1


def test_a_creation_has_one_key_for_all_attempts(slept: list[float]) -> None:
    service = Service(lost(), refusal(409, "conflict", "1"), answer({"id": "t"}))
    assert service.client().create_tag(name="n") == {"id": "t"}
    keys = service.headers("idempotency-key")
    assert len(keys) == 3 and len(set(keys)) == 1 and len(keys[0] or "") == 36
    assert [request.content for request in service.asked] == [b'{"name":"n"}'] * 3


def test_a_creation_has_the_key_of_its_body_alone_where_that_names_one(slept: list[float]) -> None:
    service = Service(lost(), answer({"run_id": "r"}))
    run = service.client().create_agent_run(workflow_type="chat", input={}, idempotency_key="mine")
    assert run == {"run_id": "r"}
    assert service.headers("idempotency-key") == [None, None]


def test_an_answer_that_breaks_off_is_asked_for_again(slept: list[float]) -> None:
    class Broken(httpx.SyncByteStream):
        def __iter__(self) -> Iterator[bytes]:
            yield b'{"id":'
            raise lost()

    service = Service(httpx.Response(200, stream=Broken()), answer({"id": "t"}))
    assert service.client().get_tag("t") == {"id": "t"}


def test_waits_as_long_as_the_service_asks_but_no_more_than_a_minute(slept: list[float]) -> None:
    Service(refusal(429, "rate_limited", "7"), answer({})).client().get_tag("t")
    assert slept == [7]
    far = Service(refusal(429, "rate_limited", "3600"))
    with pytest.raises(KnowledgerError) as caught:
        far.client().get_tag("t")
    assert (caught.value.status, caught.value.retry_after, len(far.asked)) == (429, 3600, 1)


def test_fails_after_four_attempts_with_the_last_reason(slept: list[float]) -> None:
    service = Service(lost(), lost(), lost(), refusal(503))
    with pytest.raises(KnowledgerError, match=r"no \(unavailable\)"):
        service.client().get_tag("t")
    assert len(service.asked) == 4


def test_a_post_that_a_second_one_might_do_twice_is_sent_again_only_if_refused_or_not_sent(
    slept: list[float],
) -> None:
    with pytest.raises(httpx.ReadError):
        Service(lost()).client().rotate_api_key("a")
    for first in (refusal(503), httpx.ConnectError("refused")):
        assert Service(first, answer({"id": "a"})).client().rotate_api_key("a") == {"id": "a"}


@pytest.mark.parametrize("status", [400, 404, 409, 500])
def test_a_request_that_will_not_get_better_is_not_sent_again(status: int, slept: list[float]) -> None:
    service = Service(refusal(status, "x", "1"))
    with pytest.raises(KnowledgerError) as caught:
        service.client().get_tag("t")
    assert (caught.value.status, caught.value.type, len(service.asked)) == (status, "x", 1)


def test_an_error_of_a_proxy_has_the_status_as_its_type(slept: list[float]) -> None:
    with pytest.raises(KnowledgerError) as caught:
        Service(httpx.Response(413, text="<html>too large")).client().get_tag("t")
    assert (caught.value.type, caught.value.message) == ("413", "413 Request Entity Too Large")


def page(first: int, following: str | None = None) -> httpx.Response:
    more = {} if following is None else {"next_id": following}
    errors = [{"locator": str(first)}, {"locator": str(first + 1)}]
    pagination = {"has_more": following is not None, **more}
    return answer({"robots_blocked": ["https://a.example/"], "errors": errors, "pagination": pagination})


def test_a_list_comes_whole_also_where_a_page_must_be_asked_for_again(slept: list[float]) -> None:
    service = Service(page(1, "p2"), lost(), page(3, "p3"), page(5))
    found = service.client().list_crawl_errors("c/1", page_size=2, after="x")
    assert [error["locator"] for error in found] == ["1", "2", "3", "4", "5", "6"]
    assert [request.url.raw_path.decode().partition("/crawls/")[2] for request in service.asked] == [
        f"c%2F1/errors?limit=2&after={after}" for after in ("x", "p2", "p2", "p3")
    ]


def test_a_list_is_an_error_never_shorter_where_a_page_cannot_be_had() -> None:
    found = Service(page(1, "p2"), refusal(404, "not_found")).client().list_crawl_errors("c")
    assert [next(found)["locator"], next(found)["locator"]] == ["1", "2"]
    with pytest.raises(KnowledgerError, match="not_found"):
        next(found)


def test_the_log_is_read_on_by_positions_and_several_values_are_one_parameter() -> None:
    def events(*ids: str, following: str | None = None) -> httpx.Response:
        more = {} if following is None else {"next_id": following}
        pagination = {"limit": 100, "has_more": following is not None, **more}
        return answer({"events": [{"id": one} for one in ids], "pagination": pagination})

    # A page without events is not the end.
    service = Service(events("a", following="9:1"), events(following="9:2"), events("b"))
    found = service.client().list_events(types=["JobFailed", "JobQueued"], from_=5)
    assert [event["id"] for event in found] == ["a", "b"]
    assert [dict(request.url.params) for request in service.asked] == [
        {"types": "JobFailed,JobQueued", "from": "5", **after}
        for after in ({}, {"after_position": "9:1"}, {"after_position": "9:2"})
    ]


def test_a_query_asks_for_nothing_less_than_it_says() -> None:
    service = Service(answer({"events": [], "pagination": {"has_more": False}}))
    client = service.client()
    assert list(client.list_events(stream="", actor=None)) == []
    assert dict(service.asked[0].url.params) == {"stream": ""}
    with pytest.raises(ValueError, match="types of the query is an empty list"):
        list(client.list_events(types=[]))
    assert len(service.asked) == 1


def test_a_read_asks_for_the_newest_position_that_a_write_has_answered() -> None:
    service = Service(answer({}, x_position="0009:1"), answer({}, x_position="0008:7"), answer({}))
    client = service.client()
    client.change_tag("a", name="b")
    client.delete_tag("a")
    client.get_tag("b")
    assert service.headers("x-min-position") == [None, "0009:1", "0009:1"]


def test_wait_for_ends_with_the_record_once_it_is_over(slept: list[float]) -> None:
    client = Service(*(answer({"id": "c", "status": s}) for s in ("queued", "started", "success"))).client()
    seen: list[str] = []
    done = client.wait_for(client.get_crawl, "c", on_progress=lambda record: seen.append(record["status"]))
    assert (done["status"], seen, slept) == ("success", ["queued", "started"], [0.1, 0.2])


def test_any_operation_can_be_asked_by_its_path_and_any_body_read_as_bytes() -> None:
    service = Service(answer({"ok": True}), httpx.Response(200, content=b"raw"))
    client = service.client()
    assert client.request("PUT", "/tags/{id}", {"id": "ä b"}, body={"name": "ü"}) == {"ok": True}
    with client.raw("GET", "/sources/{id}/raw", {"id": "s"}, headers={"range": "bytes=0-2"}) as response:
        assert b"".join(response.iter_bytes()) == b"raw"
    put, raw = service.asked
    assert put.url.raw_path == b"/api/v1/tags/%C3%A4%20b"
    assert put.content == '{"name":"ü"}'.encode()
    assert raw.headers["range"] == "bytes=0-2"


def test_a_call_gives_up_after_its_own_time_with_all_its_attempts(slept: list[float]) -> None:
    service = Service(refusal(503), refusal(503), refusal(503, retry_after="20"), answer({"id": "t"}))
    client = service.client()
    with pytest.raises(KnowledgerError):
        client.with_timeout(8).get_tag("t")
    assert len(service.asked) == 3
    timeouts = [request.extensions["timeout"]["read"] for request in service.asked]
    assert 7 < timeouts[0] <= 8 and timeouts[0] > timeouts[2]
    client.get_tag("t")
    assert service.asked[3].extensions["timeout"]["read"] != timeouts[0]


def test_closing_from_another_thread_ends_what_waits_for_the_service() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = Knowledger(f"http://127.0.0.1:{server.getsockname()[1]}", "k", attempts=9)
        ended: Queue[BaseException | str] = Queue()

        def follow() -> None:
            ended.put(str(list(client.follow("/events"))))

        def ask() -> None:
            try:
                client.get_tag("t")
            except httpx.HTTPError as error:
                ended.put(error)

        # The service takes the requests, and says nothing.
        held = []
        for run in (follow, ask):
            threading.Thread(target=run, daemon=True).start()
            held.append(server.accept()[0])
            held[-1].recv(1)
        client.close()
        told = {type(ended.get(timeout=30)) for _ in range(2)}
    assert str in told and any(issubclass(kind, httpx.TransportError) for kind in told)


def test_the_asynchronous_client_does_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    monkeypatch.setattr("knowledger._async.transport.sleep", pause)
    service = Service(page(1, "p2"), lost(), refusal(503, retry_after="3"), page(3))

    async def read() -> list[str]:
        http = httpx.AsyncClient(transport=httpx.MockTransport(service))
        async with AsyncKnowledger("https://kn.example", "k", http=http) as client:
            return [error["locator"] async for error in client.list_crawl_errors("c")]

    assert anyio.run(read) == ["1", "2", "3", "4"]
    assert pauses[1] == 3
