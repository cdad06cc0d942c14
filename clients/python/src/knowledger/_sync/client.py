# Made by `npm run client:types` from _async/client.py.
from __future__ import annotations

import json
import os
from collections.abc import Iterator, Callable, Mapping, Sequence
from typing import Any, TypeVar

import httpx

from .. import types
from .._files import AnyFile, FileForm, OnProgress, batches_of, files_below, lacking, local_file
from .._requests import Call
from .._server_events import ServerEvent
from ..answer import Answer
from ..errors import KnowledgerError
from .operations import Operations

Work = TypeVar("Work", bound=Mapping[str, object])

#: The statuses of jobs and runs that go on.
UNDER_WAY = frozenset(
    "queued not_started starting started managed canceling deleting QUEUED RUNNING CANCELLING".split()
)


class Knowledger(Operations):
    """A client of one service, with one key. Its other methods are those of the API, by their names there."""

    def upload_folder(
        self, folder: str | os.PathLike[str], *, name: str | None = None, on_progress: OnProgress | None = None
    ) -> types.LocalFileGroup:
        """
        Sends the files below a folder to the group of that name, which is created if there is none, in batches. What
        is there already, by hash, is not sent. The job that reads them goes on: `wait_for` waits for its end.

        `name`: unless told, that of the folder. Hidden files and links are left out.
        """
        files = files_below(folder)
        called = name or os.path.basename(os.path.abspath(folder))
        group: str | None = None
        for known in self.list_local_file_groups(name=called):
            if known["name"] == called and known["status"] != "deleting":
                group = known["id"]
        hashes = set()
        if group is not None:
            for source in self.list_sources(source_group_id=group, page_size=100):
                hashes.add(source.get("sha256", ""))
        fresh = lacking(files, hashes)
        total, before = sum(file.size for file in fresh), 0

        def tell(sent: int, _: int) -> None:
            # The boundaries between files are more than the files.
            if on_progress is not None:
                on_progress(min(before + sent, total), total)

        for batch in batches_of(fresh):
            if group is None:
                group = (self.create_local_file_group(called, batch, on_progress=tell))["source_group_id"]
            else:
                self.add_local_files(group, batch, on_progress=tell)
            before += sum(file.size for file in batch)
        if group is None:
            raise AssertionError
        return self.get_local_file_group(group)

    def create_local_file_group(
        self,
        name: str,
        files: Sequence[AnyFile],
        *,
        chunk_metadata_keys: Sequence[Mapping[str, str]] | None = None,
        on_progress: OnProgress | None = None,
    ) -> types.CreatedLocalFileGroup:
        """Creates a group with these files, 2,000 at most. `on_progress` is called with the bytes sent, and of all."""
        fields = {"name": name}
        if chunk_metadata_keys is not None:
            fields["chunk_metadata_keys"] = json.dumps(list(chunk_metadata_keys))
        form = FileForm([local_file(file) for file in files], fields, on_progress)
        return self._ask(types.CreatedLocalFileGroup, "POST", "/local-file-groups", body=form)

    def add_local_files(
        self, id: str, files: Sequence[AnyFile], *, on_progress: OnProgress | None = None
    ) -> types.LocalFileGroup:
        """Adds files to a group, 2,000 at most. A file of a name that is there takes its place."""
        form = FileForm([local_file(file) for file in files], {}, on_progress)
        return self._ask(
            types.LocalFileGroup, "POST", "/local-file-groups/{id}/files", {"id": id}, body=form
        )

    def put_source(
        self,
        id: str,
        locator: str,
        content: str | bytes,
        *,
        media_type: str = "text/plain",
        title: str | None = None,
        url: str | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> types.Source:
        """Puts a document into a push: a text, or bytes of a type."""
        records = None if metadata is None else [{"key": key, "val": val} for key, val in metadata.items()]
        answer: types.Source = self.request(
            "PUT",
            "/source-groups/{id}/sources/{locator}",
            {"id": id, "locator": locator},
            query={"title": title, "url": url, "metadata": None if records is None else json.dumps(records)},
            body=content.encode() if isinstance(content, str) else content,
            headers={"content-type": media_type},
        )
        return answer

    def wait_for(
        self,
        get: Callable[[str], Work],
        id: str,
        *,
        on_progress: Callable[[Work], None] | None = None,
    ) -> Work:
        """
        The record of a job or a run once that is over, however it ended: its `status` tells.

        `get` is the method that reads it: `kn.wait_for(kn.get_crawl, crawl["id"])`, or `kn.get_agent_run`. The job of a
        push is ended by its own client. `on_progress` is called with each record on the way, once a second at most.

        Raises KnowledgerError of the type `not_found` once it is deleted.
        """
        pause = 0.1
        while True:
            record = get(id)
            if record["status"] not in UNDER_WAY:
                return record
            if on_progress is not None:
                on_progress(record)
            self._session.closed.wait(pause)
            pause = min(2 * pause, 1.0)

    def ask(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        source_group_ids: Sequence[str] | None = None,
        principal_id: str | None = None,
        limit: int | None = None,
        model: str | None = None,
    ) -> Answer:
        """
        Answers a question with citations. `conversation_id` of an answer continues its conversation; `limit` is the
        number of contents that the answer may rest on. `create_completion` has all options.
        """
        body = _question(question, conversation_id, source_group_ids, principal_id, limit, model)
        completion: types.Completion = self.request("POST", "/completions", body=body)
        return Answer.of(completion)

    def stream(
        self,
        question: str,
        *,
        conversation_id: str | None = None,
        source_group_ids: Sequence[str] | None = None,
        principal_id: str | None = None,
        limit: int | None = None,
        model: str | None = None,
    ) -> AnswerStream:
        """As `ask`, but the answer comes in pieces while it is written."""
        body = _question(question, conversation_id, source_group_ids, principal_id, limit, model)
        body["stream"] = True
        return AnswerStream(self._events(Call("POST", "/completions", body=body, is_stream=True)))


class AnswerStream:
    """The pieces of an answer. When they have come, `answer` is the whole, with its citations."""

    def __init__(self, events: Iterator[ServerEvent[Any]]) -> None:
        self._events = events
        self.answer: Answer | None = None

    def __iter__(self) -> Iterator[str]:
        for event in self._events:
            told: types.AgUiEvent = event.data
            if told["type"] == "TEXT_MESSAGE_CONTENT":
                yield told["delta"]
            elif told["type"] == "RUN_FINISHED":
                self.answer = Answer.of(told["result"])
            elif told["type"] == "RUN_ERROR":
                raise KnowledgerError(told["message"], status=200, type=told["code"])
        if self.answer is None:
            raise httpx.RemoteProtocolError("the answer broke off")


def _question(
    question: str,
    conversation_id: str | None,
    source_group_ids: Sequence[str] | None,
    principal_id: str | None,
    limit: int | None,
    model: str | None,
) -> dict[str, Any]:
    options = {
        "conversation_id": conversation_id,
        "source_group_ids": None if source_group_ids is None else list(source_group_ids),
        "principal_id": principal_id,
        "limit": limit,
        "model": model,
    }
    given = {name: value for name, value in options.items() if value is not None}
    return {"messages": [{"role": "user", "content": question}], **given}
