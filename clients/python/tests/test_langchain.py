"""The tests that LangChain has for integrations, against a running service."""

from __future__ import annotations

from typing import Any

import pytest
from conftest import needs_service

from knowledger import Knowledger

pytest.importorskip("langchain_tests")
from langchain_tests.integration_tests import RetrieversIntegrationTests

from knowledger.langchain import KnowledgerRetriever

pytestmark = [needs_service, pytest.mark.anyio]


class TestKnowledgerRetriever(RetrieversIntegrationTests):
    @pytest.fixture(autouse=True)
    def service(self, indexed: Knowledger) -> None:
        type(self).client = indexed

    @pytest.fixture
    def anyio_backend(self) -> str:
        return "asyncio"

    client: Knowledger

    @property
    def retriever_constructor(self) -> type[KnowledgerRetriever]:
        return KnowledgerRetriever

    @property
    def retriever_constructor_params(self) -> dict[str, Any]:
        return {"client": self.client}

    @property
    def retriever_query_example(self) -> str:
        return "how does an osprey dive?"


def test_documents_cite_and_obey_filters(indexed: Knowledger) -> None:
    [document] = KnowledgerRetriever(client=indexed, k=1).invoke("osprey number3")
    content = indexed.get_content(document.id or "")
    assert (document.page_content, document.metadata["title"]) == (content["text"], "osprey")
    assert "number3" in document.page_content and document.metadata["score"] > 0
    assert KnowledgerRetriever(client=indexed, search={"source_types": ["wiki"]}).invoke("osprey") == []
