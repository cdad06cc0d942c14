"""A client of Knowledger: it takes knowledge in, searches it, and answers with citations."""

from . import types
from ._async.client import AsyncAnswerStream, AsyncKnowledger
from ._files import LocalFile
from ._server_events import ServerEvent
from ._sync.client import AnswerStream, Knowledger
from .answer import Answer
from .errors import KnowledgerError
from .proofs import Verified, verify_proof
from .webhooks import WebhookPayload, WebhookRefused, verify_webhook

__all__ = [
    "Answer",
    "AnswerStream",
    "AsyncAnswerStream",
    "AsyncKnowledger",
    "Knowledger",
    "KnowledgerError",
    "LocalFile",
    "ServerEvent",
    "Verified",
    "WebhookPayload",
    "WebhookRefused",
    "types",
    "verify_proof",
    "verify_webhook",
]
