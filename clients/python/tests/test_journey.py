"""Asks a running service. tests/journeys/python-client.test.ts starts one."""

from __future__ import annotations

from pathlib import Path
from uuid import uuid4

import anyio
import pytest
from conftest import KEY, URL, needs_service

from knowledger import AsyncKnowledger, Knowledger, KnowledgerError, verify_proof

pytestmark = needs_service


def test_uploads_waits_lists_searches_answers_follows_proves_and_deletes(birds: Path) -> None:
    with Knowledger(URL, KEY) as kn:
        seen: list[int] = []
        name = f"Birds {uuid4()}"
        group = kn.upload_folder(
            birds, name=name, on_progress=lambda sent, total: seen.append(sent * 100 // total)
        )
        assert seen[-1] == 100
        done = kn.wait_for(kn.get_local_file_group, group["id"])
        assert (done["status"], done["progress"]["indexed"]) == ("success", 5)
        assert kn.upload_folder(birds, name=name)["id"] == group["id"]
        names = [source["title"] for source in kn.list_sources(source_group_id=group["id"], page_size=2)]
        assert names == ["osprey"] * 5

        assert "number3" in kn.search(query="osprey number3", limit=1)["results"][0]["content"]["text"]
        answer = kn.ask("how does osprey number3 dive?", source_group_ids=[group["id"]])
        assert "feet first" in answer.text
        assert kn.get_content(answer.citations[0]["id"]) == answer.citations[0]
        more = kn.stream("and number2?", conversation_id=answer.conversation_id)
        text = "".join(more)
        assert more.answer is not None and more.answer.text == text

        with kn.raw("GET", "/sources/{id}/raw", {"id": answer.citations[0]["source_id"]}) as response:
            assert b"dives feet first" in response.read()
        registered = kn.prove_inclusion(stream=f"dataSource-{group['id']}", revision=0)
        assert verify_proof(registered, [key["key"] for key in kn.list_verifier_keys()["keys"]]).all
        log = [event["type"] for event in kn.list_events(stream=f"dataSource-{group['id']}", page_size=2)]
        trail = [entry["type"] for entry in kn.list_local_file_group_events(group["id"], page_size=2)]
        assert log == trail and trail[-1] == "JobSucceeded"

        kn.delete_local_file_group(group["id"])
        told = []
        for event in kn.follow("/local-file-groups/{id}/events", {"id": group["id"]}, after="1"):
            told.append(event.data["type"])
            if event.data["type"] == "DataSourceDeleted":
                break
        assert told[: len(trail) - 2] == trail[2:]
        with pytest.raises(KnowledgerError) as caught:
            kn.wait_for(kn.get_local_file_group, group["id"])
        assert (caught.value.status, caught.value.type) == (404, "not_found")


def test_does_it_without_waiting_in_the_thread(birds: Path) -> None:
    async def ask() -> None:
        async with AsyncKnowledger(URL, KEY) as kn:
            group = await kn.upload_folder(birds, name="Ospreys")
            done = await kn.wait_for(kn.get_local_file_group, group["id"])
            assert done["status"] == "success"
            assert [source["title"] async for source in kn.list_sources(source_group_id=group["id"])] == ["osprey"] * 5
            stream = kn.stream("how does osprey number3 dive?")
            text = "".join([piece async for piece in stream])
            assert stream.answer is not None and stream.answer.text == text
            run = await kn.create_agent_run(
                workflow_type="chat", input={"messages": [{"role": "user", "content": "how does number1 dive?"}]}
            )
            over = await kn.wait_for(kn.get_agent_run, run["run_id"])
            assert over["status"] in ("SUCCEEDED", "FAILED")
            followed = kn.follow("/agent/runs/{run_id}/events", {"run_id": run["run_id"]})
            types = [event.data["type"] async for event in followed]
            assert types[0] == "RUN_STARTED" and types[-1] in ("RUN_FINISHED", "RUN_ERROR")
            with pytest.raises(KnowledgerError, match="invalid_request"):
                await kn.create_tag(name="")

    anyio.run(ask)
