from __future__ import annotations

import hashlib
import os
import time
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Union, cast

import httpx

#: Called with the bytes that have gone, and those of all.
OnProgress = Callable[[int, int], None]

#: Small enough for smooth progress and for a cheap retry; a large file is a form of its own.
MAX_FILES, MAX_BYTES = 200, 32 * 1024**2
#: Large folders of other programs.
SKIPPED = frozenset({"node_modules", "__pycache__"})


@dataclass(frozen=True)
class LocalFile:
    """A file to upload: `name` is its name in the group, and may be a relative path."""

    name: str
    content: Path | bytes
    #: Unix milliseconds; unless told, that of the file, or now.
    last_modified: int | None = None

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.content) if isinstance(self.content, bytes) else self.content.stat().st_size

    @property
    def modified(self) -> int:
        """Unix milliseconds."""
        if self.last_modified is not None:
            return self.last_modified
        return int((time.time() if isinstance(self.content, bytes) else self.content.stat().st_mtime) * 1000)

    def sha256(self) -> str:
        """Of its bytes, in hexadecimal figures."""
        if isinstance(self.content, bytes):
            return hashlib.sha256(self.content).hexdigest()
        digest = hashlib.sha256()
        with self.content.open("rb") as file:
            while block := file.read(1024**2):
                digest.update(block)
        return digest.hexdigest()


#: A file, or the path of one, whose name is then its last part.
AnyFile = Union[LocalFile, str, "os.PathLike[str]"]


def local_file(file: AnyFile) -> LocalFile:
    return file if isinstance(file, LocalFile) else LocalFile(Path(file).name, Path(file))


def files_below(folder: str | os.PathLike[str]) -> list[LocalFile]:
    """
    All files below a folder, by name: the path from there, with slashes. Hidden files and links are left out.

    Raises ValueError if there is no such folder, or no file in it.
    """
    root = Path(folder)
    if not root.is_dir():
        raise ValueError(f"{root} is no folder; upload single files with add_local_files")
    found = []
    for parent, folders, names in os.walk(root):
        folders[:] = [name for name in folders if not name.startswith(".") and name not in SKIPPED]
        for name in names:
            path = Path(parent, name)
            if not name.startswith(".") and path.is_file() and not path.is_symlink():
                found.append(LocalFile(path.relative_to(root).as_posix(), path))
    if not found:
        raise ValueError(f"there are no files in {root}: hidden files and links are left out")
    return sorted(found, key=lambda file: file.name)


def lacking(files: Sequence[LocalFile], hashes: set[str]) -> list[LocalFile]:
    """The files whose bytes are not among these."""
    return [file for file in files if not hashes or file.sha256() not in hashes]


def batches_of(files: Iterable[LocalFile]) -> list[list[LocalFile]]:
    """What is sent as one form each, in order."""
    batches: list[list[LocalFile]] = []
    size = 0
    for file in files:
        size += file.size
        if not batches or len(batches[-1]) == MAX_FILES or size > MAX_BYTES:
            batches.append([])
            size = file.size
        batches[-1].append(file)
    return batches


@dataclass(frozen=True)
class FileForm:
    """A form with files, whose bytes are read from disk while they are sent."""

    files: Sequence[LocalFile]
    fields: dict[str, str]
    on_progress: OnProgress | None = None

    def request(
        self, client: httpx.Client | httpx.AsyncClient, url: str, headers: dict[str, str]
    ) -> httpx.Request:
        opened = ExitStack()
        parts = [(file.name, _opened(file, opened)) for file in self.files]
        request = client.build_request(
            "POST",
            url,
            data={**self.fields, "last_modified": [str(file.modified) for file in self.files]},
            files=[("files", part) for part in parts],
            headers=headers,
        )
        total = int(request.headers["content-length"])
        request.stream = _Counted(request.stream, total, self.on_progress, opened)
        return request


def _opened(file: LocalFile, opened: ExitStack) -> Any:
    return file.content if isinstance(file.content, bytes) else opened.enter_context(file.content.open("rb"))


class _Counted(httpx.SyncByteStream, httpx.AsyncByteStream):
    """Tells how much of a body has gone, and closes its files."""

    def __init__(self, body: Any, total: int, on_progress: OnProgress | None, files: ExitStack) -> None:
        self._body, self._total, self._on_progress, self._files = body, total, on_progress, files
        self._sent = 0

    def __iter__(self) -> Iterator[bytes]:
        for chunk in cast(httpx.SyncByteStream, self._body):
            yield self._told(chunk)

    def close(self) -> None:
        self._files.close()

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in cast(httpx.AsyncByteStream, self._body):
            yield self._told(chunk)

    async def aclose(self) -> None:
        self._files.close()

    def _told(self, chunk: bytes) -> bytes:
        self._sent += len(chunk)
        if self._on_progress is not None:
            self._on_progress(self._sent, self._total)
        return chunk
