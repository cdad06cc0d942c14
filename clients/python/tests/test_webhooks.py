from __future__ import annotations

import base64
from datetime import datetime, timezone

import pytest
from standardwebhooks import Webhook

from knowledger import WebhookRefused, verify_webhook

# Of the specification's own reference.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
ID, SENT, BODY = "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, '{"test": 2432232314}'
HEADERS = {
    "Webhook-Id": ID,
    "Webhook-Timestamp": str(SENT),
    "Webhook-Signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}
THIRD, OTHER = ("whsec_" + base64.b64encode(secret).decode() for secret in (b"a third secret, 24 bytes", b"another secret of 24 byt"))


def test_the_example_of_the_specification_is_right() -> None:
    assert verify_webhook(SECRET, HEADERS, BODY, now=SENT + 299) == {"test": 2432232314}
    assert verify_webhook(SECRET, HEADERS, BODY.encode(), now=SENT - 299) == {"test": 2432232314}


def test_what_the_reference_implementation_signs_is_right_beside_a_signature_of_another_secret() -> None:
    at = datetime.now(timezone.utc)
    signatures = [Webhook(secret).sign("msg_1", at, '{"a":1}') for secret in (OTHER, SECRET)]
    headers = {
        "webhook-id": "msg_1",
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(["v1a,AAAA", *signatures]),
    }
    assert verify_webhook(SECRET, headers, '{"a":1}') == {"a": 1}
    assert verify_webhook([THIRD, OTHER], headers, '{"a":1}') == {"a": 1}


@pytest.mark.parametrize(
    ("change", "body", "secret", "now", "reason"),
    [
        ({}, BODY + " ", SECRET, SENT, "no signature"),
        ({}, BODY, OTHER, SENT, "no signature"),
        ({"Webhook-Id": "msg_other"}, BODY, SECRET, SENT, "no signature"),
        ({"Webhook-Signature": "v2," + HEADERS["Webhook-Signature"][3:]}, BODY, SECRET, SENT, "no signature"),
        ({"Webhook-Signature": "v1,ä"}, BODY, SECRET, SENT, "no signature"),
        ({}, BODY, SECRET, SENT + 301, "too far from now"),
        ({}, BODY, SECRET, SENT - 301, "too far from now"),
        ({"Webhook-Timestamp": "yesterday"}, BODY, SECRET, SENT, "no Unix time"),
        ({"Webhook-Timestamp": "²"}, BODY, SECRET, SENT, "no Unix time"),
    ],
)
def test_everything_else_is_refused_with_the_reason(
    change: dict[str, str], body: str, secret: str, now: float, reason: str
) -> None:
    with pytest.raises(WebhookRefused, match=reason):
        verify_webhook(secret, {**HEADERS, **change}, body, now=now)


@pytest.mark.parametrize("name", HEADERS)
def test_a_missing_header_is_named(name: str) -> None:
    rest = {key: value for key, value in HEADERS.items() if key != name}
    with pytest.raises(WebhookRefused, match=name.lower()):
        verify_webhook(SECRET, rest, BODY, now=SENT)


@pytest.mark.parametrize("secret", ["whsec_!", "whsec_", "not base64"])
def test_what_is_no_secret_is_a_mistake_of_the_receiver(secret: str) -> None:
    with pytest.raises(ValueError, match="whsec_ and base64"):
        verify_webhook(secret, HEADERS, BODY, now=SENT)
