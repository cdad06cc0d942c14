from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .types import SearchResults


@dataclass(frozen=True)
class Hit:
    """A content that was found, as frameworks hold it: a text, and what is known of it."""

    id: str
    text: str
    metadata: dict[str, Any]
    score: float


def hits(found: SearchResults) -> list[Hit]:
    """In the order of the service."""
    return [
        Hit(
            id=result["content"]["id"],
            text=result["content"]["text"],
            metadata={name: value for name, value in result["content"].items() if name not in ("id", "text")},
            score=result["score"],
        )
        for result in found["results"]
    ]
