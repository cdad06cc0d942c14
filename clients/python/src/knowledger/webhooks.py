"""Checks what webhooks bring, by the specification of Standard Webhooks."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast


class WebhookPayload(TypedDict):
    """The body of a delivery."""

    type: str
    timestamp: str
    data: Any
    """A `LogEvent`; of a test message (`webhook.test`) the id of its webhook."""


class WebhookRefused(Exception):
    """The message must not be trusted."""


def verify_webhook(
    secrets: str | Sequence[str],
    headers: Mapping[str, str],
    body: bytes | str,
    *,
    tolerance: float = 300,
    now: float | None = None,
) -> WebhookPayload:
    """
    The body of a message, once its signature and its time are right. Receivers see a message again when their answer
    was lost: they tell it by the header `webhook-id`.

    `secrets`: one or more, as the service showed them (`whsec_…`); one that matches suffices. `body`: the bytes of the
    request as they came, never JSON that was written anew. `tolerance`: seconds between the message and `now`, which
    is Unix seconds, or else the clock.

    Raises WebhookRefused, which says what is wrong, and ValueError for what is no secret.
    """
    given = {name.lower(): value for name, value in headers.items()}
    try:
        message_id, sent, signatures = (given[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
    except KeyError as missing:
        raise WebhookRefused(f"there is no header {missing.args[0]}") from None
    if not sent.isascii() or not sent.isdigit():
        raise WebhookRefused("webhook-timestamp is no Unix time in seconds")
    if abs((time.time() if now is None else now) - int(sent)) > tolerance:
        raise WebhookRefused("webhook-timestamp is too far from now: check the clock")
    raw = body.encode() if isinstance(body, str) else body
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        signed = hmac.new(_key_of(secret), f"{message_id}.{sent}.".encode() + raw, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(signed)
        # While a secret is replaced, a message has a signature of each.
        if any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" ")):
            return cast(WebhookPayload, json.loads(raw))
    raise WebhookRefused("no signature of webhook-signature is by a secret that is known here")


def _key_of(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error:
        key = b""
    if not key:
        raise ValueError("a secret is whsec_ and base64")
    return key
