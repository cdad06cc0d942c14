"""The retriever for LlamaIndex, against a running service."""

from __future__ import annotations

import anyio
import pytest
from conftest import needs_service

from knowledger import Knowledger

pytest.importorskip("llama_index.core")
from llama_index.core.base.base_retriever import BaseRetriever

from knowledger.llama_index import KnowledgerRetriever

pytestmark = needs_service


def test_class() -> None:
    """As LlamaIndex asks of every integration."""
    assert BaseRetriever.__name__ in [base.__name__ for base in KnowledgerRetriever.__mro__]


def test_nodes_cite_and_obey_filters_with_and_without_async(indexed: Knowledger) -> None:
    retriever = KnowledgerRetriever(indexed, top_k=2)
    found = retriever.retrieve("osprey number3")
    assert len(found) == 2 and (found[0].score or 0) > 0
    content = indexed.get_content(found[0].node.node_id)
    assert (found[0].node.get_content(), found[0].node.metadata["title"]) == (content["text"], "osprey")
    assert "number3" in found[0].node.get_content()
    assert anyio.run(retriever.aretrieve, "osprey number3") == found
    assert KnowledgerRetriever(indexed, search={"source_types": ["wiki"]}).retrieve("osprey") == []
