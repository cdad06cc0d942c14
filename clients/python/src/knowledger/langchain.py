"""A retriever for LangChain: pip install "knowledger-client[langchain]"."""

from __future__ import annotations

from typing import Any, cast

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from ._search import hits
from ._sync.client import Knowledger
from .types import SearchRequest


class KnowledgerRetriever(BaseRetriever):
    """Finds the contents that answer a question best. Documents have the ids of contents, and cite by title and url."""

    client: Knowledger
    k: int = 8
    """Documents to find."""
    search: dict[str, Any] = {}
    """What else is asked of `POST /search`, such as `source_group_ids` and `principal_id`."""

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun, k: int | None = None
    ) -> list[Document]:
        asked = cast(SearchRequest, {**self.search, "query": query, "limit": self.k if k is None else k})
        return [
            Document(id=hit.id, page_content=hit.text, metadata={**hit.metadata, "score": hit.score})
            for hit in hits(self.client.search(**asked))
        ]
