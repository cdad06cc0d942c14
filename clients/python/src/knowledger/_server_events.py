from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

Data = TypeVar("Data")


@dataclass(frozen=True)
class ServerEvent(Generic[Data]):
    """One event of a stream. Its `id` is where a stream is resumed (`after`)."""

    data: Data
    id: str | None = None
    event: str | None = None


class EventParser:
    """Reads a stream of events (HTML Standard, 9.2.6). A stream that ends within an event has not told it."""

    def __init__(self) -> None:
        self._rest = ""
        self._fields: dict[str, str] = {}

    def feed(self, text: str) -> list[ServerEvent[Any]]:
        """The events that end in the next piece of the stream. One without data tells its id alone: `data` is None."""
        # A carriage return at the end may be the first half of a line break.
        *lines, self._rest = re.split(r"\r\n|\n|\r(?!\Z)", self._rest + text)
        events = []
        for line in lines:
            if line:
                name, _, value = line.partition(":")
                value = value.removeprefix(" ")
                known = self._fields.get(name) if name == "data" else None
                self._fields[name] = value if known is None else f"{known}\n{value}"
                continue
            fields, self._fields = self._fields, {}
            if "data" in fields or "id" in fields:
                data = json.loads(fields["data"]) if "data" in fields else None
                events.append(ServerEvent(data=data, id=fields.get("id"), event=fields.get("event")))
        return events
