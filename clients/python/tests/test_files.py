from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import anyio
import httpx
import pytest
from conftest import Service, answer, lost

from knowledger import AsyncKnowledger, LocalFile
from knowledger._files import MAX_BYTES, MAX_FILES, batches_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    root = tmp_path / "Manuals"
    for name, text in {"b.txt": "bee", "a/one.md": "# One", ".hidden": "x", "node_modules/x.js": "x"}.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "link.txt").symlink_to(root / "b.txt")
    return root


def page(name: str, *records: object) -> httpx.Response:
    return answer({name: records, "pagination": {"limit": 100, "has_more": False, "total": len(records)}})


GROUP = {"id": "g", "name": "Manuals", "status": "queued"}
Body = Callable[[httpx.Request], httpx.Response]


def test_a_folder_becomes_a_group_with_its_visible_files_and_their_paths(folder: Path) -> None:
    service = Service(page("local_file_groups"), answer({"source_group_id": "g"}), answer(GROUP))
    seen: list[tuple[int, int]] = []
    group = service.client().upload_folder(folder, on_progress=lambda *told: seen.append(told))
    assert group == GROUP
    form = service.asked[1].content.decode()
    assert form.index('name="name"\r\n\r\nManuals') < form.index('filename="a/one.md"') < form.index('filename="b.txt"')
    assert form.count("filename=") == form.count('name="last_modified"') == 2
    assert "# One" in form and f"{(folder / 'b.txt').stat().st_mtime_ns // 1_000_000}" in form
    assert seen[-1] == (8, 8) and seen == sorted(seen)
    assert int(service.asked[1].headers["content-length"]) == len(service.asked[1].content)


def test_what_is_in_the_group_already_is_not_sent_again(folder: Path) -> None:
    known = {"sha256": hashlib.sha256(b"bee").hexdigest()}
    others = [{"id": "old", "name": "Manuals", "status": "deleting"}, {"id": "z", "name": "Manuals 2", "status": "success"}]
    groups = page("local_file_groups", GROUP, *others)
    service = Service(groups, page("sources", known, {}), answer(GROUP), answer(GROUP))
    service.client().upload_folder(folder)
    form = service.asked[2]
    assert form.url.path == "/api/v1/local-file-groups/g/files"
    assert b"a/one.md" in form.content and b"b.txt" not in form.content
    (folder / "a/one.md").unlink()
    nothing = Service(page("local_file_groups", GROUP), page("sources", known), answer(GROUP))
    assert nothing.client().upload_folder(folder) == GROUP
    assert [request.method for request in nothing.asked] == ["GET"] * 3


def test_a_form_is_sent_again_from_its_beginning_with_the_same_key(folder: Path, slept: list[float]) -> None:
    service = Service(lost(), answer({"source_group_id": "g"}))
    files = [folder / "b.txt", LocalFile("made.txt", b"bytes", last_modified=1)]
    service.client().create_local_file_group("n", files, chunk_metadata_keys=[{"key": "k", "type": "string"}])
    first, second = (request.content.split(b"\r\n", 1)[1] for request in service.asked)
    assert b"bee" in second and b"bytes" in second and b'[{"key": "k", "type": "string"}]' in second
    boundaries = [request.headers["content-type"].partition("=")[2].encode() for request in service.asked]
    assert first.replace(boundaries[0], b"-") == second.replace(boundaries[1], b"-")
    assert len(set(service.headers("idempotency-key"))) == 1


def test_files_are_sent_without_waiting_in_the_thread_too(folder: Path) -> None:
    service = Service(page("local_file_groups"), answer({"source_group_id": "g"}), answer(GROUP))

    async def upload() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(service))
        async with AsyncKnowledger("https://kn.example", "k", http=http) as client:
            await client.upload_folder(folder, name="Other")

    anyio.run(upload)
    assert b"Other" in service.asked[1].content and b"bee" in service.asked[1].content


def test_batches_are_bounded_by_files_and_bytes() -> None:
    small = [LocalFile(f"{i}", b"") for i in range(MAX_FILES + 1)]
    assert [len(batch) for batch in batches_of(small)] == [MAX_FILES, 1]
    large = bytes(MAX_BYTES - 1)
    sizes = [large, b"1", b"2", bytes(MAX_BYTES + 1), b"3"]
    batches = batches_of(LocalFile(f"{i}", content) for i, content in enumerate(sizes))
    assert [[file.name for file in batch] for batch in batches] == [["0", "1"], ["2"], ["3"], ["4"]]


def test_a_folder_that_is_not_there_or_empty_is_an_error(tmp_path: Path) -> None:
    client = Service().client()
    with pytest.raises(ValueError, match="is no folder"):
        client.upload_folder(tmp_path / "nothing")
    with pytest.raises(ValueError, match="there are no files"):
        client.upload_folder(tmp_path)


def test_a_document_of_a_push_is_a_text_or_bytes_with_a_type() -> None:
    service = Service(answer({"id": "s"}))
    service.client().put_source("g", "a b/c", "tëxt", media_type="text/markdown", title="T", metadata={"k": "v"})
    [put] = service.asked
    assert put.url.raw_path.startswith(b"/api/v1/source-groups/g/sources/a%20b%2Fc?")
    assert dict(put.url.params) == {"title": "T", "metadata": '[{"key": "k", "val": "v"}]'}
    assert (put.content, put.headers["content-type"]) == ("tëxt".encode(), "text/markdown")
