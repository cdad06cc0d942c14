# Made by `npm run client:types` from _async/operations.py.
from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from typing_extensions import Unpack

from .. import types
from .transport import Transport


class Operations(Transport):
    """A method for each operation of the API that answers with JSON."""

    def get_content(
        self,
        id: str,
        /,
        *,
        authz_policy: str | None = None,
        principal_id: str | None = None,
    ) -> types.Content:
        """Get one indexed content chunk"""
        return self._ask(
            types.Content,
            "GET",
            "/contents/{id}",
            {"id": id},
            query={"authz_policy": authz_policy, "principal_id": principal_id},
        )

    def search(self, **body: Unpack[types.SearchRequest]) -> types.SearchResults:
        """Find the contents that answer a question best"""
        return self._ask(types.SearchResults, "POST", "/search", body=body)

    def query(self, **body: Unpack[types.QueryRequest]) -> types.ContentList:
        """List the contents that pass a filter: exact and deterministic"""
        return self._ask(types.ContentList, "POST", "/query", body=body)

    def create_completion(self, **body: Unpack[types.CompletionCreate]) -> types.Completion:
        """Answer a question from the contents, with citations"""
        return self._ask(types.Completion, "POST", "/completions", body=body)

    def extract(self, **body: Unpack[types.ExtractRequest]) -> types.Extraction:
        """Extract data by a JSON Schema from contents, with citations"""
        return self._ask(types.Extraction, "POST", "/extract", body=body)

    def list_conversations(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Conversation]:
        """List the conversations of a principal, newest first: all of them, page by page."""
        return self._all(
            "/conversations",
            "conversations",
            query={"limit": page_size, "after": after, "principal_id": principal_id, "as_of": as_of},
        )

    def get_conversation(
        self,
        id: str,
        /,
        *,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> types.ConversationDetail:
        """Get a conversation with all that was said"""
        return self._ask(
            types.ConversationDetail,
            "GET",
            "/conversations/{id}",
            {"id": id},
            query={"principal_id": principal_id, "as_of": as_of},
        )

    def delete_conversation(self, id: str, /, *, principal_id: str | None = None) -> types.Message:
        """Delete a conversation"""
        return self._ask(
            types.Message,
            "DELETE",
            "/conversations/{id}",
            {"id": id},
            query={"principal_id": principal_id},
        )

    def list_conversation_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a conversation with all that was said: all of them, page by page."""
        return self._all(
            "/conversations/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after, "principal_id": principal_id},
        )

    def list_agent_runs(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
        thread_id: str | None = None,
        status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"] | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.AgentRunSummary]:
        """List the runs of a principal, newest first: all of them, page by page."""
        return self._all(
            "/agent/runs",
            "runs",
            query={"limit": page_size, "after": after, "principal_id": principal_id, "thread_id": thread_id, "status": status, "as_of": as_of},
        )

    def create_agent_run(self, **body: Unpack[types.AgentRunCreate]) -> types.AgentRun:
        """Start a run of an agent, in a new thread or in one that goes on"""
        return self._ask(types.AgentRun, "POST", "/agent/runs", body=body)

    def get_agent_run(
        self,
        run_id: str,
        /,
        *,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> types.AgentRun:
        """Get the current state of a run"""
        return self._ask(
            types.AgentRun,
            "GET",
            "/agent/runs/{run_id}",
            {"run_id": run_id},
            query={"principal_id": principal_id, "as_of": as_of},
        )

    def list_agent_run_changes(
        self,
        run_id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the current state of a run: all of them, page by page."""
        return self._all(
            "/agent/runs/{run_id}/changes",
            "changes",
            {"run_id": run_id},
            query={"limit": page_size, "after": after, "principal_id": principal_id},
        )

    def cancel_agent_run(self, run_id: str, /, **body: Unpack[types.AgentRunCancel]) -> types.AgentRun:
        """Ask a run to stop"""
        return self._ask(
            types.AgentRun,
            "POST",
            "/agent/runs/{run_id}/cancel",
            {"run_id": run_id},
            body=body,
        )

    def list_agent_run_events(
        self,
        run_id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.AgentRunEvent]:
        """What happened in a run, with what was said: all of them, page by page."""
        return self._all(
            "/agent/runs/{run_id}/events",
            "events",
            {"run_id": run_id},
            query={"limit": page_size, "after": after, "principal_id": principal_id},
        )

    def list_agent_thread_events(
        self,
        thread_id: str,
        /,
        *,
        run_id: str,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.AgentRunEvent]:
        """What led to a run: the way to restore it: all of them, page by page."""
        return self._all(
            "/agent/threads/{thread_id}/events",
            "events",
            {"thread_id": thread_id},
            query={"run_id": run_id, "limit": page_size, "after": after, "principal_id": principal_id},
        )

    def list_agent_threads(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.AgentThread]:
        """List the threads of a principal, newest first: all of them, page by page."""
        return self._all(
            "/agent/threads",
            "threads",
            query={"limit": page_size, "after": after, "principal_id": principal_id, "as_of": as_of},
        )

    def get_agent_thread(
        self,
        thread_id: str,
        /,
        *,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> types.AgentThreadDetail:
        """Get the runs of a thread as a tree"""
        return self._ask(
            types.AgentThreadDetail,
            "GET",
            "/agent/threads/{thread_id}",
            {"thread_id": thread_id},
            query={"principal_id": principal_id, "as_of": as_of},
        )

    def delete_agent_thread(
        self,
        thread_id: str,
        /,
        *,
        principal_id: str | None = None,
    ) -> types.Message:
        """Delete a thread with all its runs"""
        return self._ask(
            types.Message,
            "DELETE",
            "/agent/threads/{thread_id}",
            {"thread_id": thread_id},
            query={"principal_id": principal_id},
        )

    def list_agent_thread_changes(
        self,
        thread_id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the runs of a thread as a tree: all of them, page by page."""
        return self._all(
            "/agent/threads/{thread_id}/changes",
            "changes",
            {"thread_id": thread_id},
            query={"limit": page_size, "after": after, "principal_id": principal_id},
        )

    def list_crawls(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        status: types.JobStatus | None = None,
        name: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Crawl]:
        """List web crawl data sources, newest first: all of them, page by page."""
        return self._all(
            "/crawls",
            "crawls",
            query={"limit": page_size, "after": after, "status": status, "name": name, "as_of": as_of},
        )

    def create_crawl(self, **body: Unpack[types.CrawlCreate]) -> types.Crawl:
        """Create a web crawl data source and start ingestion"""
        return self._ask(types.Crawl, "POST", "/crawls", body=body)

    def get_crawl(self, id: str, /, *, as_of: str | None = None) -> types.Crawl:
        """Get a web crawl data source"""
        return self._ask(types.Crawl, "GET", "/crawls/{id}", {"id": id}, query={"as_of": as_of})

    def delete_crawl(self, id: str, /) -> types.Crawl:
        """Start the deletion of a web crawl data source"""
        return self._ask(types.Crawl, "DELETE", "/crawls/{id}", {"id": id})

    def list_crawl_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a web crawl data source: all of them, page by page."""
        return self._all(
            "/crawls/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def cancel_crawl(self, id: str, /) -> types.Crawl:
        """Cancel the job of a web crawl"""
        return self._ask(types.Crawl, "POST", "/crawls/{id}/cancel", {"id": id}, body={})

    def sync_crawl(self, id: str, /, **body: Unpack[types.SyncRequest]) -> types.Crawl:
        """Crawl again now"""
        return self._ask(types.Crawl, "POST", "/crawls/{id}/sync", {"id": id}, body=body)

    def list_crawl_events(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
    ) -> Iterator[types.AuditEntry]:
        """The audit trail of a web crawl, also after its deletion: all of them, page by page."""
        return self._all(
            "/crawls/{id}/events",
            "events",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_crawl_errors(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.CrawlErrorsErrors]:
        """Pages that failed in the newest job, and those that robots.txt refuses: all of them, page by page."""
        return self._all(
            "/crawls/{id}/errors",
            "errors",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def get_crawl_setting(self, id: str, /, *, as_of: str | None = None) -> types.CrawlSetting:
        """Get the ingestion setting of a web crawl"""
        return self._ask(
            types.CrawlSetting,
            "GET",
            "/crawl-settings/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def change_crawl_setting(
        self,
        id: str,
        /,
        **body: Unpack[types.CrawlSettingChange],
    ) -> types.CrawlSetting:
        """Change name, schedule and parameters of a web crawl"""
        return self._ask(types.CrawlSetting, "PUT", "/crawl-settings/{id}", {"id": id}, body=body)

    def list_crawl_setting_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the ingestion setting of a web crawl: all of them, page by page."""
        return self._all(
            "/crawl-settings/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_crawl_occurrences(self, id: str, /, *, limit: int | None = None) -> types.Occurrences:
        """When the schedule of a web crawl fires next"""
        return self._ask(
            types.Occurrences,
            "GET",
            "/crawl-settings/{id}/occurrences",
            {"id": id},
            query={"limit": limit},
        )

    def list_repos(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        status: types.JobStatus | None = None,
        name: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Repo]:
        """List repository data sources, newest first: all of them, page by page."""
        return self._all(
            "/repos",
            "repos",
            query={"limit": page_size, "after": after, "status": status, "name": name, "as_of": as_of},
        )

    def create_repo(self, **body: Unpack[types.RepoCreate]) -> types.Repo:
        """Create a repository data source and start ingestion"""
        return self._ask(types.Repo, "POST", "/repos", body=body)

    def test_repo(self, **body: Unpack[types.RepoCreate]) -> types.ConnectionTest:
        """Test the address and the secret of a repository, and keep nothing"""
        return self._ask(types.ConnectionTest, "POST", "/repos/test", body=body)

    def get_repo(self, id: str, /, *, as_of: str | None = None) -> types.Repo:
        """Get a repository data source"""
        return self._ask(types.Repo, "GET", "/repos/{id}", {"id": id}, query={"as_of": as_of})

    def delete_repo(self, id: str, /) -> types.Repo:
        """Start the deletion of a repository data source"""
        return self._ask(types.Repo, "DELETE", "/repos/{id}", {"id": id})

    def list_repo_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a repository data source: all of them, page by page."""
        return self._all(
            "/repos/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def cancel_repo(self, id: str, /) -> types.Repo:
        """Cancel the job of a repository"""
        return self._ask(types.Repo, "POST", "/repos/{id}/cancel", {"id": id}, body={})

    def sync_repo(self, id: str, /, **body: Unpack[types.RepoSyncRequest]) -> types.Repo:
        """Read the repository again now"""
        return self._ask(types.Repo, "POST", "/repos/{id}/sync", {"id": id}, body=body)

    def list_repo_events(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
    ) -> Iterator[types.AuditEntry]:
        """The audit trail of a repository, also after its deletion: all of them, page by page."""
        return self._all(
            "/repos/{id}/events",
            "events",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_repo_errors(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RepoErrorsErrors]:
        """Files that failed in the newest job: all of them, page by page."""
        return self._all(
            "/repos/{id}/errors",
            "errors",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def get_repo_setting(self, id: str, /, *, as_of: str | None = None) -> types.RepoSetting:
        """Get the ingestion setting of a repository"""
        return self._ask(
            types.RepoSetting,
            "GET",
            "/repo-settings/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def change_repo_setting(
        self,
        id: str,
        /,
        **body: Unpack[types.RepoSettingChange],
    ) -> types.RepoSetting:
        """Change name, schedule and parameters of a repository"""
        return self._ask(types.RepoSetting, "PUT", "/repo-settings/{id}", {"id": id}, body=body)

    def list_repo_setting_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the ingestion setting of a repository: all of them, page by page."""
        return self._all(
            "/repo-settings/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_repo_occurrences(self, id: str, /, *, limit: int | None = None) -> types.Occurrences:
        """When the schedule of a repository fires next"""
        return self._ask(
            types.Occurrences,
            "GET",
            "/repo-settings/{id}/occurrences",
            {"id": id},
            query={"limit": limit},
        )

    def list_cloud_drives(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        status: types.JobStatus | None = None,
        name: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.CloudDrive]:
        """List cloud drive data sources, newest first: all of them, page by page."""
        return self._all(
            "/cloud-drives",
            "cloud_drives",
            query={"limit": page_size, "after": after, "status": status, "name": name, "as_of": as_of},
        )

    def create_cloud_drive(self, **body: Unpack[types.CloudDriveCreate]) -> types.CloudDrive:
        """Create a cloud drive data source and start ingestion"""
        return self._ask(types.CloudDrive, "POST", "/cloud-drives", body=body)

    def test_cloud_drive(self, **body: Unpack[types.CloudDriveCreate]) -> types.ConnectionTest:
        """Test the address and the secret of a cloud drive, and keep nothing"""
        return self._ask(types.ConnectionTest, "POST", "/cloud-drives/test", body=body)

    def get_cloud_drive(self, id: str, /, *, as_of: str | None = None) -> types.CloudDrive:
        """Get a cloud drive data source"""
        return self._ask(
            types.CloudDrive,
            "GET",
            "/cloud-drives/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def delete_cloud_drive(self, id: str, /) -> types.CloudDrive:
        """Start the deletion of a cloud drive data source"""
        return self._ask(types.CloudDrive, "DELETE", "/cloud-drives/{id}", {"id": id})

    def list_cloud_drive_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a cloud drive data source: all of them, page by page."""
        return self._all(
            "/cloud-drives/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def cancel_cloud_drive(self, id: str, /) -> types.CloudDrive:
        """Cancel the job of a cloud drive"""
        return self._ask(types.CloudDrive, "POST", "/cloud-drives/{id}/cancel", {"id": id}, body={})

    def sync_cloud_drive(
        self,
        id: str,
        /,
        **body: Unpack[types.CloudDriveSyncRequest],
    ) -> types.CloudDrive:
        """Read the cloud drive again now"""
        return self._ask(types.CloudDrive, "POST", "/cloud-drives/{id}/sync", {"id": id}, body=body)

    def list_cloud_drive_events(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
    ) -> Iterator[types.AuditEntry]:
        """The audit trail of a cloud drive, also after its deletion: all of them, page by page."""
        return self._all(
            "/cloud-drives/{id}/events",
            "events",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_cloud_drive_errors(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.CloudDriveErrorsErrors]:
        """Files that failed in the newest job: all of them, page by page."""
        return self._all(
            "/cloud-drives/{id}/errors",
            "errors",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def get_cloud_drive_setting(
        self,
        id: str,
        /,
        *,
        as_of: str | None = None,
    ) -> types.CloudDriveSetting:
        """Get the ingestion setting of a cloud drive"""
        return self._ask(
            types.CloudDriveSetting,
            "GET",
            "/cloud-drive-settings/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def change_cloud_drive_setting(
        self,
        id: str,
        /,
        **body: Unpack[types.CloudDriveSettingChange],
    ) -> types.CloudDriveSetting:
        """Change name, schedule and parameters of a cloud drive"""
        return self._ask(
            types.CloudDriveSetting,
            "PUT",
            "/cloud-drive-settings/{id}",
            {"id": id},
            body=body,
        )

    def list_cloud_drive_setting_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the ingestion setting of a cloud drive: all of them, page by page."""
        return self._all(
            "/cloud-drive-settings/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_cloud_drive_occurrences(
        self,
        id: str,
        /,
        *,
        limit: int | None = None,
    ) -> types.Occurrences:
        """When the schedule of a cloud drive fires next"""
        return self._ask(
            types.Occurrences,
            "GET",
            "/cloud-drive-settings/{id}/occurrences",
            {"id": id},
            query={"limit": limit},
        )

    def list_wikis(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        status: types.JobStatus | None = None,
        name: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Wiki]:
        """List wiki data sources, newest first: all of them, page by page."""
        return self._all(
            "/wikis",
            "wikis",
            query={"limit": page_size, "after": after, "status": status, "name": name, "as_of": as_of},
        )

    def create_wiki(self, **body: Unpack[types.WikiCreate]) -> types.Wiki:
        """Create a wiki data source and start ingestion"""
        return self._ask(types.Wiki, "POST", "/wikis", body=body)

    def test_wiki(self, **body: Unpack[types.WikiCreate]) -> types.ConnectionTest:
        """Test the address and the secret of a wiki, and keep nothing"""
        return self._ask(types.ConnectionTest, "POST", "/wikis/test", body=body)

    def get_wiki(self, id: str, /, *, as_of: str | None = None) -> types.Wiki:
        """Get a wiki data source"""
        return self._ask(types.Wiki, "GET", "/wikis/{id}", {"id": id}, query={"as_of": as_of})

    def delete_wiki(self, id: str, /) -> types.Wiki:
        """Start the deletion of a wiki data source"""
        return self._ask(types.Wiki, "DELETE", "/wikis/{id}", {"id": id})

    def list_wiki_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a wiki data source: all of them, page by page."""
        return self._all(
            "/wikis/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def cancel_wiki(self, id: str, /) -> types.Wiki:
        """Cancel the job of a wiki"""
        return self._ask(types.Wiki, "POST", "/wikis/{id}/cancel", {"id": id}, body={})

    def sync_wiki(self, id: str, /, **body: Unpack[types.WikiSyncRequest]) -> types.Wiki:
        """Read the wiki again now"""
        return self._ask(types.Wiki, "POST", "/wikis/{id}/sync", {"id": id}, body=body)

    def list_wiki_events(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
    ) -> Iterator[types.AuditEntry]:
        """The audit trail of a wiki, also after its deletion: all of them, page by page."""
        return self._all(
            "/wikis/{id}/events",
            "events",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_wiki_errors(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.WikiErrorsErrors]:
        """Pages and files that failed in the newest job: all of them, page by page."""
        return self._all(
            "/wikis/{id}/errors",
            "errors",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def get_wiki_setting(self, id: str, /, *, as_of: str | None = None) -> types.WikiSetting:
        """Get the ingestion setting of a wiki"""
        return self._ask(
            types.WikiSetting,
            "GET",
            "/wiki-settings/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def change_wiki_setting(
        self,
        id: str,
        /,
        **body: Unpack[types.WikiSettingChange],
    ) -> types.WikiSetting:
        """Change name, schedule and parameters of a wiki"""
        return self._ask(types.WikiSetting, "PUT", "/wiki-settings/{id}", {"id": id}, body=body)

    def list_wiki_setting_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the ingestion setting of a wiki: all of them, page by page."""
        return self._all(
            "/wiki-settings/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_wiki_occurrences(self, id: str, /, *, limit: int | None = None) -> types.Occurrences:
        """When the schedule of a wiki fires next"""
        return self._ask(
            types.Occurrences,
            "GET",
            "/wiki-settings/{id}/occurrences",
            {"id": id},
            query={"limit": limit},
        )

    def list_local_file_groups(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        status: types.JobStatus | None = None,
        name: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.LocalFileGroup]:
        """List local file group data sources, newest first: all of them, page by page."""
        return self._all(
            "/local-file-groups",
            "local_file_groups",
            query={"limit": page_size, "after": after, "status": status, "name": name, "as_of": as_of},
        )

    def get_local_file_group(self, id: str, /, *, as_of: str | None = None) -> types.LocalFileGroup:
        """Get a local file group data source"""
        return self._ask(
            types.LocalFileGroup,
            "GET",
            "/local-file-groups/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def delete_local_file_group(self, id: str, /) -> types.LocalFileGroup:
        """Start the deletion of a local file group data source"""
        return self._ask(types.LocalFileGroup, "DELETE", "/local-file-groups/{id}", {"id": id})

    def list_local_file_group_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a local file group data source: all of them, page by page."""
        return self._all(
            "/local-file-groups/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def cancel_local_file_group(self, id: str, /) -> types.LocalFileGroup:
        """Cancel the job of a local file group"""
        return self._ask(
            types.LocalFileGroup,
            "POST",
            "/local-file-groups/{id}/cancel",
            {"id": id},
            body={},
        )

    def sync_local_file_group(
        self,
        id: str,
        /,
        **body: Unpack[types.LocalFileGroupSync],
    ) -> types.LocalFileGroup:
        """Read the files of a local file group again now"""
        return self._ask(
            types.LocalFileGroup,
            "POST",
            "/local-file-groups/{id}/sync",
            {"id": id},
            body=body,
        )

    def list_local_file_group_events(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
    ) -> Iterator[types.AuditEntry]:
        """The audit trail of a local file group, also after its deletion: all of them, page by page."""
        return self._all(
            "/local-file-groups/{id}/events",
            "events",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_local_file_group_errors(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.LocalFileGroupErrorsErrors]:
        """Files that could not be read in the newest job: all of them, page by page."""
        return self._all(
            "/local-file-groups/{id}/errors",
            "errors",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_pushes(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        status: types.JobStatus | None = None,
        name: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Push]:
        """List push data sources, newest first: all of them, page by page."""
        return self._all(
            "/pushes",
            "pushes",
            query={"limit": page_size, "after": after, "status": status, "name": name, "as_of": as_of},
        )

    def create_push(self, **body: Unpack[types.PushCreate]) -> types.Push:
        """Create a push data source and start ingestion"""
        return self._ask(types.Push, "POST", "/pushes", body=body)

    def get_push(self, id: str, /, *, as_of: str | None = None) -> types.Push:
        """Get a push data source"""
        return self._ask(types.Push, "GET", "/pushes/{id}", {"id": id}, query={"as_of": as_of})

    def delete_push(self, id: str, /) -> types.Push:
        """Start the deletion of a push data source"""
        return self._ask(types.Push, "DELETE", "/pushes/{id}", {"id": id})

    def list_push_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a push data source: all of them, page by page."""
        return self._all(
            "/pushes/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def cancel_push(self, id: str, /) -> types.Push:
        """Cancel the job of a push"""
        return self._ask(types.Push, "POST", "/pushes/{id}/cancel", {"id": id}, body={})

    def list_push_events(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: int | None = None,
    ) -> Iterator[types.AuditEntry]:
        """The audit trail of a push, also after its deletion: all of them, page by page."""
        return self._all(
            "/pushes/{id}/events",
            "events",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_push_errors(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.PushErrorsErrors]:
        """Documents that could not be read in the newest job: all of them, page by page."""
        return self._all(
            "/pushes/{id}/errors",
            "errors",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def open_push_job(self, id: str, /) -> types.Push:
        """Open a job of a push"""
        return self._ask(types.Push, "POST", "/pushes/{id}/jobs", {"id": id}, body={})

    def complete_push_job(self, id: str, job_id: str, /) -> types.Push:
        """End a job of a push that is done"""
        return self._ask(
            types.Push,
            "POST",
            "/pushes/{id}/jobs/{job_id}/complete",
            {"id": id, "job_id": job_id},
            body={},
        )

    def fail_push_job(
        self,
        id: str,
        job_id: str,
        /,
        **body: Unpack[types.PushJobFailure],
    ) -> types.Push:
        """End a job of a push that cannot go on, or that is to be canceled"""
        return self._ask(
            types.Push,
            "POST",
            "/pushes/{id}/jobs/{job_id}/fail",
            {"id": id, "job_id": job_id},
            body=body,
        )

    def remove_source(self, id: str, locator: str, /) -> types.Source:
        """Take a document out of a push"""
        return self._ask(
            types.Source,
            "DELETE",
            "/source-groups/{id}/sources/{locator}",
            {"id": id, "locator": locator},
        )

    def preview_schedule(self, *, limit: int | None = None, rrule: str) -> types.Occurrences:
        """When a recurrence rule would fire"""
        return self._ask(
            types.Occurrences,
            "GET",
            "/schedule/occurrences",
            query={"limit": limit, "rrule": rrule},
        )

    def scrape(self, **body: Unpack[types.ScrapeRequest]) -> types.ScrapedPage:
        """Read one page, and keep nothing of it"""
        return self._ask(types.ScrapedPage, "POST", "/scrape", body=body)

    def list_sources(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        source_group_id: str | None = None,
        source_type: types.SourceType | None = None,
        file_type: types.FileType | None = None,
        url: str | None = None,
        status: list[Literal["indexed", "skipped", "failed"]] | None = None,
        contains: str | None = None,
        sort: Literal["newest", "title"] | None = None,
        authz_policy: str | None = None,
        principal_id: str | None = None,
        try_policy: bool | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Source]:
        """List sources: all of them, page by page."""
        return self._all(
            "/sources",
            "sources",
            query={"limit": page_size, "after": after, "source_group_id": source_group_id, "source_type": source_type, "file_type": file_type, "url": url, "status": status, "contains": contains, "sort": sort, "authz_policy": authz_policy, "principal_id": principal_id, "try_policy": try_policy, "as_of": as_of},
        )

    def get_source(
        self,
        id: str,
        /,
        *,
        authz_policy: str | None = None,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> types.Source:
        """Get a source"""
        return self._ask(
            types.Source,
            "GET",
            "/sources/{id}",
            {"id": id},
            query={"authz_policy": authz_policy, "principal_id": principal_id, "as_of": as_of},
        )

    def delete_source(self, id: str, /) -> types.Source:
        """Take a source out"""
        return self._ask(types.Source, "DELETE", "/sources/{id}", {"id": id})

    def list_source_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        authz_policy: str | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a source: all of them, page by page."""
        return self._all(
            "/sources/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after, "authz_policy": authz_policy, "principal_id": principal_id},
        )

    def list_source_contents(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        authz_policy: str | None = None,
        principal_id: str | None = None,
        around: str | None = None,
    ) -> Iterator[types.Content]:
        """List the chunks of a source in the order of its text: all of them, page by page."""
        return self._all(
            "/sources/{id}/contents",
            "contents",
            {"id": id},
            query={"limit": page_size, "after": after, "authz_policy": authz_policy, "principal_id": principal_id, "around": around},
        )

    def replace_source_metadata(
        self,
        id: str,
        /,
        **body: Unpack[types.MetadataReplacement],
    ) -> types.Source:
        """Replace the metadata of a source"""
        return self._ask(types.Source, "PUT", "/sources/{id}/metadata", {"id": id}, body=body)

    def delete_source_metadata(self, id: str, /) -> types.Message:
        """Delete the metadata of a source"""
        return self._ask(types.Message, "DELETE", "/sources/{id}/metadata", {"id": id})

    def list_source_groups(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        authz_policy: str | None = None,
        principal_id: str | None = None,
        id: list[str] | None = None,
        status: list[types.JobStatus] | None = None,
        source_type: list[types.SourceType] | None = None,
        name: str | None = None,
        sort: Literal["newest", "oldest", "name"] | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.SourceGroup]:
        """List source groups of every kind: all of them, page by page."""
        return self._all(
            "/source-groups",
            "source_groups",
            query={"limit": page_size, "after": after, "authz_policy": authz_policy, "principal_id": principal_id, "id": id, "status": status, "source_type": source_type, "name": name, "sort": sort, "as_of": as_of},
        )

    def list_errors(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        code: str | None = None,
        source_type: list[types.SourceType] | None = None,
        source_group_id: list[str] | None = None,
    ) -> Iterator[types.FailedItemsErrors]:
        """Items that failed, of all data sources: all of them, page by page."""
        return self._all(
            "/errors",
            "errors",
            query={"limit": page_size, "after": after, "from": from_, "to": to, "code": code, "source_type": source_type, "source_group_id": source_group_id},
        )

    def get_source_group(
        self,
        id: str,
        /,
        *,
        authz_policy: str | None = None,
        principal_id: str | None = None,
        as_of: str | None = None,
    ) -> types.SourceGroup:
        """Get a source group"""
        return self._ask(
            types.SourceGroup,
            "GET",
            "/source-groups/{id}",
            {"id": id},
            query={"authz_policy": authz_policy, "principal_id": principal_id, "as_of": as_of},
        )

    def rename_source_group(
        self,
        id: str,
        /,
        **body: Unpack[types.SourceGroupChange],
    ) -> types.SourceGroup:
        """Change the name of a source group"""
        return self._ask(types.SourceGroup, "PUT", "/source-groups/{id}", {"id": id}, body=body)

    def list_source_group_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        authz_policy: str | None = None,
        principal_id: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a source group: all of them, page by page."""
        return self._all(
            "/source-groups/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after, "authz_policy": authz_policy, "principal_id": principal_id},
        )

    def list_tags(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Tag]:
        """List tags, newest first: all of them, page by page."""
        return self._all("/tags", "tags", query={"limit": page_size, "after": after, "as_of": as_of})

    def create_tag(self, **body: Unpack[types.TagCreate]) -> types.Tag:
        """Create a tag"""
        return self._ask(types.Tag, "POST", "/tags", body=body)

    def get_tag(self, id: str, /, *, as_of: str | None = None) -> types.Tag:
        """Get a tag"""
        return self._ask(types.Tag, "GET", "/tags/{id}", {"id": id}, query={"as_of": as_of})

    def change_tag(self, id: str, /, **body: Unpack[types.TagChange]) -> types.Tag:
        """Change name and description of a tag"""
        return self._ask(types.Tag, "PUT", "/tags/{id}", {"id": id}, body=body)

    def delete_tag(self, id: str, /) -> types.Message:
        """Delete a tag, and its bindings with it"""
        return self._ask(types.Message, "DELETE", "/tags/{id}", {"id": id})

    def list_tag_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a tag: all of them, page by page."""
        return self._all(
            "/tags/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_tag_source_groups(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.TagSourceGroup]:
        """List the bindings of tags to source groups, newest first: all of them, page by page."""
        return self._all(
            "/tag-source-groups",
            "tag_source_groups",
            query={"limit": page_size, "after": after, "as_of": as_of},
        )

    def bind_tag(self, **body: Unpack[types.TagSourceGroupCreate]) -> types.TagSourceGroup:
        """Bind a tag to a source group"""
        return self._ask(types.TagSourceGroup, "POST", "/tag-source-groups", body=body)

    def get_tag_source_group(self, id: str, /, *, as_of: str | None = None) -> types.TagSourceGroup:
        """Get the binding of a tag to a source group"""
        return self._ask(
            types.TagSourceGroup,
            "GET",
            "/tag-source-groups/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def unbind_tag(self, id: str, /) -> types.Message:
        """Take a tag from a source group"""
        return self._ask(types.Message, "DELETE", "/tag-source-groups/{id}", {"id": id})

    def list_tag_source_group_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: the binding of a tag to a source group: all of them, page by page."""
        return self._all(
            "/tag-source-groups/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_redaction_policies(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.RedactionPolicy]:
        """List redaction policies, newest first: all of them, page by page."""
        return self._all(
            "/redaction-policies",
            "redaction_policies",
            query={"limit": page_size, "after": after, "as_of": as_of},
        )

    def create_redaction_policy(
        self,
        **body: Unpack[types.RedactionPolicyCreate],
    ) -> types.RedactionPolicy:
        """Create a redaction policy"""
        return self._ask(types.RedactionPolicy, "POST", "/redaction-policies", body=body)

    def get_redaction_policy(self, id: str, /, *, as_of: str | None = None) -> types.RedactionPolicy:
        """Get a redaction policy"""
        return self._ask(
            types.RedactionPolicy,
            "GET",
            "/redaction-policies/{id}",
            {"id": id},
            query={"as_of": as_of},
        )

    def replace_redaction_policy(
        self,
        id: str,
        /,
        **body: Unpack[types.RedactionPolicyCreate],
    ) -> types.RedactionPolicy:
        """Replace a redaction policy"""
        return self._ask(
            types.RedactionPolicy,
            "PUT",
            "/redaction-policies/{id}",
            {"id": id},
            body=body,
        )

    def delete_redaction_policy(self, id: str, /) -> types.Message:
        """Delete a redaction policy"""
        return self._ask(types.Message, "DELETE", "/redaction-policies/{id}", {"id": id})

    def list_redaction_policy_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a redaction policy: all of them, page by page."""
        return self._all(
            "/redaction-policies/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def test_redaction_policy(
        self,
        id: str,
        /,
        **body: Unpack[types.RedactionTest],
    ) -> types.RedactionTestResult:
        """Try a redaction policy on a text"""
        return self._ask(
            types.RedactionTestResult,
            "POST",
            "/redaction-policies/{id}/test",
            {"id": id},
            body=body,
        )

    def test_redaction_rules(self, **body: Unpack[types.RedactionTrial]) -> types.RedactionTestResult:
        """Try rules on a text before a policy has them"""
        return self._ask(types.RedactionTestResult, "POST", "/redaction-policies/test", body=body)

    def list_authz_policies(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.AuthzPolicy]:
        """List authz policies by name: all of them, page by page."""
        return self._all(
            "/authz-policies",
            "authz_policies",
            query={"limit": page_size, "after": after, "as_of": as_of},
        )

    def create_authz_policy(self, **body: Unpack[types.AuthzPolicyCreate]) -> types.AuthzPolicy:
        """Create an authz policy"""
        return self._ask(types.AuthzPolicy, "POST", "/authz-policies", body=body)

    def get_authz_policy(self, name: str, /, *, as_of: str | None = None) -> types.AuthzPolicy:
        """Get an authz policy"""
        return self._ask(
            types.AuthzPolicy,
            "GET",
            "/authz-policies/{name}",
            {"name": name},
            query={"as_of": as_of},
        )

    def replace_authz_policy(
        self,
        name: str,
        /,
        **body: Unpack[types.AuthzPolicyReplacement],
    ) -> types.AuthzPolicy:
        """Replace the rules of an authz policy, or define the policy `default`"""
        return self._ask(types.AuthzPolicy, "PUT", "/authz-policies/{name}", {"name": name}, body=body)

    def delete_authz_policy(self, name: str, /) -> types.Message:
        """Delete an authz policy: requests that name it are refused from now on"""
        return self._ask(types.Message, "DELETE", "/authz-policies/{name}", {"name": name})

    def list_authz_policy_changes(
        self,
        name: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: an authz policy: all of them, page by page."""
        return self._all(
            "/authz-policies/{name}/changes",
            "changes",
            {"name": name},
            query={"limit": page_size, "after": after},
        )

    def list_authz_subject_attributes(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.AuthzSubject]:
        """List what authz policies know of principals, by principal: all of them, page by page."""
        return self._all(
            "/authz-subject-attributes",
            "authz_subject_attributes",
            query={"limit": page_size, "after": after, "as_of": as_of},
        )

    def get_authz_subject_attributes(
        self,
        principal_id: str,
        /,
        *,
        as_of: str | None = None,
    ) -> types.AuthzSubject:
        """Get what authz policies know of a principal"""
        return self._ask(
            types.AuthzSubject,
            "GET",
            "/authz-subject-attributes/{principal_id}",
            {"principal_id": principal_id},
            query={"as_of": as_of},
        )

    def set_authz_subject_attributes(
        self,
        principal_id: str,
        /,
        **body: Unpack[types.AuthzSubjectReplacement],
    ) -> types.AuthzSubject:
        """Replace all that one authz policy knows of a principal"""
        return self._ask(
            types.AuthzSubject,
            "PUT",
            "/authz-subject-attributes/{principal_id}",
            {"principal_id": principal_id},
            body=body,
        )

    def delete_authz_subject_attributes(self, principal_id: str, /) -> types.Message:
        """Delete all that authz policies know of a principal"""
        return self._ask(
            types.Message,
            "DELETE",
            "/authz-subject-attributes/{principal_id}",
            {"principal_id": principal_id},
        )

    def list_authz_subject_attributes_changes(
        self,
        principal_id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: what authz policies know of a principal: all of them, page by page."""
        return self._all(
            "/authz-subject-attributes/{principal_id}/changes",
            "changes",
            {"principal_id": principal_id},
            query={"limit": page_size, "after": after},
        )

    def list_api_keys(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.ApiKey]:
        """List API keys, newest first: all of them, page by page."""
        return self._all("/api-keys", "api_keys", query={"limit": page_size, "after": after, "as_of": as_of})

    def issue_api_key(self, **body: Unpack[types.ApiKeyCreate]) -> types.IssuedApiKey:
        """Issue an API key"""
        return self._ask(types.IssuedApiKey, "POST", "/api-keys", body=body)

    def get_api_key(self, id: str, /, *, as_of: str | None = None) -> types.ApiKey:
        """Get an API key"""
        return self._ask(types.ApiKey, "GET", "/api-keys/{id}", {"id": id}, query={"as_of": as_of})

    def revoke_api_key(self, id: str, /) -> types.Message:
        """Revoke an API key"""
        return self._ask(types.Message, "DELETE", "/api-keys/{id}", {"id": id})

    def list_api_key_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: an API key: all of them, page by page."""
        return self._all(
            "/api-keys/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def rotate_api_key(self, id: str, /) -> types.IssuedApiKey:
        """Replace the key, keeping its id and its powers"""
        return self._ask(types.IssuedApiKey, "POST", "/api-keys/{id}/rotate", {"id": id}, body={})

    def list_secrets(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Secret]:
        """List secrets, newest first: all of them, page by page."""
        return self._all("/secrets", "secrets", query={"limit": page_size, "after": after, "as_of": as_of})

    def create_secret(self, **body: Unpack[types.SecretCreate]) -> types.Secret:
        """Keep a secret for data sources"""
        return self._ask(types.Secret, "POST", "/secrets", body=body)

    def get_secret(self, id: str, /, *, as_of: str | None = None) -> types.Secret:
        """Get a secret"""
        return self._ask(types.Secret, "GET", "/secrets/{id}", {"id": id}, query={"as_of": as_of})

    def change_secret(self, id: str, /, **body: Unpack[types.SecretChange]) -> types.Secret:
        """Change name, value or expiry of a secret"""
        return self._ask(types.Secret, "PUT", "/secrets/{id}", {"id": id}, body=body)

    def delete_secret(self, id: str, /) -> types.Message:
        """Delete a secret"""
        return self._ask(types.Message, "DELETE", "/secrets/{id}", {"id": id})

    def list_secret_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a secret: all of them, page by page."""
        return self._all(
            "/secrets/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def list_webhooks(
        self,
        *,
        page_size: int | None = None,
        after: str | None = None,
        as_of: str | None = None,
    ) -> Iterator[types.Webhook]:
        """List webhooks, newest first: all of them, page by page."""
        return self._all("/webhooks", "webhooks", query={"limit": page_size, "after": after, "as_of": as_of})

    def create_webhook(self, **body: Unpack[types.WebhookCreate]) -> types.IssuedWebhook:
        """Send events to an address"""
        return self._ask(types.IssuedWebhook, "POST", "/webhooks", body=body)

    def get_webhook(self, id: str, /, *, as_of: str | None = None) -> types.Webhook:
        """Get a webhook"""
        return self._ask(types.Webhook, "GET", "/webhooks/{id}", {"id": id}, query={"as_of": as_of})

    def change_webhook(self, id: str, /, **body: Unpack[types.WebhookChange]) -> types.Webhook:
        """Change, disable or enable a webhook"""
        return self._ask(types.Webhook, "PUT", "/webhooks/{id}", {"id": id}, body=body)

    def delete_webhook(self, id: str, /) -> types.Message:
        """Delete a webhook"""
        return self._ask(types.Message, "DELETE", "/webhooks/{id}", {"id": id})

    def list_webhook_changes(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
    ) -> Iterator[types.RecordChangesChanges]:
        """What changed: a webhook: all of them, page by page."""
        return self._all(
            "/webhooks/{id}/changes",
            "changes",
            {"id": id},
            query={"limit": page_size, "after": after},
        )

    def rotate_webhook_secret(self, id: str, /) -> types.IssuedWebhook:
        """Replace the signing secret of a webhook"""
        return self._ask(
            types.IssuedWebhook,
            "POST",
            "/webhooks/{id}/rotate-secret",
            {"id": id},
            body={},
        )

    def test_webhook(self, id: str, /) -> types.WebhookTest:
        """Send a test message"""
        return self._ask(types.WebhookTest, "POST", "/webhooks/{id}/test", {"id": id}, body={})

    def list_webhook_deliveries(
        self,
        id: str,
        /,
        *,
        page_size: int | None = None,
        after: str | None = None,
        state: Literal["pending", "delivered", "dead"] | None = None,
    ) -> Iterator[types.WebhookDelivery]:
        """List deliveries of a webhook, newest event first: all of them, page by page."""
        return self._all(
            "/webhooks/{id}/deliveries",
            "deliveries",
            {"id": id},
            query={"limit": page_size, "after": after, "state": state},
        )

    def redeliver_webhook(self, id: str, delivery_id: str, /) -> types.WebhookDelivery:
        """Deliver an event again"""
        return self._ask(
            types.WebhookDelivery,
            "POST",
            "/webhooks/{id}/deliveries/{delivery_id}/redeliver",
            {"id": id, "delivery_id": delivery_id},
            body={},
        )

    def list_events(
        self,
        *,
        page_size: int | None = None,
        order: Literal["asc", "desc"] | None = None,
        after_position: str | None = None,
        category: list[types.WebhookCreateCategories] | None = None,
        types: list[types.WebhookCreateTypes] | None = None,
        stream: str | None = None,
        stream_prefix: str | None = None,
        actor: str | None = None,
        trace_id: str | None = None,
        from_: int | None = None,
        to: int | None = None,
        where: str | None = None,
    ) -> Iterator[types.LogEvent]:
        """The event log, in its one order: all of them, page by page."""
        return self._all(
            "/events",
            "events",
            query={"limit": page_size, "order": order, "after_position": after_position, "category": category, "types": types, "stream": stream, "stream_prefix": stream_prefix, "actor": actor, "trace_id": trace_id, "from": from_, "to": to, "where": where},
        )

    def get_checkpoint(self) -> types.Checkpoint:
        """The signed checkpoint of the event log as it is now"""
        return self._ask(types.Checkpoint, "GET", "/audit/checkpoint")

    def list_checkpoints(
        self,
        *,
        page_size: int | None = None,
        after: int | None = None,
        order: Literal["asc", "desc"] | None = None,
    ) -> Iterator[types.Checkpoint]:
        """All checkpoints: all of them, page by page."""
        return self._all(
            "/audit/checkpoints",
            "checkpoints",
            query={"limit": page_size, "after": after, "order": order},
        )

    def list_verifier_keys(self) -> types.VerifierKeys:
        """The keys that verify checkpoints"""
        return self._ask(types.VerifierKeys, "GET", "/audit/keys")

    def prove_inclusion(
        self,
        *,
        stream: str,
        revision: int,
        size: int | None = None,
    ) -> types.InclusionProof:
        """Prove that an event is in the log"""
        return self._ask(
            types.InclusionProof,
            "GET",
            "/audit/proofs/inclusion",
            query={"stream": stream, "revision": revision, "size": size},
        )

    def prove_consistency(self, *, from_: int, to: int) -> types.ConsistencyProof:
        """Prove that a log has only grown"""
        return self._ask(
            types.ConsistencyProof,
            "GET",
            "/audit/proofs/consistency",
            query={"from": from_, "to": to},
        )

    def get_status(self) -> types.ServiceStatus:
        """See how the service does"""
        return self._ask(types.ServiceStatus, "GET", "/status")

    def get_me(self) -> types.Me:
        """See who you are, and what you may do"""
        return self._ask(types.Me, "GET", "/me")
