# Made by `npm run client:types` from the OpenAPI document.
from __future__ import annotations

from typing import Any, Literal, TypedDict, Union

from typing_extensions import NotRequired


class ErrorEnvelope(TypedDict):
    error: ErrorEnvelopeError


class ErrorEnvelopeError(TypedDict):
    message: str
    """What is wrong and what to do, for people"""
    type: str
    """What is wrong, for programs"""


class Pagination(TypedDict):
    limit: int
    has_more: bool
    total: int
    next_id: NotRequired[str]
    """Id of the last record: send it as `after`. Absent on the last page"""


class CursorPagination(TypedDict):
    limit: int
    has_more: bool
    total: NotRequired[int]
    next_id: NotRequired[str]
    """Cursor: send it as `after`. Absent on the last page"""


class Message(TypedDict):
    message: str


class IngestionError(TypedDict):
    title: str
    """
    A short stable phrase, one of: Start URL not reachable, Page not reachable, Blocked by robots.txt,
    Address not allowed, Credentials rejected, Not found at the provider, Provider not reachable, Timed
    out, Too large, Parser failed, Not supported here, Storage not available, Unexpected error, Worker
    lost, Deletion failed. Later versions may add some
    """
    message: str
    """
    What happened to what. Of a job that is `queued`: what it waits for before another attempt. Of a crawl
    that is a `success`: that it lost more than 5 % of its pages
    """


class Crawl(TypedDict):
    id: str
    name: str
    status: JobStatus
    ingestion_setting_id: str
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    error: NotRequired[IngestionError]
    progress: CrawlProgress
    """Counts of the running job, told every 2 s, or of the last one"""
    metadata: CrawlMetadata
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    start_url: str


class CrawlProgress(TypedDict):
    """Counts of the running job, told every 2 s, or of the last one"""
    seen: int
    """Visited: the sum of the four that follow"""
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int
    named_items: NotRequired[bool]
    """Present and true of a job over named items: its counts tell of these, not of the data source"""


class CrawlMetadata(TypedDict):
    records: list[CrawlMetadataRecords]


class CrawlMetadataRecords(TypedDict):
    key: str
    val: str
    type: Literal["string"]


class CrawlList(TypedDict):
    crawls: list[Crawl]
    pagination: Pagination


class CrawlCreate(TypedDict):
    name: str
    start_url: str
    """Absolute http or https URL without user name and password"""
    max_depth: int
    max_num_files: int
    path_filters: NotRequired[list[str]]
    """Globs on the path of the URL; `!` before a pattern excludes. At most 2000 characters over all elements"""
    content_pattern: NotRequired[list[str]]
    """
    Regular expressions of which one must match the text of a page. At most 2000 characters over all
    elements
    """
    html_only: NotRequired[bool]
    """Download HTML files only"""
    use_browser: NotRequired[bool]
    """Use a headless browser"""
    no_canonical_check: NotRequired[bool]
    """
    Do not filter duplicates: by canonical URL, ids of sessions, parameters of tracking, percent-encoding,
    or the same text with and without a slash or an index file at the end
    """
    file_extensions: NotRequired[list[str]]
    """Extensions to include, each with its leading dot"""
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null: no schedule"""
    metadata: NotRequired[CrawlCreateMetadata]
    """Reserved for future use"""


class CrawlCreateMetadata(TypedDict):
    """Reserved for future use"""
    records: NotRequired[list[CrawlCreateMetadataRecords]]


class CrawlCreateMetadataRecords(TypedDict):
    key: str
    val: str
    type: NotRequired[Literal["string"]]


class SyncRequest(TypedDict):
    urls: NotRequired[list[str]]
    """
    Look at these pages alone, and leave all others as they are. Pages of the site that the crawl may
    visit, known or new; their links are not followed
    """
    mode: NotRequired[Literal["incremental", "full"]]
    """`full` does not trust what earlier jobs know"""


class CrawlErrors(TypedDict):
    errors: list[CrawlErrorsErrors]
    robots_blocked: list[str]
    """URLs that robots.txt refuses"""
    pagination: CursorPagination


class CrawlErrorsErrors(TypedDict):
    locator: str
    """URL of the page"""
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class CrawlSetting(TypedDict):
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    id: str
    name: str
    start_url: str
    max_depth: int
    html_only: bool
    use_browser: bool
    path_filters: list[str]
    content_pattern: list[str]
    max_num_files: int
    no_canonical_check: bool
    file_extensions: list[str]
    rrule: NotRequired[str]


class CrawlSettingChange(TypedDict):
    name: NotRequired[str]
    max_depth: NotRequired[int]
    max_num_files: NotRequired[int]
    path_filters: NotRequired[list[str]]
    """Globs on the path of the URL; `!` before a pattern excludes. At most 2000 characters over all elements"""
    content_pattern: NotRequired[list[str]]
    """
    Regular expressions of which one must match the text of a page. At most 2000 characters over all
    elements
    """
    html_only: NotRequired[bool]
    """Download HTML files only"""
    use_browser: NotRequired[bool]
    """Use a headless browser"""
    no_canonical_check: NotRequired[bool]
    """
    Do not filter duplicates: by canonical URL, ids of sessions, parameters of tracking, percent-encoding,
    or the same text with and without a slash or an index file at the end
    """
    file_extensions: NotRequired[list[str]]
    """Extensions to include, each with its leading dot"""
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null removes the schedule"""


class Repo(TypedDict):
    id: str
    name: str
    status: JobStatus
    ingestion_setting_id: str
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    error: NotRequired[IngestionError]
    progress: RepoProgress
    """Counts of the running job, told every 2 s, or of the last one"""
    metadata: RepoMetadata
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    repository: str
    reference_type: Literal["default", "branch", "tag", "commit"]
    reference_param: str
    """Name of the branch or tag, or hash of the commit; empty for the default branch"""
    path_filters: list[str]


class RepoProgress(TypedDict):
    """Counts of the running job, told every 2 s, or of the last one"""
    seen: int
    """Visited: the sum of the four that follow"""
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int
    named_items: NotRequired[bool]
    """Present and true of a job over named items: its counts tell of these, not of the data source"""


class RepoMetadata(TypedDict):
    records: list[RepoMetadataRecords]


class RepoMetadataRecords(TypedDict):
    key: str
    val: str
    type: Literal["string"]


class RepoList(TypedDict):
    repos: list[Repo]
    pagination: Pagination


class RepoCreate(TypedDict):
    name: str
    repository: str
    reference_type: NotRequired[Literal["default", "branch", "tag", "commit"]]
    reference_param: NotRequired[str]
    """Name of the branch or tag, or hash of the commit; required unless `reference_type` is default"""
    path_filters: NotRequired[list[str]]
    """Globs on the path of the file; `!` before a pattern excludes. At most 2000 characters over all elements"""
    secret_id: NotRequired[str]
    """Id of the secret that the host is asked with: of type token, basic or app"""
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null: no schedule"""
    metadata: NotRequired[RepoCreateMetadata]
    """Reserved for future use"""


class RepoCreateMetadata(TypedDict):
    """Reserved for future use"""
    records: NotRequired[list[RepoCreateMetadataRecords]]


class RepoCreateMetadataRecords(TypedDict):
    key: str
    val: str
    type: NotRequired[Literal["string"]]


class RepoSyncRequest(TypedDict):
    locators: NotRequired[list[str]]
    """Look at the files of these paths alone, and leave all others as they are"""
    mode: NotRequired[Literal["incremental", "full"]]
    """`full` does not trust what earlier jobs know"""


class RepoErrors(TypedDict):
    errors: list[RepoErrorsErrors]
    pagination: CursorPagination


class RepoErrorsErrors(TypedDict):
    locator: str
    """Path of the file"""
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class RepoSetting(TypedDict):
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    id: str
    name: str
    repository: str
    reference_type: Literal["default", "branch", "tag", "commit"]
    reference_param: str
    """Name of the branch or tag, or hash of the commit; empty for the default branch"""
    path_filters: list[str]
    rrule: NotRequired[str]
    secret_id: NotRequired[str]


class RepoSettingChange(TypedDict):
    name: NotRequired[str]
    reference_type: NotRequired[Literal["default", "branch", "tag", "commit"]]
    reference_param: NotRequired[str]
    """Name of the branch or tag, or hash of the commit; required unless `reference_type` is default"""
    path_filters: NotRequired[list[str]]
    """Globs on the path of the file; `!` before a pattern excludes. At most 2000 characters over all elements"""
    secret_id: NotRequired[str | None]
    """Id of the secret that the host is asked with: of type token, basic or app; null removes it"""
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null removes the schedule"""


class CloudDrive(TypedDict):
    id: str
    name: str
    status: JobStatus
    ingestion_setting_id: str
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    error: NotRequired[IngestionError]
    progress: CloudDriveProgress
    """Counts of the running job, told every 2 s, or of the last one"""
    metadata: CloudDriveMetadata
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    folder_url: str


class CloudDriveProgress(TypedDict):
    """Counts of the running job, told every 2 s, or of the last one"""
    seen: int
    """Visited: the sum of the four that follow"""
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int
    named_items: NotRequired[bool]
    """Present and true of a job over named items: its counts tell of these, not of the data source"""


class CloudDriveMetadata(TypedDict):
    records: list[CloudDriveMetadataRecords]


class CloudDriveMetadataRecords(TypedDict):
    key: str
    val: str
    type: Literal["string"]


class CloudDriveList(TypedDict):
    cloud_drives: list[CloudDrive]
    pagination: Pagination


class CloudDriveCreate(TypedDict):
    name: str
    folder_url: str
    """Address of a folder of Google Drive, or of a shared drive, as a browser shows it or a link shares it"""
    secret_id: NotRequired[str]
    """
    Id of the secret that the drive is asked with: of type service_account, oauth_refresh or token. Without
    it the request is refused (400)
    """
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null: no schedule"""
    metadata: NotRequired[CloudDriveCreateMetadata]
    """Reserved for future use"""


class CloudDriveCreateMetadata(TypedDict):
    """Reserved for future use"""
    records: NotRequired[list[CloudDriveCreateMetadataRecords]]


class CloudDriveCreateMetadataRecords(TypedDict):
    key: str
    val: str
    type: NotRequired[Literal["string"]]


class CloudDriveSyncRequest(TypedDict):
    locators: NotRequired[list[str]]
    """Look at these files alone, given by their ids or addresses, and leave all others as they are"""
    mode: NotRequired[Literal["incremental", "full"]]
    """`full` does not trust what earlier jobs know"""


class CloudDriveErrors(TypedDict):
    errors: list[CloudDriveErrorsErrors]
    pagination: CursorPagination


class CloudDriveErrorsErrors(TypedDict):
    locator: str
    """Id of the file in the drive; the message begins with its name"""
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class CloudDriveSetting(TypedDict):
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    id: str
    name: str
    folder_url: str
    rrule: NotRequired[str]
    secret_id: NotRequired[str]


class CloudDriveSettingChange(TypedDict):
    name: NotRequired[str]
    secret_id: NotRequired[str | None]
    """
    Id of the secret that the drive is asked with: of type service_account, oauth_refresh or token; null
    removes it
    """
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null removes the schedule"""


class Wiki(TypedDict):
    id: str
    name: str
    status: JobStatus
    ingestion_setting_id: str
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    error: NotRequired[IngestionError]
    progress: WikiProgress
    """Counts of the running job, told every 2 s, or of the last one"""
    metadata: WikiMetadata
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    page_id: str
    """Id of the page, in lower case and with dashes"""


class WikiProgress(TypedDict):
    """Counts of the running job, told every 2 s, or of the last one"""
    seen: int
    """Visited: the sum of the four that follow"""
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int
    named_items: NotRequired[bool]
    """Present and true of a job over named items: its counts tell of these, not of the data source"""


class WikiMetadata(TypedDict):
    records: list[WikiMetadataRecords]


class WikiMetadataRecords(TypedDict):
    key: str
    val: str
    type: Literal["string"]


class WikiList(TypedDict):
    wikis: list[Wiki]
    pagination: Pagination


class WikiCreate(TypedDict):
    name: str
    page_id: str
    """Page or database to begin at: its id, with or without dashes, or the link to it that the wiki copies"""
    include_children: NotRequired[bool]
    """
    Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database
    that is named itself are read either way
    """
    secret_id: NotRequired[str]
    """Id of the secret that the wiki is asked with: of type token. Without it the request is refused (400)"""
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null: no schedule"""
    metadata: NotRequired[WikiCreateMetadata]
    """Reserved for future use"""


class WikiCreateMetadata(TypedDict):
    """Reserved for future use"""
    records: NotRequired[list[WikiCreateMetadataRecords]]


class WikiCreateMetadataRecords(TypedDict):
    key: str
    val: str
    type: NotRequired[Literal["string"]]


class WikiSyncRequest(TypedDict):
    locators: NotRequired[list[str]]
    """
    Look at these alone, and leave all others as they are: ids or links of pages, or locators of files as
    errors name them
    """
    mode: NotRequired[Literal["incremental", "full"]]
    """`full` does not trust what earlier jobs know"""


class WikiErrors(TypedDict):
    errors: list[WikiErrorsErrors]
    pagination: CursorPagination


class WikiErrorsErrors(TypedDict):
    locator: str
    """Id of the page or database, or of the page and the file in it"""
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class WikiSetting(TypedDict):
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    id: str
    name: str
    page_id: str
    """Id of the page, in lower case and with dashes"""
    include_children: bool
    """
    Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database
    that is named itself are read either way
    """
    rrule: NotRequired[str]
    secret_id: NotRequired[str]


class WikiSettingChange(TypedDict):
    name: NotRequired[str]
    include_children: NotRequired[bool]
    """
    Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database
    that is named itself are read either way
    """
    secret_id: NotRequired[str | None]
    """Id of the secret that the wiki is asked with: of type token; null removes it"""
    rrule: NotRequired[str | None]
    """RFC 5545 recurrence rule; null removes the schedule"""


class LocalFileGroup(TypedDict):
    id: str
    name: str
    status: JobStatus
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    error: NotRequired[IngestionError]
    progress: LocalFileGroupProgress
    """Counts of the running job, told every 2 s, or of the last one"""
    metadata: LocalFileGroupMetadata
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    upload_time: NotRequired[int]
    """Of the newest upload, Unix timestamp in seconds; absent until there is one"""
    chunk_metadata_keys: list[LocalFileGroupChunkMetadataKeys]
    chunk_metadatas_count: int
    """Contents that have a value of one of these keys"""


class LocalFileGroupProgress(TypedDict):
    """Counts of the running job, told every 2 s, or of the last one"""
    seen: int
    """Visited: the sum of the four that follow"""
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int
    named_items: NotRequired[bool]
    """Present and true of a job over named items: its counts tell of these, not of the data source"""


class LocalFileGroupMetadata(TypedDict):
    records: list[LocalFileGroupMetadataRecords]


class LocalFileGroupMetadataRecords(TypedDict):
    key: str
    val: str
    type: Literal["string"]


class LocalFileGroupChunkMetadataKeys(TypedDict):
    key: str
    type: MetadataType


class LocalFileGroupList(TypedDict):
    local_file_groups: list[LocalFileGroup]
    pagination: Pagination


class LocalFileGroupSync(TypedDict):
    locators: NotRequired[list[str]]
    """Read these files alone, by their names, and leave all others as they are"""
    mode: NotRequired[Literal["incremental", "full"]]
    """`full` does not trust what earlier jobs know"""


class LocalFileGroupErrors(TypedDict):
    errors: list[LocalFileGroupErrorsErrors]
    pagination: CursorPagination


class LocalFileGroupErrorsErrors(TypedDict):
    locator: str
    """Name of the file"""
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class LocalFileGroupForm(TypedDict):
    name: str
    files: list[str]
    """
    Each a part with a filename. A relative path in it is kept as the name of the file, so that files of
    equal names in several folders stay apart
    """
    last_modified: list[int]
    """Unix epoch milliseconds of each file: a part for each, in the order of the files, wherever they stand"""
    chunk_metadata_keys: NotRequired[str]
    """
    A JSON array of {"key", "type"}, with the types string, integer, float, date, datetime: columns of
    tables and members of JSON lines whose values become typed metadata of the content of their row
    """


class LocalFilesForm(TypedDict):
    files: list[str]
    """
    Each a part with a filename. A relative path in it is kept as the name of the file, so that files of
    equal names in several folders stay apart
    """
    last_modified: list[int]
    """Unix epoch milliseconds of each file: a part for each, in the order of the files, wherever they stand"""


class CreatedLocalFileGroup(TypedDict):
    source_group_id: str
    """Id of the source group, and of the local file group"""


class Push(TypedDict):
    id: str
    name: str
    status: JobStatus
    ingestion_setting_id: str
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    error: NotRequired[IngestionError]
    progress: PushProgress
    """Counts of the running job, told every 2 s, or of the last one"""
    metadata: PushMetadata
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    job_id: str
    """The newest job: what its executor reports under"""


class PushProgress(TypedDict):
    """Counts of the running job, told every 2 s, or of the last one"""
    seen: int
    """Visited: the sum of the four that follow"""
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int
    named_items: NotRequired[bool]
    """Present and true of a job over named items: its counts tell of these, not of the data source"""


class PushMetadata(TypedDict):
    records: list[PushMetadataRecords]


class PushMetadataRecords(TypedDict):
    key: str
    val: str
    type: Literal["string"]


class PushList(TypedDict):
    pushes: list[Push]
    pagination: Pagination


class PushCreate(TypedDict):
    name: str
    metadata: NotRequired[PushCreateMetadata]
    """Reserved for future use"""


class PushCreateMetadata(TypedDict):
    """Reserved for future use"""
    records: NotRequired[list[PushCreateMetadataRecords]]


class PushCreateMetadataRecords(TypedDict):
    key: str
    val: str
    type: NotRequired[Literal["string"]]


class PushErrors(TypedDict):
    errors: list[PushErrorsErrors]
    pagination: CursorPagination


class PushErrorsErrors(TypedDict):
    locator: str
    """Of the document"""
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class PushJobFailure(TypedDict):
    error: PushJobFailureError


class PushJobFailureError(TypedDict):
    title: str
    """A short stable phrase"""
    message: str
    """What happened to what. It is kept: no secrets"""


class DocumentForm(TypedDict):
    file: str
    """The document; the Content-Type of its part says what it is"""
    title: NotRequired[str]
    """Default: what the document says of itself, or the end of the locator"""
    url: NotRequired[str]
    """Where people open it, http or https. Default: where its bytes are to be had here"""
    metadata: NotRequired[str]
    """
    JSON, as in `PUT /sources/{id}/metadata`: {"records": [{"key", "val", "type"}]}, which replaces all
    records. Default: those that there are stay
    """


class Occurrences(TypedDict):
    occurrences: list[int]
    """When the schedule fires next, ascending"""


class ConnectionTest(TypedDict):
    reached: bool
    """Whether the provider let the secret in and has what is named"""
    items: NotRequired[int]
    """Of the first page of its listing; where it was reached"""
    more: NotRequired[bool]
    """Whether the listing goes on behind them"""
    first_item: NotRequired[str]
    """Locator of the first one"""
    error: NotRequired[ConnectionTestError]
    """What a job would fail with; where it was not reached"""


class ConnectionTestError(TypedDict):
    """What a job would fail with; where it was not reached"""
    code: str
    title: str
    """
    A short stable phrase, one of: Start URL not reachable, Page not reachable, Blocked by robots.txt,
    Address not allowed, Credentials rejected, Not found at the provider, Provider not reachable, Timed
    out, Too large, Parser failed, Not supported here, Storage not available, Unexpected error, Worker
    lost, Deletion failed. Later versions may add some
    """
    message: str
    """
    What happened to what. Of a job that is `queued`: what it waits for before another attempt. Of a crawl
    that is a `success`: that it lost more than 5 % of its pages
    """


class ScrapeRequest(TypedDict):
    url: str
    """Absolute http or https URL without user name and password"""
    formats: NotRequired[list[Literal["markdown", "html", "links", "metadata"]]]
    use_browser: NotRequired[bool]
    """Use a headless browser"""


class ScrapedPage(TypedDict):
    url: str
    """The URL that answered, after redirects"""
    markdown: NotRequired[str]
    """Its text as GitHub Flavored Markdown, without navigation, redacted as what is indexed"""
    html: NotRequired[str]
    """As it came, also where redaction hides some of its text"""
    links: NotRequired[list[str]]
    """Absolute, each once, in order of appearance, at most 10,000; without those marked nofollow"""
    metadata: NotRequired[ScrapedPageMetadata]


class ScrapedPageMetadata(TypedDict):
    title: str
    description: NotRequired[str]
    """As it describes itself, redacted"""
    language: NotRequired[str]
    """BCP 47, as its text shows or as it declares"""
    canonical_url: NotRequired[str]
    noindex: bool
    nofollow: bool
    status: int
    """HTTP status of the page"""
    media_type: str
    encoding: str
    """In which it was read"""
    bytes: int


class Actor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""


class AuditTrail(TypedDict):
    events: list[AuditEntry]
    pagination: CursorPagination


class RecordChanges(TypedDict):
    changes: list[RecordChangesChanges]
    pagination: CursorPagination


class RecordChangesChanges(TypedDict):
    position: str
    """Place of the event in the log: the record as of it is the one after"""
    stream: str
    revision: int
    """Number of the event within its stream"""
    type: str
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    trace_id: NotRequired[str]
    fields: list[RecordChangesChangesFields]


class RecordChangesChangesFields(TypedDict):
    path: str
    """JSON Pointer (RFC 6901) into the record; empty: the whole record"""
    before: NotRequired[Any]
    """Absent: it was not there"""
    after: NotRequired[Any]
    """Absent: it is not there any more"""


class LogPage(TypedDict):
    events: list[LogEvent]
    pagination: LogPagePagination


class LogPagePagination(TypedDict):
    limit: int
    has_more: bool
    next_id: NotRequired[str]
    """
    Cursor: send it as `after_position`. A page may have fewer events than `limit`, or none, where few of
    the log match
    """


class Checkpoint(TypedDict):
    size: int
    """Events that it covers"""
    root_hash: str
    """Root of the Merkle tree over them, in base64"""
    signed_at: int
    """Unix timestamp in seconds"""
    note: str
    """The signed note, with the signatures of witnesses"""
    witnesses: int
    """How many witnesses have signed it"""


class CheckpointList(TypedDict):
    checkpoints: list[Checkpoint]
    pagination: CheckpointListPagination


class CheckpointListPagination(TypedDict):
    limit: int
    has_more: bool
    next_id: NotRequired[int]
    """Send it as `after`"""


class VerifierKeys(TypedDict):
    origin: str
    """First line of each checkpoint: names installation and tenant"""
    keys: list[VerifierKeysKeys]


class VerifierKeysKeys(TypedDict):
    key: str
    since: int
    """Unix timestamp in seconds"""


class InclusionProof(TypedDict):
    index: int
    """Of the leaf"""
    leaf_hash: str
    """Hash of the leaf, in base64"""
    leaf: str
    """Canonical form of the event (RFC 8785), which is hashed"""
    event: NotRequired[InclusionProofEvent]
    hidden: NotRequired[dict[str, InclusionProofHidden1 | InclusionProofHidden2]]
    """
    Fields of `data` that enter the leaf as SHA-256 of a salt and the canonical value: the salt, or for a
    key that may not see the value the hash
    """
    hashes: list[str]
    """In base64, in the order of the RFC"""
    checkpoint: Checkpoint


class InclusionProofEvent(TypedDict):
    id: str
    stream: str
    revision: int
    type: str
    data: dict[str, Any]
    metadata: dict[str, Any]


class InclusionProofHidden1(TypedDict):
    salt: str


class InclusionProofHidden2(TypedDict):
    hash: str


ConsistencyProof = TypedDict(
    "ConsistencyProof",
    {"from": "int", "to": "int", "hashes": "list[str]"},
)


class DataSourceRegisteredData(TypedDict):
    """The data source begins, with its first job"""
    subject: DataSourceRegisteredDataSubjectCrawl | DataSourceRegisteredDataSubjectRepo | DataSourceRegisteredDataSubjectCloudDrive | DataSourceRegisteredDataSubjectWiki | DataSourceRegisteredDataSubjectLocalFileGroup | DataSourceRegisteredDataSubjectPush
    ingestion_setting_id: str
    metadata: list[DataSourceRegisteredDataMetadata]
    job_id: str
    at: int
    """Unix milliseconds"""


class DataSourceRegisteredDataSubjectCrawl(TypedDict):
    kind: Literal["crawl"]
    start_url: str


class DataSourceRegisteredDataSubjectRepo(TypedDict):
    kind: Literal["repo"]
    repository: str
    reference_type: str
    reference_param: str
    path_filters: list[str]


class DataSourceRegisteredDataSubjectCloudDrive(TypedDict):
    kind: Literal["cloud_drive"]
    folder_url: str


class DataSourceRegisteredDataSubjectWiki(TypedDict):
    kind: Literal["wiki"]
    page_id: str


class DataSourceRegisteredDataSubjectLocalFileGroup(TypedDict):
    kind: Literal["local_file_group"]
    chunk_metadata_keys: NotRequired[list[DataSourceRegisteredDataSubjectLocalFileGroupChunkMetadataKeys]]


class DataSourceRegisteredDataSubjectLocalFileGroupChunkMetadataKeys(TypedDict):
    key: str
    type: MetadataType


class DataSourceRegisteredDataSubjectPush(TypedDict):
    kind: Literal["push"]


class DataSourceRegisteredDataMetadata(TypedDict):
    key: str
    val: str


class JobQueuedData(TypedDict):
    """The job waits for a worker"""
    job_id: str
    attempt: Literal[1]
    trigger: Literal["create", "sync", "schedule", "upload", "push", "recovery"]
    mode: Literal["incremental", "full"]
    generation: int
    """Number of the job within the data source"""
    due_at: NotRequired[int]
    """Unix milliseconds"""
    locators: NotRequired[list[str]]
    """The items that it looks at alone"""
    at: int
    """Unix milliseconds"""


class JobClaimedData(TypedDict):
    """A worker takes the job"""
    job_id: str
    worker_id: str
    epoch: int
    """Fencing token: higher than that of every earlier claim"""
    at: int
    """Unix milliseconds"""


class JobHandedOffData(TypedDict):
    """The job is done elsewhere"""
    job_id: str
    executor: str
    external_id: str
    epoch: int
    """Fencing token: higher than that of every earlier claim"""
    at: int
    """Unix milliseconds"""


class JobStartedData(TypedDict):
    """The work begins"""
    job_id: str
    attempt: int
    at: int
    """Unix milliseconds"""


class JobProgressedData(TypedDict):
    """How far the job is"""
    job_id: str
    counts: JobProgressedDataCounts
    at: int
    """Unix milliseconds"""


class JobProgressedDataCounts(TypedDict):
    seen: int
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int


class JobSucceededData(TypedDict):
    """The job is done"""
    job_id: str
    counts: JobSucceededDataCounts
    generation: int
    """Number of the job within the data source"""
    after_cancel_request: bool
    error: NotRequired[JobSucceededDataError]
    at: int
    """Unix milliseconds"""


class JobSucceededDataCounts(TypedDict):
    seen: int
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int


class JobSucceededDataError(TypedDict):
    title: str
    message: str


class JobFailedData(TypedDict):
    """The job has failed for good"""
    job_id: str
    error: JobFailedDataError
    code: str
    counts: NotRequired[JobFailedDataCounts]
    at: int
    """Unix milliseconds"""


class JobFailedDataError(TypedDict):
    title: str
    message: str


class JobFailedDataCounts(TypedDict):
    seen: int
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int


class JobRequeuedData(TypedDict):
    """The job waits for another attempt"""
    job_id: str
    reason: str
    attempt: int
    not_before: int
    """Unix milliseconds"""
    error: NotRequired[JobRequeuedDataError]
    at: int
    """Unix milliseconds"""


class JobRequeuedDataError(TypedDict):
    title: str
    message: str


class JobCancelRequestedData(TypedDict):
    """Somebody asked for the job to end"""
    job_id: str
    at: int
    """Unix milliseconds"""


class JobCanceledData(TypedDict):
    """The job has ended because somebody asked"""
    job_id: str
    by: Literal["caller", "worker", "worker_lost", "timeout"]
    counts: NotRequired[JobCanceledDataCounts]
    error: NotRequired[JobCanceledDataError]
    at: int
    """Unix milliseconds"""


class JobCanceledDataCounts(TypedDict):
    seen: int
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int


class JobCanceledDataError(TypedDict):
    title: str
    message: str


class DataSourceDeletionRequestedData(TypedDict):
    """Nothing of the data source is shown from now on"""
    interrupted_job_id: str | None
    at: int
    """Unix milliseconds"""


class DataSourceDeletedData(TypedDict):
    """What was removed"""
    contents: int
    sources: int
    bytes: int
    at: int
    """Unix milliseconds"""


class DataSourceDeletionFailedData(TypedDict):
    """Not all could be removed"""
    error: DataSourceDeletionFailedDataError
    at: int
    """Unix milliseconds"""


class DataSourceDeletionFailedDataError(TypedDict):
    title: str
    message: str


class JobStatusLostData(TypedDict):
    """Nobody knows how the job does"""
    job_id: str
    at: int
    """Unix milliseconds"""


class JobStatusReconciledData(TypedDict):
    """How the job does is known again"""
    job_id: str
    status: Literal["managed", "success", "failure", "canceled"]
    error: NotRequired[JobStatusReconciledDataError]
    counts: NotRequired[JobStatusReconciledDataCounts]
    at: int
    """Unix milliseconds"""


class JobStatusReconciledDataError(TypedDict):
    title: str
    message: str


class JobStatusReconciledDataCounts(TypedDict):
    seen: int
    indexed: int
    unchanged: int
    skipped: int
    failed: int
    bytes: int


class FilesUploadedData(TypedDict):
    """A caller put files into the group; the job is the first that reads them"""
    job_id: str
    list: FilesUploadedDataList
    added: int
    replaced: int
    bytes: int
    chunk_metadata_keys: NotRequired[list[FilesUploadedDataChunkMetadataKeys]]
    at: int
    """Unix milliseconds"""


class FilesUploadedDataList(TypedDict):
    sha256: str
    bytes: int


class FilesUploadedDataChunkMetadataKeys(TypedDict):
    key: str
    type: MetadataType


class ScheduleTickSkippedData(TypedDict):
    """The schedule came round while a job was at work"""
    due_at: int
    """Unix milliseconds"""
    at: int
    """Unix milliseconds"""


class IngestionSettingCreatedData(TypedDict):
    """Name, parameters and schedule at the beginning"""
    data_source_id: str
    name: str
    parameters: IngestionSettingCreatedDataParametersCrawl | IngestionSettingCreatedDataParametersRepo | IngestionSettingCreatedDataParametersCloudDrive | IngestionSettingCreatedDataParametersWiki | IngestionSettingCreatedDataParametersLocalFileGroup | IngestionSettingCreatedDataParametersPush
    schedule: IngestionSettingCreatedDataSchedule | None
    at: int
    """Unix milliseconds"""


class IngestionSettingCreatedDataParametersCrawl(TypedDict):
    kind: Literal["crawl"]
    start_url: str
    max_depth: int
    max_num_files: int
    path_filters: list[str]
    content_pattern: list[str]
    html_only: bool
    use_browser: bool
    no_canonical_check: bool
    file_extensions: list[str]


class IngestionSettingCreatedDataParametersRepo(TypedDict):
    kind: Literal["repo"]
    repository: str
    reference_type: str
    reference_param: str
    path_filters: list[str]
    secret_id: str | None


class IngestionSettingCreatedDataParametersCloudDrive(TypedDict):
    kind: Literal["cloud_drive"]
    folder_url: str
    secret_id: str | None


class IngestionSettingCreatedDataParametersWiki(TypedDict):
    kind: Literal["wiki"]
    page_id: str
    include_children: bool
    secret_id: str | None


class IngestionSettingCreatedDataParametersLocalFileGroup(TypedDict):
    kind: Literal["local_file_group"]
    chunk_metadata_keys: list[IngestionSettingCreatedDataParametersLocalFileGroupChunkMetadataKeys]


class IngestionSettingCreatedDataParametersLocalFileGroupChunkMetadataKeys(TypedDict):
    key: str
    type: MetadataType


class IngestionSettingCreatedDataParametersPush(TypedDict):
    kind: Literal["push"]


class IngestionSettingCreatedDataSchedule(TypedDict):
    rrule: str
    start: int
    """Unix milliseconds"""


class IngestionSettingRenamedData(TypedDict):
    """Its name from now on"""
    name: str
    at: int
    """Unix milliseconds"""


class IngestionParametersChangedData(TypedDict):
    """All parameters, from the next job on"""
    parameters: IngestionParametersChangedDataParametersCrawl | IngestionParametersChangedDataParametersRepo | IngestionParametersChangedDataParametersCloudDrive | IngestionParametersChangedDataParametersWiki | IngestionParametersChangedDataParametersLocalFileGroup | IngestionParametersChangedDataParametersPush
    at: int
    """Unix milliseconds"""


class IngestionParametersChangedDataParametersCrawl(TypedDict):
    kind: Literal["crawl"]
    start_url: str
    max_depth: int
    max_num_files: int
    path_filters: list[str]
    content_pattern: list[str]
    html_only: bool
    use_browser: bool
    no_canonical_check: bool
    file_extensions: list[str]


class IngestionParametersChangedDataParametersRepo(TypedDict):
    kind: Literal["repo"]
    repository: str
    reference_type: str
    reference_param: str
    path_filters: list[str]
    secret_id: str | None


class IngestionParametersChangedDataParametersCloudDrive(TypedDict):
    kind: Literal["cloud_drive"]
    folder_url: str
    secret_id: str | None


class IngestionParametersChangedDataParametersWiki(TypedDict):
    kind: Literal["wiki"]
    page_id: str
    include_children: bool
    secret_id: str | None


class IngestionParametersChangedDataParametersLocalFileGroup(TypedDict):
    kind: Literal["local_file_group"]
    chunk_metadata_keys: list[IngestionParametersChangedDataParametersLocalFileGroupChunkMetadataKeys]


class IngestionParametersChangedDataParametersLocalFileGroupChunkMetadataKeys(TypedDict):
    key: str
    type: MetadataType


class IngestionParametersChangedDataParametersPush(TypedDict):
    kind: Literal["push"]


class ScheduleSetData(TypedDict):
    """Its schedule from now on"""
    schedule: ScheduleSetDataSchedule
    at: int
    """Unix milliseconds"""


class ScheduleSetDataSchedule(TypedDict):
    rrule: str
    start: int
    """Unix milliseconds"""


class ScheduleRemovedData(TypedDict):
    """No schedule from now on"""
    at: int
    """Unix milliseconds"""


class SourceIndexedData(TypedDict):
    """The document was read, and has changed"""
    data_source_id: str
    source_type: SourceType
    locator: str
    """Canonical URL, path or id: what makes the document this document"""
    job_id: str
    generation: int
    url: str
    title: str
    language: NotRequired[str]
    file_type: str
    media_type: str
    raw: SourceIndexedDataRaw
    chunk_set: SourceIndexedDataChunkSet
    at: int
    """Unix milliseconds"""


class SourceIndexedDataRaw(TypedDict):
    sha256: str
    bytes: int


class SourceIndexedDataChunkSet(TypedDict):
    sha256: str
    bytes: int
    chunks: int


class SourceSkippedData(TypedDict):
    """The document is left out"""
    data_source_id: str
    source_type: SourceType
    locator: str
    """Canonical URL, path or id: what makes the document this document"""
    job_id: str
    generation: int
    url: NotRequired[str]
    title: NotRequired[str]
    reason: str
    at: int
    """Unix milliseconds"""


class SourceFailedData(TypedDict):
    """The document could not be read"""
    data_source_id: str
    source_type: SourceType
    locator: str
    """Canonical URL, path or id: what makes the document this document"""
    job_id: str
    generation: int
    url: NotRequired[str]
    title: NotRequired[str]
    code: str
    message: str
    at: int
    """Unix milliseconds"""


class SourceRemovedData(TypedDict):
    """The document is there no more"""
    data_source_id: str
    reason: str
    job_id: str | None
    generation: int
    at: int
    """Unix milliseconds"""


class SourceMetadataReplacedData(TypedDict):
    """All metadata of the document, from now on"""
    records: list[SourceMetadataReplacedDataRecords]
    provided: NotRequired[list[SourceMetadataReplacedDataProvided]]
    """What the provider of the document says of it. Absent: a caller wrote the records"""
    at: int
    """Unix milliseconds"""


class SourceMetadataReplacedDataRecords(TypedDict):
    key: str
    val: str
    type: MetadataType


class SourceMetadataReplacedDataProvided(TypedDict):
    key: str
    val: str
    type: MetadataType


class SourceMetadataDeletedData(TypedDict):
    """No metadata from now on"""
    at: int
    """Unix milliseconds"""


class ApiKeyIssuedData(TypedDict):
    """A key, and what it may do"""
    key_id: str
    name: str
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: list[str] | None
    expires_at: int | None
    requests_per_minute: int | None
    at: int
    """Unix milliseconds"""


class ApiKeyRotatedData(TypedDict):
    """Another key, with the same id and powers"""
    key_id: str
    at: int
    """Unix milliseconds"""


class ApiKeyRevokedData(TypedDict):
    """The key opens nothing any more"""
    key_id: str
    at: int
    """Unix milliseconds"""


class TagCreatedData(TypedDict):
    """A tag begins"""
    tag_id: str
    name: str
    description: str
    at: int
    """Unix milliseconds"""


class TagChangedData(TypedDict):
    """Name and description from now on"""
    tag_id: str
    name: str
    description: str
    at: int
    """Unix milliseconds"""


class TagDeletedData(TypedDict):
    """The tag and its bindings end"""
    tag_id: str
    at: int
    """Unix milliseconds"""


class TagBoundData(TypedDict):
    """A source group carries the tag"""
    tag_id: str
    binding_id: str
    source_group_id: str
    at: int
    """Unix milliseconds"""


class TagUnboundData(TypedDict):
    """A source group carries the tag no more"""
    tag_id: str
    binding_id: str
    source_group_id: str
    at: int
    """Unix milliseconds"""


class ConversationStartedData(TypedDict):
    """A conversation begins"""
    principal_id: str | None
    at: int
    """Unix milliseconds"""


class UserMessageAddedData(TypedDict):
    """Something was asked"""
    message_id: str
    parent_id: str | None
    at: int
    """Unix milliseconds"""


class AnswerBegunData(TypedDict):
    """An answer is being written"""
    message_id: str
    parent_id: str
    source_group_ids: list[str] | None
    at: int
    """Unix milliseconds"""


class AnswerFinishedData(TypedDict):
    """The answer is written"""
    message_id: str
    finish_reason: str
    model: str
    usage: AnswerFinishedDataUsage | None
    cited_content_ids: list[str]
    cut: bool
    at: int
    """Unix milliseconds"""


class AnswerFinishedDataUsage(TypedDict):
    input_tokens: int
    output_tokens: int


class AnswerFailedData(TypedDict):
    """There is no answer"""
    message_id: str
    code: str
    at: int
    """Unix milliseconds"""


class ConversationDeletedData(TypedDict):
    """Nobody can read what was said any more"""
    at: int
    """Unix milliseconds"""


class AuthzPolicyCreatedData(TypedDict):
    """An authz policy begins"""
    policy_id: str
    name: str
    description: str
    source_metadata: dict[str, Any] | None
    chunk_metadata: dict[str, Any] | None
    at: int
    """Unix milliseconds"""


class AuthzPolicyChangedData(TypedDict):
    """All of its rules, from now on"""
    name: str
    description: str
    source_metadata: dict[str, Any] | None
    chunk_metadata: dict[str, Any] | None
    at: int
    """Unix milliseconds"""


class AuthzPolicyDeletedData(TypedDict):
    """Requests that name it are refused"""
    name: str
    at: int
    """Unix milliseconds"""


class AuthzAttributesSetData(TypedDict):
    """All that the policy knows of the principal"""
    principal_id: str
    authz_policy: str
    attributes: dict[str, Any]
    at: int
    """Unix milliseconds"""


class AuthzAttributesDeletedData(TypedDict):
    """No policy knows anything of the principal"""
    principal_id: str
    at: int
    """Unix milliseconds"""


class RedactionPolicyCreatedData(TypedDict):
    """A redaction policy begins"""
    name: str
    rules: list[RedactionPolicyCreatedDataRules]
    applies_to: list[Literal["ingestion", "content", "completion", "agent"]]
    at: int
    """Unix milliseconds"""


class RedactionPolicyCreatedDataRules(TypedDict):
    name: str
    kind: Literal["pattern", "email", "phone", "card", "iban", "ip", "national_id", "key"]
    pattern: NotRequired[str]
    replacement: NotRequired[str]


class RedactionPolicyChangedData(TypedDict):
    """All of it, from now on"""
    name: str
    rules: list[RedactionPolicyChangedDataRules]
    applies_to: list[Literal["ingestion", "content", "completion", "agent"]]
    at: int
    """Unix milliseconds"""


class RedactionPolicyChangedDataRules(TypedDict):
    name: str
    kind: Literal["pattern", "email", "phone", "card", "iban", "ip", "national_id", "key"]
    pattern: NotRequired[str]
    replacement: NotRequired[str]


class RedactionPolicyDeletedData(TypedDict):
    """It hides nothing any more"""
    at: int
    """Unix milliseconds"""


class SecretCreatedData(TypedDict):
    """A secret is kept"""
    name: str
    secret_type: Literal["token", "basic", "oauth_refresh", "service_account", "app"]
    value_id: str
    """Names the value, which is in no event"""
    expires_at: int | None
    at: int
    """Unix milliseconds"""


class SecretChangedData(TypedDict):
    """Name and expiry from now on"""
    name: str
    expires_at: int | None
    at: int
    """Unix milliseconds"""


class SecretValueReplacedData(TypedDict):
    """A caller has given another value"""
    value_id: str
    """Names the value, which is in no event"""
    at: int
    """Unix milliseconds"""


class SecretRenewedData(TypedDict):
    """The provider has given another token"""
    value_id: str
    """Names the value, which is in no event"""
    at: int
    """Unix milliseconds"""


class SecretAttachedData(TypedDict):
    """A data source names it"""
    data_source_id: str
    at: int
    """Unix milliseconds"""


class SecretDetachedData(TypedDict):
    """A data source names it no more"""
    data_source_id: str
    at: int
    """Unix milliseconds"""


class SecretDeletedData(TypedDict):
    """Nobody can read its value any more"""
    at: int
    """Unix milliseconds"""


WebhookCreatedData = TypedDict(
    "WebhookCreatedData",
    {"url": "str", "description": "str", "types": "list[str] | None", "categories": "list[str] | None", "source_group_ids": "list[str] | None", "secret_id": "str", "from": "str", "at": "int"},
)


class WebhookChangedData(TypedDict):
    """All of the subscription, from now on"""
    url: str
    description: str
    types: list[str] | None
    categories: list[str] | None
    source_group_ids: list[str] | None
    at: int
    """Unix milliseconds"""


class WebhookEnabledData(TypedDict):
    """Deliveries go on where they stopped"""
    at: int
    """Unix milliseconds"""


class WebhookDisabledData(TypedDict):
    """Nothing is sent any more"""
    because: Literal["caller", "failing", "gone"]
    detail: str
    """The last answer of the receiver"""
    at: int
    """Unix milliseconds"""


class WebhookSecretRotatedData(TypedDict):
    """Another secret signs, and the one before for a while"""
    secret_id: str
    """Names the secret, which is in no event"""
    previous_until: int
    """Unix milliseconds"""
    at: int
    """Unix milliseconds"""


class WebhookDeletedData(TypedDict):
    """Its secrets and deliveries are erased"""
    at: int
    """Unix milliseconds"""


class CompletionKeyClaimedData(TypedDict):
    """An Idempotency-Key leads to an answer"""
    conversation_id: str
    answer_id: str
    at: int
    """Unix milliseconds"""


class IdempotencyKeyClaimedData(TypedDict):
    """A request holds an Idempotency-Key"""
    operation: str
    body_hash: str
    ids: list[str]
    at: int
    """Unix milliseconds"""


class IdempotencyKeyReleasedData(TypedDict):
    """A request that held it was refused"""
    at: int
    """Unix milliseconds"""


class IdempotencyKeyUsedData(TypedDict):
    """A repeated request was answered"""
    at: int
    """Unix milliseconds"""


class AgentThreadStartedData(TypedDict):
    """A thread begins"""
    principal_id: str | None
    at: int
    """Unix milliseconds"""


class RunAdmittedData(TypedDict):
    """A run is part of the thread, and is pending"""
    run_id: str
    ended: list[str]
    principal_id: str | None
    parent_run_id: str | None
    after_run_id: str | None
    workflow_type: str
    provider: Literal["PROVIDER_A_DIRECT", "PROVIDER_B", "PROVIDER_C", "PROVIDER_D"] | None
    execution_mode: Literal["LOCAL", "MANAGED_RUNTIME"]
    runtime_arn: str | None
    input_history_mode: Literal["legacy_full", "delta_v1"]
    key_id: str
    """Of the API key or the person that asked"""
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: list[str] | None
    reach: list[str] | None
    authz_policy: str | None
    titled: bool
    at: int
    """Unix milliseconds"""


class AgentThreadDeletedData(TypedDict):
    """Nobody can read the thread and its runs any more"""
    at: int
    """Unix milliseconds"""


class RunQueuedData(TypedDict):
    """A run waits for a worker, or for the run before it"""
    thread_id: str
    principal_id: str | None
    parent_run_id: str | None
    after_run_id: str | None
    workflow_type: str
    provider: Literal["PROVIDER_A_DIRECT", "PROVIDER_B", "PROVIDER_C", "PROVIDER_D"] | None
    execution_mode: Literal["LOCAL", "MANAGED_RUNTIME"]
    runtime_arn: str | None
    input_history_mode: Literal["legacy_full", "delta_v1"]
    key_id: str
    """Of the API key or the person that asked"""
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: list[str] | None
    reach: list[str] | None
    authz_policy: str | None
    titled: bool
    at: int
    """Unix milliseconds"""


class RunStartedData(TypedDict):
    """A worker executes the run; what it knows of the thread is settled"""
    worker_id: str
    context_start_run_id: str | None
    context_truncated: bool
    context_messages: int
    context_digest: str
    at: int
    """Unix milliseconds"""


class RunHandedOverData(TypedDict):
    """The run is put to a runtime that somebody else operates, which has not been asked yet"""
    runtime_arn: str
    runtime_session_id: str
    request: RunHandedOverDataRequest
    at: int
    """Unix milliseconds"""


class RunHandedOverDataRequest(TypedDict):
    body_id: str
    digest: str
    bytes: int


class RunEmittedData(TypedDict):
    """Something happened in the run"""
    emission: RunEmittedDataEmissionStep | RunEmittedDataEmissionModelCalled | RunEmittedDataEmissionText | RunEmittedDataEmissionReasoning | RunEmittedDataEmissionModelAnswered | RunEmittedDataEmissionToolCalled | RunEmittedDataEmissionToolAnswered | RunEmittedDataEmissionCitations | RunEmittedDataEmissionNote
    body: RunEmittedDataBody | None
    at: int
    """Unix milliseconds"""


class RunEmittedDataEmissionStep(TypedDict):
    kind: Literal["step"]
    step: int


class RunEmittedDataEmissionModelCalled(TypedDict):
    kind: Literal["model_called"]
    step: int
    model: str
    message_count: int


class RunEmittedDataEmissionText(TypedDict):
    kind: Literal["text"]
    step: int


class RunEmittedDataEmissionReasoning(TypedDict):
    kind: Literal["reasoning"]
    step: int


class RunEmittedDataEmissionModelAnswered(TypedDict):
    kind: Literal["model_answered"]
    step: int
    model: str
    usage: RunEmittedDataEmissionModelAnsweredUsage | None
    finish_reason: str


class RunEmittedDataEmissionModelAnsweredUsage(TypedDict):
    input_tokens: int
    output_tokens: int


class RunEmittedDataEmissionToolCalled(TypedDict):
    kind: Literal["tool_called"]
    step: int
    call_id: str
    tool: str
    read_only: bool


class RunEmittedDataEmissionToolAnswered(TypedDict):
    kind: Literal["tool_answered"]
    step: int
    call_id: str
    is_error: bool
    truncated: bool


class RunEmittedDataEmissionCitations(TypedDict):
    kind: Literal["citations"]
    content_ids: list[str]


class RunEmittedDataEmissionNote(TypedDict):
    kind: Literal["note"]
    code: str


class RunEmittedDataBody(TypedDict):
    body_id: str
    digest: str
    bytes: int


class RunSucceededData(TypedDict):
    """The run has its result"""
    result: RunSucceededDataResult
    messages: RunSucceededDataMessages
    at: int
    """Unix milliseconds"""


class RunSucceededDataResult(TypedDict):
    body_id: str
    digest: str
    bytes: int


class RunSucceededDataMessages(TypedDict):
    body_id: str
    digest: str
    bytes: int


class RunFailedData(TypedDict):
    """The run came to nothing"""
    code: str
    message: RunFailedDataMessage | None
    open_tool_calls: list[RunFailedDataOpenToolCalls]
    """Tools that were called and did not answer"""
    at: int
    """Unix milliseconds"""


class RunFailedDataMessage(TypedDict):
    body_id: str
    digest: str
    bytes: int


class RunFailedDataOpenToolCalls(TypedDict):
    call_id: str
    tool: str
    read_only: bool


class RunCancelRequestedData(TypedDict):
    """The run is asked to stop"""
    at: int
    """Unix milliseconds"""


class RunCancelledData(TypedDict):
    """The run was stopped"""
    by: Literal["caller", "worker", "timeout", "lost"]
    code: str | None
    message: RunCancelledDataMessage | None
    open_tool_calls: list[RunCancelledDataOpenToolCalls]
    """Tools that were called and did not answer"""
    at: int
    """Unix milliseconds"""


class RunCancelledDataMessage(TypedDict):
    body_id: str
    digest: str
    bytes: int


class RunCancelledDataOpenToolCalls(TypedDict):
    call_id: str
    tool: str
    read_only: bool


class AgentRunKeyClaimedData(TypedDict):
    """An Idempotency-Key leads to a run"""
    thread_id: str
    run_id: str
    at: int
    """Unix milliseconds"""


class AgentRunKeyReleasedData(TypedDict):
    """A request that held it was refused"""
    run_id: str
    at: int
    """Unix milliseconds"""


class AuditEntryDataSourceRegistered(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["DataSourceRegistered"]
    data: DataSourceRegisteredData


class AuditEntryJobQueued(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobQueued"]
    data: JobQueuedData


class AuditEntryJobClaimed(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobClaimed"]
    data: JobClaimedData


class AuditEntryJobHandedOff(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobHandedOff"]
    data: JobHandedOffData


class AuditEntryJobStarted(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobStarted"]
    data: JobStartedData


class AuditEntryJobProgressed(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobProgressed"]
    data: JobProgressedData


class AuditEntryJobSucceeded(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobSucceeded"]
    data: JobSucceededData


class AuditEntryJobFailed(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobFailed"]
    data: JobFailedData


class AuditEntryJobRequeued(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobRequeued"]
    data: JobRequeuedData


class AuditEntryJobCancelRequested(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobCancelRequested"]
    data: JobCancelRequestedData


class AuditEntryJobCanceled(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobCanceled"]
    data: JobCanceledData


class AuditEntryDataSourceDeletionRequested(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["DataSourceDeletionRequested"]
    data: DataSourceDeletionRequestedData


class AuditEntryDataSourceDeleted(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["DataSourceDeleted"]
    data: DataSourceDeletedData


class AuditEntryDataSourceDeletionFailed(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["DataSourceDeletionFailed"]
    data: DataSourceDeletionFailedData


class AuditEntryJobStatusLost(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobStatusLost"]
    data: JobStatusLostData


class AuditEntryJobStatusReconciled(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["JobStatusReconciled"]
    data: JobStatusReconciledData


class AuditEntryFilesUploaded(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["FilesUploaded"]
    data: FilesUploadedData


class AuditEntryScheduleTickSkipped(TypedDict):
    revision: int
    """Number of the event within the data source, without gaps"""
    position: str
    """Of the event in the log, as `GET /events` has it"""
    time: int
    """Unix timestamp in seconds"""
    actor: Actor
    job_id: NotRequired[str]
    attempt: NotRequired[int]
    from_status: NotRequired[AuditEntryDataSourceRegisteredFromStatus]
    to_status: AuditEntryDataSourceRegisteredFromStatus
    trace_id: NotRequired[str]
    type: Literal["ScheduleTickSkipped"]
    data: ScheduleTickSkippedData


class LogEventDataSourceRegistered(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventDataSourceRegisteredActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["DataSourceRegistered"]
    data: DataSourceRegisteredData


class LogEventDataSourceRegisteredActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobQueued(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobQueuedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobQueued"]
    data: JobQueuedData


class LogEventJobQueuedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobClaimed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobClaimedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobClaimed"]
    data: JobClaimedData


class LogEventJobClaimedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobHandedOff(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobHandedOffActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobHandedOff"]
    data: JobHandedOffData


class LogEventJobHandedOffActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobStarted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobStartedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobStarted"]
    data: JobStartedData


class LogEventJobStartedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobProgressed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobProgressedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobProgressed"]
    data: JobProgressedData


class LogEventJobProgressedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobSucceeded(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobSucceededActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobSucceeded"]
    data: JobSucceededData


class LogEventJobSucceededActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobFailed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobFailedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobFailed"]
    data: JobFailedData


class LogEventJobFailedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobRequeued(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobRequeuedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobRequeued"]
    data: JobRequeuedData


class LogEventJobRequeuedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobCancelRequested(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobCancelRequestedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobCancelRequested"]
    data: JobCancelRequestedData


class LogEventJobCancelRequestedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobCanceled(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobCanceledActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobCanceled"]
    data: JobCanceledData


class LogEventJobCanceledActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventDataSourceDeletionRequested(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventDataSourceDeletionRequestedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["DataSourceDeletionRequested"]
    data: DataSourceDeletionRequestedData


class LogEventDataSourceDeletionRequestedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventDataSourceDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventDataSourceDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["DataSourceDeleted"]
    data: DataSourceDeletedData


class LogEventDataSourceDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventDataSourceDeletionFailed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventDataSourceDeletionFailedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["DataSourceDeletionFailed"]
    data: DataSourceDeletionFailedData


class LogEventDataSourceDeletionFailedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobStatusLost(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobStatusLostActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobStatusLost"]
    data: JobStatusLostData


class LogEventJobStatusLostActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventJobStatusReconciled(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventJobStatusReconciledActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["JobStatusReconciled"]
    data: JobStatusReconciledData


class LogEventJobStatusReconciledActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventFilesUploaded(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventFilesUploadedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["FilesUploaded"]
    data: FilesUploadedData


class LogEventFilesUploadedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventScheduleTickSkipped(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventScheduleTickSkippedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ScheduleTickSkipped"]
    data: ScheduleTickSkippedData


class LogEventScheduleTickSkippedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventIngestionSettingCreated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventIngestionSettingCreatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["IngestionSettingCreated"]
    data: IngestionSettingCreatedData


class LogEventIngestionSettingCreatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventIngestionSettingRenamed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventIngestionSettingRenamedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["IngestionSettingRenamed"]
    data: IngestionSettingRenamedData


class LogEventIngestionSettingRenamedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventIngestionParametersChanged(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventIngestionParametersChangedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["IngestionParametersChanged"]
    data: IngestionParametersChangedData


class LogEventIngestionParametersChangedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventScheduleSet(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventScheduleSetActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ScheduleSet"]
    data: ScheduleSetData


class LogEventScheduleSetActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventScheduleRemoved(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventScheduleRemovedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ScheduleRemoved"]
    data: ScheduleRemovedData


class LogEventScheduleRemovedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSourceIndexed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSourceIndexedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SourceIndexed"]
    data: SourceIndexedData


class LogEventSourceIndexedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSourceSkipped(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSourceSkippedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SourceSkipped"]
    data: SourceSkippedData


class LogEventSourceSkippedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSourceFailed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSourceFailedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SourceFailed"]
    data: SourceFailedData


class LogEventSourceFailedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSourceRemoved(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSourceRemovedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SourceRemoved"]
    data: SourceRemovedData


class LogEventSourceRemovedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSourceMetadataReplaced(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSourceMetadataReplacedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SourceMetadataReplaced"]
    data: SourceMetadataReplacedData


class LogEventSourceMetadataReplacedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSourceMetadataDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSourceMetadataDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SourceMetadataDeleted"]
    data: SourceMetadataDeletedData


class LogEventSourceMetadataDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventApiKeyIssued(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventApiKeyIssuedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ApiKeyIssued"]
    data: ApiKeyIssuedData


class LogEventApiKeyIssuedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventApiKeyRotated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventApiKeyRotatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ApiKeyRotated"]
    data: ApiKeyRotatedData


class LogEventApiKeyRotatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventApiKeyRevoked(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventApiKeyRevokedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ApiKeyRevoked"]
    data: ApiKeyRevokedData


class LogEventApiKeyRevokedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventTagCreated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventTagCreatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["TagCreated"]
    data: TagCreatedData


class LogEventTagCreatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventTagChanged(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventTagChangedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["TagChanged"]
    data: TagChangedData


class LogEventTagChangedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventTagDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventTagDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["TagDeleted"]
    data: TagDeletedData


class LogEventTagDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventTagBound(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventTagBoundActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["TagBound"]
    data: TagBoundData


class LogEventTagBoundActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventTagUnbound(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventTagUnboundActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["TagUnbound"]
    data: TagUnboundData


class LogEventTagUnboundActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventConversationStarted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventConversationStartedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ConversationStarted"]
    data: ConversationStartedData


class LogEventConversationStartedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventUserMessageAdded(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventUserMessageAddedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["UserMessageAdded"]
    data: UserMessageAddedData


class LogEventUserMessageAddedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAnswerBegun(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAnswerBegunActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AnswerBegun"]
    data: AnswerBegunData


class LogEventAnswerBegunActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAnswerFinished(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAnswerFinishedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AnswerFinished"]
    data: AnswerFinishedData


class LogEventAnswerFinishedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAnswerFailed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAnswerFailedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AnswerFailed"]
    data: AnswerFailedData


class LogEventAnswerFailedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventConversationDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventConversationDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["ConversationDeleted"]
    data: ConversationDeletedData


class LogEventConversationDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAuthzPolicyCreated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAuthzPolicyCreatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AuthzPolicyCreated"]
    data: AuthzPolicyCreatedData


class LogEventAuthzPolicyCreatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAuthzPolicyChanged(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAuthzPolicyChangedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AuthzPolicyChanged"]
    data: AuthzPolicyChangedData


class LogEventAuthzPolicyChangedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAuthzPolicyDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAuthzPolicyDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AuthzPolicyDeleted"]
    data: AuthzPolicyDeletedData


class LogEventAuthzPolicyDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAuthzAttributesSet(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAuthzAttributesSetActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AuthzAttributesSet"]
    data: AuthzAttributesSetData


class LogEventAuthzAttributesSetActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAuthzAttributesDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAuthzAttributesDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AuthzAttributesDeleted"]
    data: AuthzAttributesDeletedData


class LogEventAuthzAttributesDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRedactionPolicyCreated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRedactionPolicyCreatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RedactionPolicyCreated"]
    data: RedactionPolicyCreatedData


class LogEventRedactionPolicyCreatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRedactionPolicyChanged(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRedactionPolicyChangedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RedactionPolicyChanged"]
    data: RedactionPolicyChangedData


class LogEventRedactionPolicyChangedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRedactionPolicyDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRedactionPolicyDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RedactionPolicyDeleted"]
    data: RedactionPolicyDeletedData


class LogEventRedactionPolicyDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretCreated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretCreatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretCreated"]
    data: SecretCreatedData


class LogEventSecretCreatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretChanged(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretChangedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretChanged"]
    data: SecretChangedData


class LogEventSecretChangedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretValueReplaced(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretValueReplacedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretValueReplaced"]
    data: SecretValueReplacedData


class LogEventSecretValueReplacedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretRenewed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretRenewedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretRenewed"]
    data: SecretRenewedData


class LogEventSecretRenewedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretAttached(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretAttachedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretAttached"]
    data: SecretAttachedData


class LogEventSecretAttachedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretDetached(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretDetachedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretDetached"]
    data: SecretDetachedData


class LogEventSecretDetachedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventSecretDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventSecretDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["SecretDeleted"]
    data: SecretDeletedData


class LogEventSecretDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventWebhookCreated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventWebhookCreatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["WebhookCreated"]
    data: WebhookCreatedData


class LogEventWebhookCreatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventWebhookChanged(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventWebhookChangedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["WebhookChanged"]
    data: WebhookChangedData


class LogEventWebhookChangedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventWebhookEnabled(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventWebhookEnabledActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["WebhookEnabled"]
    data: WebhookEnabledData


class LogEventWebhookEnabledActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventWebhookDisabled(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventWebhookDisabledActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["WebhookDisabled"]
    data: WebhookDisabledData


class LogEventWebhookDisabledActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventWebhookSecretRotated(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventWebhookSecretRotatedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["WebhookSecretRotated"]
    data: WebhookSecretRotatedData


class LogEventWebhookSecretRotatedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventWebhookDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventWebhookDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["WebhookDeleted"]
    data: WebhookDeletedData


class LogEventWebhookDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventCompletionKeyClaimed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventCompletionKeyClaimedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["CompletionKeyClaimed"]
    data: CompletionKeyClaimedData


class LogEventCompletionKeyClaimedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventIdempotencyKeyClaimed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventIdempotencyKeyClaimedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["IdempotencyKeyClaimed"]
    data: IdempotencyKeyClaimedData


class LogEventIdempotencyKeyClaimedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventIdempotencyKeyReleased(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventIdempotencyKeyReleasedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["IdempotencyKeyReleased"]
    data: IdempotencyKeyReleasedData


class LogEventIdempotencyKeyReleasedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventIdempotencyKeyUsed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventIdempotencyKeyUsedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["IdempotencyKeyUsed"]
    data: IdempotencyKeyUsedData


class LogEventIdempotencyKeyUsedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAgentThreadStarted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAgentThreadStartedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AgentThreadStarted"]
    data: AgentThreadStartedData


class LogEventAgentThreadStartedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunAdmitted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunAdmittedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunAdmitted"]
    data: RunAdmittedData


class LogEventRunAdmittedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAgentThreadDeleted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAgentThreadDeletedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AgentThreadDeleted"]
    data: AgentThreadDeletedData


class LogEventAgentThreadDeletedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunQueued(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunQueuedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunQueued"]
    data: RunQueuedData


class LogEventRunQueuedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunStarted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunStartedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunStarted"]
    data: RunStartedData


class LogEventRunStartedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunHandedOver(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunHandedOverActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunHandedOver"]
    data: RunHandedOverData


class LogEventRunHandedOverActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunEmitted(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunEmittedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunEmitted"]
    data: RunEmittedData


class LogEventRunEmittedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunSucceeded(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunSucceededActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunSucceeded"]
    data: RunSucceededData


class LogEventRunSucceededActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunFailed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunFailedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunFailed"]
    data: RunFailedData


class LogEventRunFailedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunCancelRequested(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunCancelRequestedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunCancelRequested"]
    data: RunCancelRequestedData


class LogEventRunCancelRequestedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventRunCancelled(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventRunCancelledActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["RunCancelled"]
    data: RunCancelledData


class LogEventRunCancelledActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAgentRunKeyClaimed(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAgentRunKeyClaimedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AgentRunKeyClaimed"]
    data: AgentRunKeyClaimedData


class LogEventAgentRunKeyClaimedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class LogEventAgentRunKeyReleased(TypedDict):
    position: str
    """Place in the one order of the log; opaque, ordered as text"""
    id: str
    stream: str
    """Without the prefix that an operator may have chosen"""
    revision: int
    time: int
    """Unix timestamp in seconds"""
    actor: LogEventAgentRunKeyReleasedActor
    correlation_id: str
    causation_id: str
    trace_id: str | None
    """Of the W3C trace context of the event; null where it has none, or no valid one"""
    type: Literal["AgentRunKeyReleased"]
    data: AgentRunKeyReleasedData


class LogEventAgentRunKeyReleasedActor(TypedDict):
    kind: Literal["api_key", "person", "schedule", "worker", "system"]
    id: str
    name: NotRequired[str]
    """Of a person, as the issuer of the sign-in told it at that time"""
    tenant: str
    """That of the key which asks: no other is told of"""


class Content(TypedDict):
    id: str
    text: str
    url: str
    title: str
    timestamp: int
    """Unix timestamp of indexing, in seconds"""
    file_type: FileType
    page_number: int
    """0 for sources without page numbers"""
    source_type: SourceType
    source_id: NotRequired[str]
    source_group_id: str
    keywords: list[str]


class ContentList(TypedDict):
    contents: list[Content]
    pagination: Pagination


class SourceContentList(TypedDict):
    contents: list[Content]
    pagination: Pagination
    before: int
    """How many contents of the source stand before these"""


class Source(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    source_group_id: str
    source_type: SourceType
    title: str
    url: str
    locator: str
    """Name within its source group: the URL of a page, the path of a file. A sync takes it"""
    file_type: NotRequired[FileType]
    media_type: NotRequired[str]
    """
    What the file is, without parameters, such as `message/rfc822`. `file_type` is the nearest of its
    values: `txt` for mails (eml, msg, mbox) and all plain text (csv, tsv, rst, adoc, tex, srt, vtt, log,
    json, yaml, code), `md` for mdx and ipynb, `doc` for rtf, `docx` for odt, `xlsx` for ods and xlsb,
    `pptx` for odp, `html` for epub and xhtml
    """
    language: NotRequired[str]
    """Of its text, BCP 47: as the text shows, or as the document declares. By it words are stemmed"""
    size: NotRequired[int]
    """Bytes of the stored file; absent where a policy denies a part of it"""
    sha256: NotRequired[str]
    """Of the stored file; absent where a policy denies a part of it"""
    status: Literal["indexed", "skipped", "failed"]
    skip_reason: NotRequired[str]
    error: NotRequired[SourceError]
    last_seen_time: int
    """Unix timestamp in seconds"""
    indexed_time: NotRequired[int]
    """Unix timestamp in seconds"""
    content_count: int
    metadata: SourceMetadata


class SourceError(TypedDict):
    code: str
    message: str


class SourceMetadata(TypedDict):
    records: list[SourceMetadataRecords]


class SourceMetadataRecords(TypedDict):
    key: str
    val: str
    type: MetadataType


class SourceList(TypedDict):
    sources: list[Source]
    pagination: Pagination


class MetadataReplacement(TypedDict):
    records: list[MetadataReplacementRecords]
    """Replaces all records"""


class MetadataReplacementRecords(TypedDict):
    key: str
    val: str
    type: NotRequired[MetadataType]


class SourceGroup(TypedDict):
    id: str
    name: str
    source_type: SourceType
    status: JobStatus
    source_count: NotRequired[int]
    """0 from the request of its deletion on. Absent in changes, and with `as_of` under a policy"""
    content_count: NotRequired[int]
    """Absent with `as_of`: contents have no history"""
    tag_ids: list[str]
    """In the order in which they were bound"""
    ingestion_setting_id: str
    creation_time: int
    """Unix timestamp in seconds"""
    start_time: NotRequired[int]
    """Unix timestamp in seconds"""
    end_time: NotRequired[int]
    """Unix timestamp in seconds"""
    sync_time: NotRequired[int]
    """When the newest job that succeeded ended: how fresh it is; Unix timestamp in seconds"""
    error: NotRequired[IngestionError]


class SourceGroupList(TypedDict):
    source_groups: list[SourceGroup]
    pagination: Pagination


class FailedItems(TypedDict):
    errors: list[FailedItemsErrors]
    pagination: CursorPagination


class FailedItemsErrors(TypedDict):
    source_group_id: str
    source_group_name: str
    source_type: SourceType
    locator: str
    code: str
    message: str
    time: int
    """Unix timestamp in seconds"""
    attempt: int


class SourceGroupChange(TypedDict):
    name: str


class Tag(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    name: str
    description: NotRequired[str]
    source_group_count: int
    """Source groups that carry it"""
    creation_time: int
    """Unix timestamp in seconds"""


class TagList(TypedDict):
    tags: list[Tag]
    pagination: Pagination


class TagCreate(TypedDict):
    name: str
    """Unique: compared as it is written"""
    description: NotRequired[str]
    """An empty text: none"""


class TagChange(TypedDict):
    name: NotRequired[str]
    """Unique: compared as it is written"""
    description: NotRequired[str]
    """An empty text: none"""


class TagSourceGroup(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    tag_id: str
    source_group_id: str
    creation_time: int
    """Unix timestamp in seconds"""


class TagSourceGroupList(TypedDict):
    tag_source_groups: list[TagSourceGroup]
    pagination: Pagination


class TagSourceGroupCreate(TypedDict):
    tag_id: str
    source_group_id: str


class Filter(TypedDict):
    """At most 50 conditions, nested at most 5 deep"""
    logic: NotRequired[Literal["AND", "OR"]]
    filters: NotRequired[list[FilterFilters]]
    groups: NotRequired[list[Filter]]


class FilterFilters(TypedDict):
    key: str
    operator: Literal["eq", "ne", "gt", "gte", "lt", "lte", "between", "in", "nin", "contains", "starts_with", "exists"]
    val: NotRequired[Any]
    """Any type; it must be readable as the type of the key"""
    min: NotRequired[Any]
    """Any type; it must be readable as the type of the key"""
    max: NotRequired[Any]
    """Any type; it must be readable as the type of the key"""


class SearchRequest(TypedDict):
    query: str
    """
    Words, names or a question. `"a phrase"` must stand in title or text word for word, `-word` and `-"a
    phrase"` must not: looked for among the 1,000 best matches
    """
    mode: NotRequired[Literal["hybrid", "keyword", "vector"]]
    limit: NotRequired[int]
    rerank: NotRequired[bool]
    """422 `not_configured` where no reranker is set up"""
    min_score: NotRequired[float]
    collapse: NotRequired[Literal["source", "none"]]
    """
    `source`: at most two contents of a source among the first ten while there are others, and of contents
    that are word for word the same the best alone. So scores may rise again further down. `none`: all,
    strictly by score
    """
    explain: NotRequired[bool]
    """Shows in `features` how each score came about"""
    tags: NotRequired[list[str]]
    """Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing"""
    tag_ids: NotRequired[list[str]]
    """Ids of tags, as `tags`"""
    tag_filter_logic: NotRequired[Literal["AND", "OR"]]
    """Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together"""
    source_group_ids: NotRequired[list[str]]
    """Only contents of these source groups; of none, an empty list"""
    source_types: NotRequired[list[SourceType]]
    file_types: NotRequired[list[FileType]]
    date_from: NotRequired[int]
    """Unix timestamp, inclusive"""
    date_to: NotRequired[int]
    """Unix timestamp, inclusive; not before `date_from`"""
    domains: NotRequired[list[str]]
    metadata: NotRequired[Filter]
    """On the metadata of sources"""
    source_metadata: NotRequired[Filter]
    """On the metadata of sources"""
    chunk_metadata: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    metadata_filter: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    use_postfilter: NotRequired[bool]
    authz_policy: NotRequired[str]
    """The authz policy that decides what is seen, by default `default`. Ignored while authorization is off"""
    principal_id: NotRequired[str]
    """
    On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is
    off
    """
    try_policy: NotRequired[bool]
    """Follows policy and principal also while authorization is off, to try them before. It never shows more"""


class SearchResults(TypedDict):
    results: list[SearchResultsResults]
    query_id: str
    corrected_query: NotRequired[str]
    """
    What was searched for by keywords in place of `query`: of some of its words no content has any form,
    and near ones are there. Absent where nothing was corrected
    """
    total_candidates: int
    """
    Contents that match, shown or not. With phrases or excluded words, those of the best 1000 that meet
    them
    """
    mode: Literal["hybrid", "keyword", "vector"]
    """How it was searched in fact: `keyword` where the query has no vector"""
    embedded_share: NotRequired[float]
    """
    Share of the tenant's contents that the embedding model has embedded. From 0.5 on searches use its
    vectors, or from 0.9 on where an earlier model has more. `hybrid` finds contents without a vector by
    their words alone, `vector` does not find them. Absent without an embedding provider, and with
    `keyword`
    """
    reranked: bool
    """Whether order and scores are the reranker's"""


class SearchResultsResults(TypedDict):
    content: Content
    score: float
    ranks: SearchResultsResultsRanks
    features: NotRequired[SearchResultsResultsFeatures]
    """
    With `explain`: the evidence whose weighted sum is the score. Absent behind the first 30 hits, and with
    the mode `vector`
    """
    highlights: list[SearchResultsResultsHighlights]
    """Where `content.text` has words of the query, or other forms of them, in its order; at most 100"""


class SearchResultsResultsRanks(TypedDict):
    keyword: NotRequired[int]
    vector: NotRequired[int]


class SearchResultsResultsFeatures(TypedDict):
    """
    With `explain`: the evidence whose weighted sum is the score. Absent behind the first 30 hits, and with
    the mode `vector`
    """
    retrieval: float
    """Score of the retrievers: words, vector, or both"""
    title_terms: float
    """Terms that query and title have in common"""
    exact_title: float
    """1: the title is the query"""
    phrase: float
    """Neighbouring words of the query that are neighbours in the text too"""
    sentence: float
    """Words of the query in one sentence, weighted by rarity"""
    page: float
    """Other hits of the same page"""
    definition: float
    """1: the text defines the term that is the query; 0.5: it explains it under a heading"""


class SearchResultsResultsHighlights(TypedDict):
    """In UTF-16 code units, as JavaScript counts: `text.slice(start, end)`"""
    start: int
    end: int


class QueryRequest(TypedDict):
    sort: NotRequired[Literal["timestamp", "title"]]
    limit: NotRequired[int]
    """Records per page"""
    after: NotRequired[str]
    """Fetch records after this id: one that the list shows, or showed until it was removed"""
    next_id: NotRequired[str]
    """Another name of `after`"""
    tags: NotRequired[list[str]]
    """Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing"""
    tag_ids: NotRequired[list[str]]
    """Ids of tags, as `tags`"""
    tag_filter_logic: NotRequired[Literal["AND", "OR"]]
    """Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together"""
    source_group_ids: NotRequired[list[str]]
    """Only contents of these source groups; of none, an empty list"""
    source_types: NotRequired[list[SourceType]]
    file_types: NotRequired[list[FileType]]
    date_from: NotRequired[int]
    """Unix timestamp, inclusive"""
    date_to: NotRequired[int]
    """Unix timestamp, inclusive; not before `date_from`"""
    domains: NotRequired[list[str]]
    metadata: NotRequired[Filter]
    """On the metadata of sources"""
    source_metadata: NotRequired[Filter]
    """On the metadata of sources"""
    chunk_metadata: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    metadata_filter: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    use_postfilter: NotRequired[bool]
    authz_policy: NotRequired[str]
    """The authz policy that decides what is seen, by default `default`. Ignored while authorization is off"""
    principal_id: NotRequired[str]
    """
    On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is
    off
    """


class Usage(TypedDict):
    """Tokens as the provider of the language model counts them; absent where it does not tell"""
    input_tokens: int
    output_tokens: int


class Completion(TypedDict):
    created: int
    """Unix timestamp in seconds"""
    choices: list[CompletionChoice]
    conversation_id: str
    user_message_id: str
    assistant_message_id: str
    model: str
    """What wrote the answer; `extractive`: it consists of passages of the contents, word by word"""
    usage: NotRequired[Usage]


class CompletionChoice(TypedDict):
    index: int
    message: CompletionChoiceMessage
    finish_reason: Literal["stop", "length", "content_filter"]
    citations: list[Content]
    """What the answer marks as [1], [2] …, in this order"""
    web_citations: list[WebCitation]
    """Pages of the web that the answer marks as [W1], [W2] …, in this order; nothing is fetched from them"""
    search_suggestion: str
    """What else the search engine would ask; empty: nothing"""
    web_search_queries: list[str]
    """What the web was searched for; empty without `grounding`"""


class CompletionChoiceMessage(TypedDict):
    role: str
    content: str


class CompletionCreate(TypedDict):
    messages: list[CompletionCreateMessages]
    """
    The last one is from the user. In a conversation that goes on, the service knows the earlier turns: of
    these messages only the last, and those of the system, are read
    """
    stream: NotRequired[bool]
    citation: NotRequired[bool]
    grounding: NotRequired[bool]
    """
    Search the web too, with the question (at most 400 characters, redacted like contents), and let the
    answer rest on what the search engine shows of five pages. 422 `not_configured` where no web search is
    set up
    """
    limit: NotRequired[int]
    """Contents that the answer may rest on"""
    conversation_id: NotRequired[str]
    parent_message_id: NotRequired[str | None]
    """
    The answer to go on from; to edit a question, the answer before it. null: beside the first question.
    Absent: the newest
    """
    regenerate: NotRequired[bool]
    """
    Answer the user message `parent_message_id` again, beside its other answers. The last message is that
    one, or blank: another text is 400
    """
    model: NotRequired[str]
    """
    One of the models that the operator allows; 400 names them. 422 `not_configured` without a language
    model
    """
    temperature: NotRequired[float]
    """At most what the operator allows. 422 `not_configured` without a language model"""
    max_tokens: NotRequired[int]
    """The answer ends there with finish_reason `length`. At most what the operator allows"""
    truncation: NotRequired[Literal["auto", "disabled"]]
    tags: NotRequired[list[str]]
    """Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing"""
    tag_ids: NotRequired[list[str]]
    """Ids of tags, as `tags`"""
    tag_filter_logic: NotRequired[Literal["AND", "OR"]]
    """Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together"""
    source_group_ids: NotRequired[list[str]]
    """Only contents of these source groups; of none, an empty list"""
    source_types: NotRequired[list[SourceType]]
    file_types: NotRequired[list[FileType]]
    date_from: NotRequired[int]
    """Unix timestamp, inclusive"""
    date_to: NotRequired[int]
    """Unix timestamp, inclusive; not before `date_from`"""
    domains: NotRequired[list[str]]
    metadata: NotRequired[Filter]
    """On the metadata of sources"""
    source_metadata: NotRequired[Filter]
    """On the metadata of sources"""
    chunk_metadata: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    metadata_filter: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    use_postfilter: NotRequired[bool]
    authz_policy: NotRequired[str]
    """The authz policy that decides what is seen, by default `default`. Ignored while authorization is off"""
    principal_id: NotRequired[str]
    """
    On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is
    off
    """


class CompletionCreateMessages(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


class AgUiRunStarted(TypedDict):
    type: Literal["RUN_STARTED"]
    threadId: str
    runId: str
    metadata: AgUiRunStartedMetadata


class AgUiRunStartedMetadata(TypedDict):
    conversation_id: str
    user_message_id: str
    assistant_message_id: str
    trace_id: str | None


class AgUiCustom(TypedDict):
    type: Literal["CUSTOM"]
    name: Literal["grounding", "citations"]
    """Says what `value` is"""
    value: AgUiCustomValue1 | AgUiCustomValue2


class AgUiCustomValue1(TypedDict):
    contents: list[Content]
    """What the answer may rest on"""
    web_citations: list[WebCitation]
    web_search_queries: list[str]
    search_suggestion: str


class AgUiCustomValue2(TypedDict):
    choices: list[AgUiCustomValue2Choices]


class AgUiCustomValue2Choices(TypedDict):
    index: int
    citations: list[Content]
    """What the answer marks as [1], [2] …, in this order"""
    web_citations: list[WebCitation]
    """Pages of the web that the answer marks as [W1], [W2] …, in this order; nothing is fetched from them"""


class AgUiReasoningStart(TypedDict):
    type: Literal["REASONING_START"]
    messageId: str


class AgUiReasoningMessageStart(TypedDict):
    type: Literal["REASONING_MESSAGE_START"]
    messageId: str
    role: Literal["reasoning"]


class AgUiReasoningMessageContent(TypedDict):
    type: Literal["REASONING_MESSAGE_CONTENT"]
    messageId: str
    delta: str
    """
    What the model thinks, redacted as the answer is; a mark [n] counts the contents of `grounding`, then
    its web citations
    """


class AgUiReasoningMessageEnd(TypedDict):
    type: Literal["REASONING_MESSAGE_END"]
    messageId: str


class AgUiReasoningEnd(TypedDict):
    type: Literal["REASONING_END"]
    messageId: str


class AgUiTextMessageStart(TypedDict):
    type: Literal["TEXT_MESSAGE_START"]
    messageId: str
    role: Literal["assistant"]


class AgUiTextMessageContent(TypedDict):
    type: Literal["TEXT_MESSAGE_CONTENT"]
    messageId: str
    delta: str


class AgUiTextMessageEnd(TypedDict):
    type: Literal["TEXT_MESSAGE_END"]
    messageId: str


class AgUiRunFinished(TypedDict):
    type: Literal["RUN_FINISHED"]
    threadId: str
    runId: str
    result: Completion


class AgUiRunError(TypedDict):
    type: Literal["RUN_ERROR"]
    message: str
    code: str
    """As `error.type` of an answer that had not begun"""


class WebCitation(TypedDict):
    url: str
    title: str


class ExtractRequest(TypedDict):
    """Exactly one of `source_ids`, `content_ids` and `query` says what is read"""
    schema: dict[str, Any]
    """
    JSON Schema (draft 2020-12) of the data, at most 32,000 characters. Without `pattern`,
    `patternProperties` and recursion; `$ref` leads to `$defs` of this schema only; formats: date, time,
    date-time, email, uri, uuid
    """
    prompt: NotRequired[str]
    """What is looked for, where the schema does not say it"""
    source_ids: NotRequired[list[str]]
    """Read these documents, whole"""
    content_ids: NotRequired[list[str]]
    """Read these contents"""
    query: NotRequired[str]
    """Read what this search finds, as far as the model can read it: filters and `limit` go with it"""
    limit: NotRequired[int]
    citation: NotRequired[bool]
    tags: NotRequired[list[str]]
    """Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing"""
    tag_ids: NotRequired[list[str]]
    """Ids of tags, as `tags`"""
    tag_filter_logic: NotRequired[Literal["AND", "OR"]]
    """Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together"""
    source_group_ids: NotRequired[list[str]]
    """Only contents of these source groups; of none, an empty list"""
    source_types: NotRequired[list[SourceType]]
    file_types: NotRequired[list[FileType]]
    date_from: NotRequired[int]
    """Unix timestamp, inclusive"""
    date_to: NotRequired[int]
    """Unix timestamp, inclusive; not before `date_from`"""
    domains: NotRequired[list[str]]
    metadata: NotRequired[Filter]
    """On the metadata of sources"""
    source_metadata: NotRequired[Filter]
    """On the metadata of sources"""
    chunk_metadata: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    metadata_filter: NotRequired[Filter]
    """
    On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading`
    (string, one for each heading that the chunk stands under)
    """
    use_postfilter: NotRequired[bool]
    authz_policy: NotRequired[str]
    """The authz policy that decides what is seen, by default `default`. Ignored while authorization is off"""
    principal_id: NotRequired[str]
    """
    On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is
    off
    """


class Extraction(TypedDict):
    data: Any
    """Valid against the schema"""
    citations: list[Content]
    """Contents that the data rest on, as the model says"""
    finish_reason: Literal["stop", "length", "content_filter"]
    model: str
    """What extracted"""
    usage: NotRequired[Usage]


class Conversation(TypedDict):
    id: str
    title: NotRequired[str]
    """
    How the first question begins, in one line of at most 120 characters. Absent where its texts can be
    read no more
    """
    principal_id: NotRequired[str]
    message_count: int
    """Questions and answers, on every branch"""
    creation_time: int
    """Unix timestamp in seconds"""
    update_time: int
    """Unix timestamp in seconds"""
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    erased: NotRequired[bool]
    """With `as_of`: its texts were erased when it was deleted"""


class ConversationList(TypedDict):
    conversations: list[Conversation]
    pagination: Pagination


class ConversationDetail(TypedDict):
    id: str
    title: NotRequired[str]
    """
    How the first question begins, in one line of at most 120 characters. Absent where its texts can be
    read no more
    """
    principal_id: NotRequired[str]
    message_count: int
    """Questions and answers, on every branch"""
    creation_time: int
    """Unix timestamp in seconds"""
    update_time: int
    """Unix timestamp in seconds"""
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    erased: NotRequired[bool]
    """With `as_of`: its texts were erased when it was deleted"""
    messages: list[ConversationMessage]
    """A tree by parent_id, each message after its parent. Siblings come from edits and regenerations"""


class ConversationMessage(TypedDict):
    id: str
    parent_id: str | None
    """The answer that a question continues, or the question that an answer answers; null: the root"""
    role: Literal["user", "assistant"]
    content: NotRequired[str]
    """Absent while an answer is being written, and where it failed"""
    preceding: NotRequired[list[ConversationMessagePreceding]]
    """What the caller sent before a question, in one request"""
    creation_time: int
    """Unix timestamp in seconds"""
    status: NotRequired[Literal["pending", "finished", "failed"]]
    """Of an answer. `pending`: being written, or left by a process that died"""
    model: NotRequired[str]
    finish_reason: NotRequired[str]
    cut: NotRequired[bool]
    """The content ends before the model did"""
    usage: NotRequired[Usage]
    cited_content_ids: NotRequired[list[str]]
    """Number n in the answer is the content at place n - 1"""
    web_citations: NotRequired[list[WebCitation]]
    """Pages of the web that the answer cites: mark [Wn] is the one at place n - 1"""
    error_code: NotRequired[str]
    """Why an answer failed"""


class ConversationMessagePreceding(TypedDict):
    role: Literal["user", "assistant"]
    content: str


class RedactionRule(TypedDict):
    name: str
    """Unique within the policy"""
    kind: Literal["pattern", "email", "phone", "card", "iban", "ip", "national_id", "key"]
    """
    What is looked for. All kinds but `pattern` are found also where letters, figures and signs are of full
    width (`＠`) or of another script (digits), or up to four characters without width stand between them.
    What is found is never a part of a longer account, card or id number, whether the policy looks for that
    or not. - `pattern`: what `pattern` matches. - `email`: e-mail addresses in letters of any script, with
    a quoted local part too, and `…@localhost`; `@` and `.` also as `(at)`, `[at]`, `(dot)`, `[.]`, `&#64;`
    or `%40`, and with a line break behind `@`. No address literals, no `at` and `dot` without brackets. -
    `phone`: telephone numbers of 7 to 15 digits: international (`+` or `00`), national with a leading 0,
    North American in groups of 3-3-4, Russian with 8, and those of Brazil, China, India, Italy, Norway and
    Spain in the groups usual there. Other numbers of 7 to 12 digits, bare ones too, where a word up to 32
    characters before announces them (`call`, `Tel.`, `mobile` …). - `card`: 13 to 19 digits that begin
    with 2 to 6 and end in a check digit (Luhn), in one run or in groups, with one line break at most; also
    right behind a word, as in `Visa4111…`. - `iban`: account numbers of ISO 13616: length and structure of
    the country (89 countries), and check digits (modulo 97), in one run or in groups. - `ip`: addresses of
    version 4 and 6; `::` alone in brackets, with a prefix length, or where a word says that it is an
    address. - `national_id`: numbers of twelve countries, and no others. Brazil: CPF. France: numéro
    d'inscription au répertoire (NIR), 15 digits. Germany: tax identification number. Italy: codice
    fiscale. Netherlands: burgerservicenummer (BSN); every eleventh number of nine bare digits is one.
    Poland: PESEL. Singapore: NRIC and FIN. Spain: DNI and NIE. Sweden: personnummer and samordningsnummer.
    Switzerland: AHV number. All these with their check digits. United Kingdom: National Insurance number,
    with a prefix that is given out. USA: Social Security number, 3-2-4 digits with hyphens or blanks (not
    nine bare digits), without area 000, 666 or 9xx, group 00, serial 0000, and three numbers known from
    advertising. These two have no check digits. - `key`: what gives access, in four forms. Tokens with a
    known prefix and at least as many characters behind it as such keys have: `sk-`, `sk-ant-`, `sk-proj-`,
    `hf_`, `gsk_`, `r8_`, `xai-`, `pplx-`, `sk_live_`, `sk_test_`, `pk_live_`, `pk_test_`, `rk_live_`,
    `rk_test_`, `whsec_`, `sq0atp-`, `sq0csp-`, `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_`,
    `glpat-`, `glrt-`, `gldt-`, `glptt-`, `glsoat-`, `glft-`, `glimt-`, `glagent-`, `gloas-`, `glcbt-`,
    `npm_`, `pypi-`, `rubygems_`, `dckr_pat_`, `dckr_oat_`, `xoxa-`, `xoxb-`, `xoxe-`, `xoxo-`, `xoxp-`,
    `xoxr-`, `xoxs-`, `xapp-`, `AKIA`, `ASIA`, `AIDA`, `AROA`, `AIza`, `ya29.`, `GOCSPX-`, `doo_v1_`,
    `dop_v1_`, `dor_v1_`, `dapi`, `hvs.`, `hvb.`, `hvr.`, `tskey-`, `dp.pt.`, `dp.st.`, `dp.ct.`, `dp.sa.`,
    `glsa_`, `NRAK-`, `PMAK-`, `ATATT3`, `lin_api_`, `ntn_`, `figd_`, `sbp_`, `AGE-SECRET-KEY-1`, `SG.`,
    `key-`, `shpat_`, `shpca_`, `shppa_`, `shpss_`, `kn_`, and JSON Web Tokens (`eyJ`). Strings of at least
    20 characters without blanks that look drawn by lot, hashes of 32 and more hexadecimal figures among
    them, UUIDs not. Values that a name, a scheme or a URL says to be secret, short ones too: `password=`,
    `api_key: `, `Bearer`, `https://user:password@`; not those without figure or sign, but in a URL. PEM
    blocks, of keys and of certificates. Other passwords that look like words are not found.
    """
    pattern: NotRequired[str]
    """RE2 syntax; with kind `pattern` alone. Must not spell out what it is to hide: it is kept"""
    replacement: NotRequired[str]
    """What stands for a finding; absent: the name in brackets"""


class RedactionPolicy(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    name: str
    """For people"""
    rules: list[RedactionRule]
    applies_to: list[Literal["ingestion", "content", "completion", "agent"]]
    """Where it holds: before a document is indexed, when contents are read, in answers, in what agents say"""
    creation_time: int
    """Unix timestamp in seconds"""
    change_time: int
    """Unix timestamp in seconds"""


class RedactionPolicyList(TypedDict):
    redaction_policies: list[RedactionPolicy]
    pagination: Pagination


class RedactionPolicyCreate(TypedDict):
    name: str
    """For people"""
    rules: list[RedactionRule]
    applies_to: list[Literal["ingestion", "content", "completion", "agent"]]
    """Where it holds: before a document is indexed, when contents are read, in answers, in what agents say"""


class RedactionTest(TypedDict):
    text: str


class RedactionTestResult(TypedDict):
    text: str
    findings: list[RedactionTestResultFindings]


class RedactionTestResultFindings(TypedDict):
    rule: str
    kind: Literal["pattern", "email", "phone", "card", "iban", "ip", "national_id", "key"]
    start: int
    """Offset in the text as it was sent, in UTF-16 units"""
    end: int
    """Exclusive"""


class RedactionTrial(TypedDict):
    rules: list[RedactionRule]
    text: str


class AuthzPolicy(TypedDict):
    name: str
    description: NotRequired[str]
    """An empty text: none"""
    source_metadata: NotRequired[Filter]
    """
    What the metadata of a source must satisfy; absent: anything. `val`, `min` and `max` may be {"subject":
    "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is
    false
    """
    chunk_metadata: NotRequired[Filter]
    """
    What the metadata of a chunk must satisfy, too; absent: anything. `val`, `min` and `max` may be
    {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the
    condition is false
    """
    creation_time: int
    """Unix timestamp in seconds"""
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""


class AuthzPolicyList(TypedDict):
    authz_policies: list[AuthzPolicy]
    pagination: CursorPagination


class AuthzPolicyCreate(TypedDict):
    name: str
    description: NotRequired[str]
    """An empty text: none"""
    source_metadata: NotRequired[Filter]
    """
    What the metadata of a source must satisfy; absent: anything. `val`, `min` and `max` may be {"subject":
    "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is
    false
    """
    chunk_metadata: NotRequired[Filter]
    """
    What the metadata of a chunk must satisfy, too; absent: anything. `val`, `min` and `max` may be
    {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the
    condition is false
    """


class AuthzPolicyReplacement(TypedDict):
    description: NotRequired[str]
    """An empty text: none"""
    source_metadata: NotRequired[Filter]
    """
    What the metadata of a source must satisfy; absent: anything. `val`, `min` and `max` may be {"subject":
    "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is
    false
    """
    chunk_metadata: NotRequired[Filter]
    """
    What the metadata of a chunk must satisfy, too; absent: anything. `val`, `min` and `max` may be
    {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the
    condition is false
    """


class AuthzSubject(TypedDict):
    principal_id: str
    policies: list[AuthzSubjectPolicies]
    creation_time: int
    """Unix timestamp in seconds"""
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""


class AuthzSubjectPolicies(TypedDict):
    authz_policy: str
    attributes: dict[str, str | float | bool | list[str]]


class AuthzSubjectList(TypedDict):
    authz_subject_attributes: list[AuthzSubject]
    pagination: CursorPagination


class AuthzSubjectReplacement(TypedDict):
    authz_policy: NotRequired[str]
    attributes: dict[str, str | float | bool | list[str]]


class ApiKey(TypedDict):
    id: str
    name: str
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: NotRequired[list[str]]
    """The only source groups that the key sees; absent: all of them"""
    expires_at: NotRequired[int]
    """Unix timestamp in seconds"""
    requests_per_minute: NotRequired[int]
    creation_time: int
    """Unix timestamp in seconds"""
    last_used_time: NotRequired[int]
    """To about a minute; Unix timestamp in seconds. Absent: never"""
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""


class ApiKeyList(TypedDict):
    api_keys: list[ApiKey]
    pagination: Pagination


class ApiKeyCreate(TypedDict):
    name: str
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: NotRequired[list[str] | None]
    """Restricts the key to these source groups"""
    expires_at: NotRequired[int | None]
    """Unix timestamp in seconds"""
    requests_per_minute: NotRequired[int | None]


class IssuedApiKey(TypedDict):
    id: str
    name: str
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: NotRequired[list[str]]
    """The only source groups that the key sees; absent: all of them"""
    expires_at: NotRequired[int]
    """Unix timestamp in seconds"""
    requests_per_minute: NotRequired[int]
    creation_time: int
    """Unix timestamp in seconds"""
    last_used_time: NotRequired[int]
    """To about a minute; Unix timestamp in seconds. Absent: never"""
    key: NotRequired[str]
    """Shown this once and kept nowhere; absent in the answer to a repeated Idempotency-Key"""


class AgentMessage(TypedDict):
    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: NotRequired[list[AgentMessageToolCalls]]
    tool_call_id: NotRequired[str]
    """Of a message of role `tool`: the call it answers"""


class AgentMessageToolCalls(TypedDict):
    id: str
    name: str
    arguments: str
    """JSON, as the model gave it"""


class AgentRun(TypedDict):
    deleted_at: NotRequired[str]
    """With `as_of`: when its thread was deleted since"""
    erased: NotRequired[bool]
    """With `as_of`: its texts were erased when it was deleted"""
    run_id: str
    thread_id: str
    parent_run_id: str | None
    """The run that it branched from; null: it begins the thread, or stands beside that which did"""
    workflow_type: str
    provider: NotRequired[Literal["PROVIDER_A_DIRECT", "PROVIDER_B", "PROVIDER_C", "PROVIDER_D"]]
    execution_mode: Literal["LOCAL", "MANAGED_RUNTIME"]
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    input_history_mode: Literal["legacy_full", "delta_v1"]
    context_start_run_id: str | None
    """The oldest run in the reconstructed context; null: none was needed"""
    context_truncated: bool
    """Older turns were left out to stay within the budget"""
    runtime_arn: NotRequired[str]
    trace_id: str | None
    """Of the stored W3C trace context; null where there is none, or no valid one"""
    principal_id: NotRequired[str]
    created_at: str
    started_at: NotRequired[str]
    finished_at: NotRequired[str]
    title: NotRequired[str]
    mcp_session_id: NotRequired[str]
    idempotency_key: NotRequired[str]
    input: dict[str, Any]
    """As it was asked, with what redaction policies hide replaced"""
    result: NotRequired[dict[str, Any]]
    """What the run came to: each workflow says what is in it"""
    error: NotRequired[AgentRunError]


class AgentRunError(TypedDict):
    code: str
    message: NotRequired[str]
    open_tool_calls: NotRequired[list[AgentRunErrorOpenToolCalls]]
    """Tools that were called and did not answer: they may have acted"""


class AgentRunErrorOpenToolCalls(TypedDict):
    call_id: str
    tool: str
    read_only: bool


class AgentRunSummary(TypedDict):
    deleted_at: NotRequired[str]
    """With `as_of`: when its thread was deleted since"""
    erased: NotRequired[bool]
    """With `as_of`: its texts were erased when it was deleted"""
    run_id: str
    thread_id: str
    parent_run_id: str | None
    """The run that it branched from; null: it begins the thread, or stands beside that which did"""
    workflow_type: str
    provider: NotRequired[Literal["PROVIDER_A_DIRECT", "PROVIDER_B", "PROVIDER_C", "PROVIDER_D"]]
    execution_mode: Literal["LOCAL", "MANAGED_RUNTIME"]
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    input_history_mode: Literal["legacy_full", "delta_v1"]
    context_start_run_id: str | None
    """The oldest run in the reconstructed context; null: none was needed"""
    context_truncated: bool
    """Older turns were left out to stay within the budget"""
    runtime_arn: NotRequired[str]
    trace_id: str | None
    """Of the stored W3C trace context; null where there is none, or no valid one"""
    principal_id: NotRequired[str]
    created_at: str
    started_at: NotRequired[str]
    finished_at: NotRequired[str]
    error: NotRequired[AgentRunSummaryError]


class AgentRunSummaryError(TypedDict):
    code: str
    message: NotRequired[str]
    open_tool_calls: NotRequired[list[AgentRunSummaryErrorOpenToolCalls]]
    """Tools that were called and did not answer: they may have acted"""


class AgentRunSummaryErrorOpenToolCalls(TypedDict):
    call_id: str
    tool: str
    read_only: bool


class AgentRunList(TypedDict):
    runs: list[AgentRunSummary]
    pagination: Pagination


class AgentRunCreate(TypedDict):
    thread_id: NotRequired[str]
    parent_run_id: NotRequired[str | None]
    """
    The run to go on from; to edit or to regenerate one, its own parent. null: beside the first run.
    Absent: the newest
    """
    workflow_type: str
    provider: NotRequired[Literal["PROVIDER_A_DIRECT", "PROVIDER_B", "PROVIDER_C", "PROVIDER_D"]]
    execution_mode: NotRequired[Literal["LOCAL", "MANAGED_RUNTIME"]]
    runtime_arn: NotRequired[str]
    mcp_session_id: NotRequired[str]
    input_history_mode: NotRequired[Literal["legacy_full", "delta_v1"]]
    """`legacy_full`: the messages are the whole history; `delta_v1`: what is new alone"""
    input: AgentRunCreateInput
    """The last message is from the user. Each workflow says which further fields it knows"""
    principal_id: NotRequired[str]
    """The end user on whose behalf it is held; absent: only what is held for nobody is found"""
    authz_policy: NotRequired[str]
    idempotency_key: NotRequired[str]
    """As the header `Idempotency-Key`"""
    title: NotRequired[str]
    concurrency: NotRequired[Literal["reject", "enqueue"]]
    """What happens while another run of the thread is not over"""


class AgentRunCreateInput(TypedDict):
    """The last message is from the user. Each workflow says which further fields it knows"""
    messages: list[AgentMessage]


class AgentRunCancel(TypedDict):
    principal_id: NotRequired[str]
    """The end user on whose behalf it is held; absent: only what is held for nobody is found"""
    wait_seconds: NotRequired[int]
    """How long to wait until the run is over"""


class AgentRunEvents(TypedDict):
    events: list[AgentRunEvent]
    pagination: CursorPagination


class AgentRunEventRunQueued(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunQueued"]
    data: RunQueuedData


class AgentRunEventRunStarted(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunStarted"]
    data: RunStartedData


class AgentRunEventRunHandedOver(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunHandedOver"]
    data: RunHandedOverData


class AgentRunEventRunEmitted(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunEmitted"]
    data: RunEmittedData


class AgentRunEventRunSucceeded(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunSucceeded"]
    data: RunSucceededData


class AgentRunEventRunFailed(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunFailed"]
    data: RunFailedData


class AgentRunEventRunCancelRequested(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunCancelRequested"]
    data: RunCancelRequestedData


class AgentRunEventRunCancelled(TypedDict):
    run_id: str
    revision: int
    """Number of the event within the run, without gaps"""
    time: str
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    """Of the run, as of this event"""
    body: dict[str, Any] | None
    """
    What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool,
    the result; null: nothing
    """
    trace_id: str | None
    type: Literal["RunCancelled"]
    data: RunCancelledData


class AgentThread(TypedDict):
    deleted_at: NotRequired[str]
    """With `as_of`: when its thread was deleted since"""
    erased: NotRequired[bool]
    """With `as_of`: its texts were erased when it was deleted"""
    thread_id: str
    principal_id: NotRequired[str]
    title: str | None
    """That of the first run"""
    run_count: int
    created_at: str
    updated_at: str


class AgentThreadList(TypedDict):
    threads: list[AgentThread]
    pagination: Pagination


class AgentThreadDetail(TypedDict):
    deleted_at: NotRequired[str]
    """With `as_of`: when its thread was deleted since"""
    erased: NotRequired[bool]
    """With `as_of`: its texts were erased when it was deleted"""
    thread_id: str
    runs: list[AgentThreadDetailRuns]
    """All runs, a tree by parent_run_id, each after its parent. Siblings come from edits and regenerations"""


class AgentThreadDetailRuns(TypedDict):
    run_id: str
    parent_run_id: str | None
    """null: at the root"""
    status: Literal["QUEUED", "RUNNING", "CANCELLING", "SUCCEEDED", "FAILED", "CANCELLED"]
    title: str | None
    """null: it has none"""
    created_at: str


class AgentThreadEvents(TypedDict):
    events: list[AgentRunEvent]
    """Of each run from the root to the one that is picked, in order"""
    pagination: CursorPagination


class Secret(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    name: str
    type: Literal["token", "basic", "oauth_refresh", "service_account", "app"]
    """
    `token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged
    for access tokens. `service_account`: the key file of an account that signs its requests for access
    tokens. `app`: the installation of an app, with the key of the app
    """
    expires_at: NotRequired[int]
    """Unix timestamp in seconds"""
    creation_time: int
    """Unix timestamp in seconds"""
    change_time: int
    """Of name, expiry or value, by a caller; Unix timestamp in seconds"""
    last_used_time: NotRequired[int]
    """To about a minute; Unix timestamp in seconds. Absent: never"""
    in_use_count: int
    """Data sources that name it"""


class SecretList(TypedDict):
    secrets: list[Secret]
    pagination: Pagination


class SecretCreate(TypedDict):
    name: str
    type: Literal["token", "basic", "oauth_refresh", "service_account", "app"]
    """
    `token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged
    for access tokens. `service_account`: the key file of an account that signs its requests for access
    tokens. `app`: the installation of an app, with the key of the app
    """
    value: str | dict[str, Any]
    """
    Never shown again. `token`: the token. `basic`: {username, password}, or `username:password`.
    `oauth_refresh`: {client_id, client_secret, refresh_token}. `service_account`: {client_email,
    private_key}, or the key file of the provider. `app`: {app_id, installation_id, private_key}. An object
    may be sent as its JSON in a text
    """
    expires_at: NotRequired[int | None]
    """Unix timestamp in seconds; from then on it is not used any more. Null: never"""


class SecretChange(TypedDict):
    name: NotRequired[str]
    type: NotRequired[Literal["token", "basic", "oauth_refresh", "service_account", "app"]]
    """
    `token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged
    for access tokens. `service_account`: the key file of an account that signs its requests for access
    tokens. `app`: the installation of an app, with the key of the app
    """
    value: NotRequired[str | dict[str, Any]]
    """
    Never shown again. `token`: the token. `basic`: {username, password}, or `username:password`.
    `oauth_refresh`: {client_id, client_secret, refresh_token}. `service_account`: {client_email,
    private_key}, or the key file of the provider. `app`: {app_id, installation_id, private_key}. An object
    may be sent as its JSON in a text
    """
    expires_at: NotRequired[int | None]
    """Unix timestamp in seconds; from then on it is not used any more. Null: never"""


class Webhook(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    url: str
    description: str
    types: list[str] | None
    categories: list[str] | None
    source_group_ids: list[str] | None
    enabled: bool
    disabled: NotRequired[WebhookDisabled]
    """Why nothing is sent. Absent while it is enabled"""
    failing: NotRequired[WebhookFailing]
    """Absent while it is disabled, after a success, with `as_of`, and in answers to changes"""
    previous_secret_until: NotRequired[int]
    """Until then the secret before the last rotation signs too; Unix timestamp in seconds"""
    creation_time: int
    """Unix timestamp in seconds"""
    change_time: int
    """Of the subscription, by a caller; Unix timestamp in seconds"""


class WebhookDisabled(TypedDict):
    """Why nothing is sent. Absent while it is enabled"""
    because: Literal["caller", "failing", "gone"]
    """`caller`: by `PUT`. `failing`: for a day every attempt failed. `gone`: the receiver answered 410"""
    detail: NotRequired[str]
    """What the receiver last answered"""
    time: int
    """Unix timestamp in seconds"""


class WebhookFailing(TypedDict):
    """Absent while it is disabled, after a success, with `as_of`, and in answers to changes"""
    since: int
    """Unix timestamp in seconds"""
    reason: NotRequired[str]
    """Why the oldest event that waits was not delivered"""


class WebhookList(TypedDict):
    webhooks: list[Webhook]
    pagination: Pagination


WebhookCreate = TypedDict(
    "WebhookCreate",
    {"url": "str", "description": "NotRequired[str]", "types": "NotRequired[list[WebhookCreateTypes] | None]", "categories": "NotRequired[list[WebhookCreateCategories] | None]", "source_group_ids": "NotRequired[list[str] | None]", "from": "NotRequired[str]"},
)


class WebhookChange(TypedDict):
    url: NotRequired[str]
    """Absolute http or https URL without user name and password"""
    description: NotRequired[str]
    types: NotRequired[list[WebhookCreateTypes] | None]
    """Types of events, as `GET /events` has them. Null or absent: all"""
    categories: NotRequired[list[WebhookCreateCategories] | None]
    """Kinds of streams. Null or absent: all"""
    source_group_ids: NotRequired[list[str] | None]
    """
    Data sources: their own events, and those of their settings and documents. Null or absent: every event,
    also of no data source
    """
    enabled: NotRequired[bool]


class IssuedWebhook(TypedDict):
    id: str
    deleted_at: NotRequired[int]
    """With `as_of`: when it was deleted since; Unix timestamp in seconds"""
    url: str
    description: str
    types: list[str] | None
    categories: list[str] | None
    source_group_ids: list[str] | None
    enabled: bool
    disabled: NotRequired[IssuedWebhookDisabled]
    """Why nothing is sent. Absent while it is enabled"""
    failing: NotRequired[IssuedWebhookFailing]
    """Absent while it is disabled, after a success, with `as_of`, and in answers to changes"""
    previous_secret_until: NotRequired[int]
    """Until then the secret before the last rotation signs too; Unix timestamp in seconds"""
    creation_time: int
    """Unix timestamp in seconds"""
    change_time: int
    """Of the subscription, by a caller; Unix timestamp in seconds"""
    secret: NotRequired[str]
    """
    Verifies messages; shown this once. Absent in the answer to a repeated Idempotency-Key if it was
    replaced since
    """


class IssuedWebhookDisabled(TypedDict):
    """Why nothing is sent. Absent while it is enabled"""
    because: Literal["caller", "failing", "gone"]
    """`caller`: by `PUT`. `failing`: for a day every attempt failed. `gone`: the receiver answered 410"""
    detail: NotRequired[str]
    """What the receiver last answered"""
    time: int
    """Unix timestamp in seconds"""


class IssuedWebhookFailing(TypedDict):
    """Absent while it is disabled, after a success, with `as_of`, and in answers to changes"""
    since: int
    """Unix timestamp in seconds"""
    reason: NotRequired[str]
    """Why the oldest event that waits was not delivered"""


class WebhookDelivery(TypedDict):
    id: str
    """Id of the event, and the header `webhook-id` of every attempt"""
    type: str
    stream: str
    position: str
    """Of the event in the log"""
    state: Literal["pending", "delivered", "dead"]
    """`dead`: tried for a day, and not again by itself"""
    attempts: int
    status: NotRequired[int]
    """HTTP status of the last answer"""
    reason: NotRequired[str]
    """Why the last attempt failed"""
    next_attempt_time: NotRequired[int]
    """Of a pending one, at the earliest; Unix timestamp in seconds"""
    creation_time: int
    """Unix timestamp in seconds"""
    settled_time: NotRequired[int]
    """When it was delivered or died; Unix timestamp in seconds"""


class WebhookDeliveryList(TypedDict):
    deliveries: list[WebhookDelivery]
    pagination: CursorPagination


class WebhookTest(TypedDict):
    delivered: bool
    status: NotRequired[int]
    """HTTP status of the answer"""
    reason: NotRequired[str]


class ServiceStatus(TypedDict):
    version: str
    time: int
    """Unix timestamp in seconds"""
    authz: bool
    """Whether access policies decide on reads; false: all may read all"""
    knowledge: NotRequired[list[ServiceStatusKnowledge]]
    """Absent where there is no default policy"""
    stores: list[ServiceStatusStores]
    views: NotRequired[list[ServiceStatusViews]]
    queues: NotRequired[list[ServiceStatusQueues]]
    jobs: NotRequired[list[ServiceStatusJobs]]
    storage: NotRequired[ServiceStatusStorage]
    models: list[ServiceStatusModels]
    """What is set up; a use that is not here has none"""


class ServiceStatusKnowledge(TypedDict):
    source_type: SourceType
    source_group_count: int
    source_count: int
    content_count: int
    stored_bytes: NotRequired[int]
    """Of the stored file of each source; equal files of a source group are kept once. Absent under a policy"""
    never_synced: int
    """Source groups of which no job has succeeded yet"""
    newest_sync_time: NotRequired[int]
    """`sync_time` of the freshest source group; Unix timestamp in seconds"""
    oldest_sync_time: NotRequired[int]
    """`sync_time` of the stalest source group; Unix timestamp in seconds"""


class ServiceStatusStores(TypedDict):
    name: Literal["database", "event store", "files", "search engine"]
    product: str
    """What the store is, such as `PostgreSQL`"""
    up: bool
    reason: NotRequired[str]
    """Why it cannot be used"""


class ServiceStatusViews(TypedDict):
    name: str
    halted: bool
    """Whether it has met an event that it cannot apply; `/readyz` says why"""
    lag_seconds: NotRequired[float]
    """Age of the oldest event that it has not read; 0: it has read all. Absent: not known"""


class ServiceStatusQueues(TypedDict):
    kind: str
    """`ingestion_job`, `ingestion_purge` (deletions), `agent_run` or `webhook_delivery`"""
    age_seconds: float
    """
    How long the oldest work has waited that could be done; of `webhook_delivery` also what waits for its
    next attempt; 0: none waits
    """


class ServiceStatusJobs(TypedDict):
    status: JobStatus
    count: int
    """Data sources"""
    since: int
    """When the first of them came into this status; Unix timestamp in seconds"""


class ServiceStatusStorage(TypedDict):
    database_bytes: NotRequired[int]
    """
    The whole database, of all tenants; only for the tenant of the first start, whose keys are the
    operator’s
    """


class ServiceStatusModels(TypedDict):
    use: Literal["answers", "agent_runs", "embeddings", "reranker", "transcription", "web_search"]
    provider: str
    """
    `local` (on this machine), `openai` (any server with this API), `anthropic`, `google`, `bedrock`,
    `agentcore`, `searxng` or `rerank`
    """
    model: NotRequired[str]
    """Absent: the server has one"""
    chosen_by: NotRequired[str]
    """Of agent runs: the `provider` that a run names for it"""


class Me(TypedDict):
    kind: Literal["api_key", "person"]
    id: str
    """Of the key, or of the person: the `id` of the `actor` of events"""
    name: NotRequired[str]
    """Absent: the token of the person tells none"""
    scopes: list[Literal["inference:run", "knowledge:read", "knowledge:write", "ingestion:manage", "authz:grant", "policy:redaction:manage", "apikeys:issue", "audit:read", "webhooks:manage"]]
    source_group_ids: NotRequired[list[str]]
    """The only source groups that you reach; absent: all of them"""


Nothing = dict[str, Any]

JobStatus = Literal[
    "unknown",
    "queued",
    "not_started",
    "managed",
    "starting",
    "started",
    "success",
    "failure",
    "canceling",
    "canceled",
    "deleting",
    "delete_job_failure",
]

AuditEntry = Union[
    "AuditEntryDataSourceRegistered",
    "AuditEntryJobQueued",
    "AuditEntryJobClaimed",
    "AuditEntryJobHandedOff",
    "AuditEntryJobStarted",
    "AuditEntryJobProgressed",
    "AuditEntryJobSucceeded",
    "AuditEntryJobFailed",
    "AuditEntryJobRequeued",
    "AuditEntryJobCancelRequested",
    "AuditEntryJobCanceled",
    "AuditEntryDataSourceDeletionRequested",
    "AuditEntryDataSourceDeleted",
    "AuditEntryDataSourceDeletionFailed",
    "AuditEntryJobStatusLost",
    "AuditEntryJobStatusReconciled",
    "AuditEntryFilesUploaded",
    "AuditEntryScheduleTickSkipped",
]

LogEvent = Union[
    "LogEventDataSourceRegistered",
    "LogEventJobQueued",
    "LogEventJobClaimed",
    "LogEventJobHandedOff",
    "LogEventJobStarted",
    "LogEventJobProgressed",
    "LogEventJobSucceeded",
    "LogEventJobFailed",
    "LogEventJobRequeued",
    "LogEventJobCancelRequested",
    "LogEventJobCanceled",
    "LogEventDataSourceDeletionRequested",
    "LogEventDataSourceDeleted",
    "LogEventDataSourceDeletionFailed",
    "LogEventJobStatusLost",
    "LogEventJobStatusReconciled",
    "LogEventFilesUploaded",
    "LogEventScheduleTickSkipped",
    "LogEventIngestionSettingCreated",
    "LogEventIngestionSettingRenamed",
    "LogEventIngestionParametersChanged",
    "LogEventScheduleSet",
    "LogEventScheduleRemoved",
    "LogEventSourceIndexed",
    "LogEventSourceSkipped",
    "LogEventSourceFailed",
    "LogEventSourceRemoved",
    "LogEventSourceMetadataReplaced",
    "LogEventSourceMetadataDeleted",
    "LogEventApiKeyIssued",
    "LogEventApiKeyRotated",
    "LogEventApiKeyRevoked",
    "LogEventTagCreated",
    "LogEventTagChanged",
    "LogEventTagDeleted",
    "LogEventTagBound",
    "LogEventTagUnbound",
    "LogEventConversationStarted",
    "LogEventUserMessageAdded",
    "LogEventAnswerBegun",
    "LogEventAnswerFinished",
    "LogEventAnswerFailed",
    "LogEventConversationDeleted",
    "LogEventAuthzPolicyCreated",
    "LogEventAuthzPolicyChanged",
    "LogEventAuthzPolicyDeleted",
    "LogEventAuthzAttributesSet",
    "LogEventAuthzAttributesDeleted",
    "LogEventRedactionPolicyCreated",
    "LogEventRedactionPolicyChanged",
    "LogEventRedactionPolicyDeleted",
    "LogEventSecretCreated",
    "LogEventSecretChanged",
    "LogEventSecretValueReplaced",
    "LogEventSecretRenewed",
    "LogEventSecretAttached",
    "LogEventSecretDetached",
    "LogEventSecretDeleted",
    "LogEventWebhookCreated",
    "LogEventWebhookChanged",
    "LogEventWebhookEnabled",
    "LogEventWebhookDisabled",
    "LogEventWebhookSecretRotated",
    "LogEventWebhookDeleted",
    "LogEventCompletionKeyClaimed",
    "LogEventIdempotencyKeyClaimed",
    "LogEventIdempotencyKeyReleased",
    "LogEventIdempotencyKeyUsed",
    "LogEventAgentThreadStarted",
    "LogEventRunAdmitted",
    "LogEventAgentThreadDeleted",
    "LogEventRunQueued",
    "LogEventRunStarted",
    "LogEventRunHandedOver",
    "LogEventRunEmitted",
    "LogEventRunSucceeded",
    "LogEventRunFailed",
    "LogEventRunCancelRequested",
    "LogEventRunCancelled",
    "LogEventAgentRunKeyClaimed",
    "LogEventAgentRunKeyReleased",
]

AuditEntryDataSourceRegisteredFromStatus = Literal[
    "unknown",
    "queued",
    "not_started",
    "managed",
    "starting",
    "started",
    "success",
    "failure",
    "canceling",
    "canceled",
    "deleting",
    "delete_job_failure",
    "removed",
]

FileType = Literal[
    "html",
    "pdf",
    "ppt",
    "pptx",
    "pptm",
    "doc",
    "docx",
    "docm",
    "xls",
    "xlsx",
    "xlsm",
    "md",
    "txt",
    "jsonl",
    "png",
    "jpg",
    "webp",
    "heic",
    "heif",
    "wav",
    "mp3",
    "aiff",
    "aac",
    "m4a",
    "ogg",
    "flac",
    "mp4",
    "mpg",
    "mov",
    "avi",
    "flv",
    "webm",
    "wmv",
    "3gp",
    "wiki_page",
]

SourceType = Literal["crawl", "local_file", "cloud_drive", "repo", "wiki", "push"]

MetadataType = Literal["string", "integer", "float", "date", "datetime"]

AgUiEvent = Union[
    "AgUiRunStarted",
    "AgUiCustom",
    "AgUiReasoningStart",
    "AgUiReasoningMessageStart",
    "AgUiReasoningMessageContent",
    "AgUiReasoningMessageEnd",
    "AgUiReasoningEnd",
    "AgUiTextMessageStart",
    "AgUiTextMessageContent",
    "AgUiTextMessageEnd",
    "AgUiRunFinished",
    "AgUiRunError",
]

AgentRunEvent = Union[
    "AgentRunEventRunQueued",
    "AgentRunEventRunStarted",
    "AgentRunEventRunHandedOver",
    "AgentRunEventRunEmitted",
    "AgentRunEventRunSucceeded",
    "AgentRunEventRunFailed",
    "AgentRunEventRunCancelRequested",
    "AgentRunEventRunCancelled",
]

WebhookCreateTypes = Literal[
    "DataSourceRegistered",
    "JobQueued",
    "JobClaimed",
    "JobHandedOff",
    "JobStarted",
    "JobProgressed",
    "JobSucceeded",
    "JobFailed",
    "JobRequeued",
    "JobCancelRequested",
    "JobCanceled",
    "DataSourceDeletionRequested",
    "DataSourceDeleted",
    "DataSourceDeletionFailed",
    "JobStatusLost",
    "JobStatusReconciled",
    "FilesUploaded",
    "ScheduleTickSkipped",
    "IngestionSettingCreated",
    "IngestionSettingRenamed",
    "IngestionParametersChanged",
    "ScheduleSet",
    "ScheduleRemoved",
    "SourceIndexed",
    "SourceSkipped",
    "SourceFailed",
    "SourceRemoved",
    "SourceMetadataReplaced",
    "SourceMetadataDeleted",
    "ApiKeyIssued",
    "ApiKeyRotated",
    "ApiKeyRevoked",
    "TagCreated",
    "TagChanged",
    "TagDeleted",
    "TagBound",
    "TagUnbound",
    "ConversationStarted",
    "UserMessageAdded",
    "AnswerBegun",
    "AnswerFinished",
    "AnswerFailed",
    "ConversationDeleted",
    "RedactionPolicyCreated",
    "RedactionPolicyChanged",
    "RedactionPolicyDeleted",
    "AuthzPolicyCreated",
    "AuthzPolicyChanged",
    "AuthzPolicyDeleted",
    "AuthzAttributesSet",
    "AuthzAttributesDeleted",
    "SecretCreated",
    "SecretChanged",
    "SecretValueReplaced",
    "SecretRenewed",
    "SecretAttached",
    "SecretDetached",
    "SecretDeleted",
    "WebhookCreated",
    "WebhookChanged",
    "WebhookEnabled",
    "WebhookDisabled",
    "WebhookSecretRotated",
    "WebhookDeleted",
    "AgentThreadStarted",
    "RunAdmitted",
    "AgentThreadDeleted",
    "RunQueued",
    "RunStarted",
    "RunHandedOver",
    "RunEmitted",
    "RunSucceeded",
    "RunFailed",
    "RunCancelRequested",
    "RunCancelled",
    "AgentRunKeyClaimed",
    "AgentRunKeyReleased",
    "CompletionKeyClaimed",
    "IdempotencyKeyClaimed",
    "IdempotencyKeyReleased",
    "IdempotencyKeyUsed",
]

WebhookCreateCategories = Literal[
    "dataSource",
    "ingestionSetting",
    "source",
    "apiKey",
    "conversation",
    "tag",
    "redactionPolicy",
    "authzPolicy",
    "authzSubject",
    "secret",
    "webhook",
    "agentThread",
    "agentRun",
    "idempotency",
]

#: Paths whose POST takes an `Idempotency-Key`.
KEYED = frozenset(
    {
        "/completions",
        "/agent/runs",
        "/crawls",
        "/repos",
        "/cloud-drives",
        "/wikis",
        "/local-file-groups",
        "/pushes",
        "/pushes/{id}/jobs",
        "/tags",
        "/tag-source-groups",
        "/redaction-policies",
        "/authz-policies",
        "/api-keys",
        "/secrets",
        "/webhooks",
    }
)
