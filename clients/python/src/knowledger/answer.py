from __future__ import annotations

from dataclasses import dataclass

from .types import Completion, Content, WebCitation


@dataclass(frozen=True)
class Answer:
    """An answer, and what it rests on."""

    text: str
    #: What the text marks as [1], [2] …, in this order.
    citations: list[Content]
    #: What the text marks as [W1], [W2] …, in this order.
    web_citations: list[WebCitation]
    conversation_id: str
    #: All that the service has answered.
    completion: Completion

    @staticmethod
    def of(completion: Completion) -> Answer:
        choice = completion["choices"][0]
        return Answer(
            text=choice["message"]["content"],
            citations=choice["citations"],
            web_citations=choice["web_citations"],
            conversation_id=completion["conversation_id"],
            completion=completion,
        )
