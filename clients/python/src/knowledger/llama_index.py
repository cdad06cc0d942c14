"""A retriever for LlamaIndex: pip install "knowledger-client[llama-index]"."""

from __future__ import annotations

from typing import Any, cast

from anyio.to_thread import run_sync
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from ._search import hits
from ._sync.client import Knowledger
from .types import SearchRequest


class KnowledgerRetriever(BaseRetriever):
    """Finds the contents that answer a question best. Nodes have the ids of contents, and cite by title and url."""

    def __init__(
        self, client: Knowledger, *, top_k: int = 8, search: dict[str, Any] | None = None, **options: Any
    ) -> None:
        """`search`: what else is asked of `POST /search`, such as `source_group_ids` and `principal_id`."""
        super().__init__(**options)
        self._client = client
        self._search = {**(search or {}), "limit": top_k}

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        asked = cast(SearchRequest, {**self._search, "query": query_bundle.query_str})
        return [
            NodeWithScore(node=TextNode(id_=hit.id, text=hit.text, metadata=hit.metadata), score=hit.score)
            for hit in hits(self._client.search(**asked))
        ]

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await run_sync(self._retrieve, query_bundle)
