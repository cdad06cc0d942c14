from __future__ import annotations

import json
from typing import Any

import httpx


class KnowledgerError(Exception):
    """An answer that is no success, with the service's own reason."""

    def __init__(
        self,
        message: str,
        *,
        status: int,
        type: str,
        details: dict[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
        #: Such as `not_found`; the status where a proxy answered instead of the service.
        self.type = type
        #: What else the service told of it.
        self.details = details or {}
        #: Seconds that the service asks to wait.
        self.retry_after = retry_after

    def __str__(self) -> str:
        return f"{self.message} ({self.type})"


def error_of(response: httpx.Response) -> KnowledgerError:
    """The error of a response that has been read."""
    try:
        retry_after = float(response.headers["retry-after"])
    except (KeyError, ValueError):
        retry_after = None
    try:
        told = json.loads(response.text)
    except ValueError:
        told = None  # A proxy answered.
    error = told.get("error") if isinstance(told, dict) else None
    details: dict[str, Any] = error if isinstance(error, dict) else {}
    return KnowledgerError(
        details.get("message", f"{response.status_code} {response.reason_phrase}"),
        status=response.status_code,
        type=details.get("type", str(response.status_code)),
        details=details,
        retry_after=retry_after,
    )
