// Made by `npm run client:types` from the OpenAPI document.

export type ErrorEnvelope = {
  readonly error: {
    /** What is wrong and what to do, for people */
    readonly message: string;
    /** What is wrong, for programs */
    readonly type: string;
  };
};

export type Pagination = {
  readonly limit: number;
  readonly has_more: boolean;
  readonly total: number;
  /** Id of the last record: send it as `after`. Absent on the last page */
  readonly next_id?: string;
};

export type CursorPagination = {
  readonly limit: number;
  readonly has_more: boolean;
  readonly total?: number;
  /** Cursor: send it as `after`. Absent on the last page */
  readonly next_id?: string;
};

export type Message = {
  readonly message: string;
};

export type Nothing = Record<string, never>;

export type JobStatus = "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure";

export type IngestionError = {
  /** A short stable phrase, one of: Start URL not reachable, Page not reachable, Blocked by robots.txt, Address not allowed, Credentials rejected, Not found at the provider, Provider not reachable, Timed out, Too large, Parser failed, Not supported here, Storage not available, Unexpected error, Worker lost, Deletion failed. Later versions may add some */
  readonly title: string;
  /** What happened to what. Of a job that is `queued`: what it waits for before another attempt. Of a crawl that is a `success`: that it lost more than 5 % of its pages */
  readonly message: string;
};

export type Crawl = {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly ingestion_setting_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  readonly error?: IngestionError;
  /** Counts of the running job, told every 2 s, or of the last one */
  readonly progress: {
    /** Visited: the sum of the four that follow */
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
    /** Present and true of a job over named items: its counts tell of these, not of the data source */
    readonly named_items?: boolean;
  };
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: "string";
    })[];
  };
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly start_url: string;
};

export type CrawlList = {
  readonly crawls: readonly (Crawl)[];
  readonly pagination: Pagination;
};

export type CrawlCreate = {
  readonly name: string;
  /** Absolute http or https URL without user name and password */
  readonly start_url: string;
  readonly max_depth: number;
  readonly max_num_files: number;
  /** Globs on the path of the URL; `!` before a pattern excludes. At most 2000 characters over all elements */
  readonly path_filters?: readonly (string)[];
  /** Regular expressions of which one must match the text of a page. At most 2000 characters over all elements */
  readonly content_pattern?: readonly (string)[];
  /** Download HTML files only */
  readonly html_only?: boolean;
  /** Use a headless browser */
  readonly use_browser?: boolean;
  /** Do not filter duplicates: by canonical URL, ids of sessions, parameters of tracking, percent-encoding, or the same text with and without a slash or an index file at the end */
  readonly no_canonical_check?: boolean;
  /** Extensions to include, each with its leading dot */
  readonly file_extensions?: readonly (string)[];
  /** RFC 5545 recurrence rule; null: no schedule */
  readonly rrule?: string | null;
  /** Reserved for future use */
  readonly metadata?: {
    readonly records?: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type?: "string";
    })[];
  };
};

export type SyncRequest = {
  /** Look at these pages alone, and leave all others as they are. Pages of the site that the crawl may visit, known or new; their links are not followed */
  readonly urls?: readonly (string)[];
  /** `full` does not trust what earlier jobs know */
  readonly mode?: "incremental" | "full";
};

export type CrawlErrors = {
  readonly errors: readonly ({
    /** URL of the page */
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  /** URLs that robots.txt refuses */
  readonly robots_blocked: readonly (string)[];
  readonly pagination: CursorPagination;
};

export type CrawlSetting = {
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly id: string;
  readonly name: string;
  readonly start_url: string;
  readonly max_depth: number;
  readonly html_only: boolean;
  readonly use_browser: boolean;
  readonly path_filters: readonly (string)[];
  readonly content_pattern: readonly (string)[];
  readonly max_num_files: number;
  readonly no_canonical_check: boolean;
  readonly file_extensions: readonly (string)[];
  readonly rrule?: string;
};

export type CrawlSettingChange = {
  readonly name?: string;
  readonly max_depth?: number;
  readonly max_num_files?: number;
  /** Globs on the path of the URL; `!` before a pattern excludes. At most 2000 characters over all elements */
  readonly path_filters?: readonly (string)[];
  /** Regular expressions of which one must match the text of a page. At most 2000 characters over all elements */
  readonly content_pattern?: readonly (string)[];
  /** Download HTML files only */
  readonly html_only?: boolean;
  /** Use a headless browser */
  readonly use_browser?: boolean;
  /** Do not filter duplicates: by canonical URL, ids of sessions, parameters of tracking, percent-encoding, or the same text with and without a slash or an index file at the end */
  readonly no_canonical_check?: boolean;
  /** Extensions to include, each with its leading dot */
  readonly file_extensions?: readonly (string)[];
  /** RFC 5545 recurrence rule; null removes the schedule */
  readonly rrule?: string | null;
};

export type Repo = {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly ingestion_setting_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  readonly error?: IngestionError;
  /** Counts of the running job, told every 2 s, or of the last one */
  readonly progress: {
    /** Visited: the sum of the four that follow */
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
    /** Present and true of a job over named items: its counts tell of these, not of the data source */
    readonly named_items?: boolean;
  };
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: "string";
    })[];
  };
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly repository: string;
  readonly reference_type: "default" | "branch" | "tag" | "commit";
  /** Name of the branch or tag, or hash of the commit; empty for the default branch */
  readonly reference_param: string;
  readonly path_filters: readonly (string)[];
};

export type RepoList = {
  readonly repos: readonly (Repo)[];
  readonly pagination: Pagination;
};

export type RepoCreate = {
  readonly name: string;
  readonly repository: string;
  readonly reference_type?: "default" | "branch" | "tag" | "commit";
  /** Name of the branch or tag, or hash of the commit; required unless `reference_type` is default */
  readonly reference_param?: string;
  /** Globs on the path of the file; `!` before a pattern excludes. At most 2000 characters over all elements */
  readonly path_filters?: readonly (string)[];
  /** Id of the secret that the host is asked with: of type token, basic or app */
  readonly secret_id?: string;
  /** RFC 5545 recurrence rule; null: no schedule */
  readonly rrule?: string | null;
  /** Reserved for future use */
  readonly metadata?: {
    readonly records?: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type?: "string";
    })[];
  };
};

export type RepoSyncRequest = {
  /** Look at the files of these paths alone, and leave all others as they are */
  readonly locators?: readonly (string)[];
  /** `full` does not trust what earlier jobs know */
  readonly mode?: "incremental" | "full";
};

export type RepoErrors = {
  readonly errors: readonly ({
    /** Path of the file */
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  readonly pagination: CursorPagination;
};

export type RepoSetting = {
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly id: string;
  readonly name: string;
  readonly repository: string;
  readonly reference_type: "default" | "branch" | "tag" | "commit";
  /** Name of the branch or tag, or hash of the commit; empty for the default branch */
  readonly reference_param: string;
  readonly path_filters: readonly (string)[];
  readonly rrule?: string;
  readonly secret_id?: string;
};

export type RepoSettingChange = {
  readonly name?: string;
  readonly reference_type?: "default" | "branch" | "tag" | "commit";
  /** Name of the branch or tag, or hash of the commit; required unless `reference_type` is default */
  readonly reference_param?: string;
  /** Globs on the path of the file; `!` before a pattern excludes. At most 2000 characters over all elements */
  readonly path_filters?: readonly (string)[];
  /** Id of the secret that the host is asked with: of type token, basic or app; null removes it */
  readonly secret_id?: string | null;
  /** RFC 5545 recurrence rule; null removes the schedule */
  readonly rrule?: string | null;
};

export type CloudDrive = {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly ingestion_setting_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  readonly error?: IngestionError;
  /** Counts of the running job, told every 2 s, or of the last one */
  readonly progress: {
    /** Visited: the sum of the four that follow */
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
    /** Present and true of a job over named items: its counts tell of these, not of the data source */
    readonly named_items?: boolean;
  };
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: "string";
    })[];
  };
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly folder_url: string;
};

export type CloudDriveList = {
  readonly cloud_drives: readonly (CloudDrive)[];
  readonly pagination: Pagination;
};

export type CloudDriveCreate = {
  readonly name: string;
  /** Address of a folder of Google Drive, or of a shared drive, as a browser shows it or a link shares it */
  readonly folder_url: string;
  /** Id of the secret that the drive is asked with: of type service_account, oauth_refresh or token. Without it the request is refused (400) */
  readonly secret_id?: string;
  /** RFC 5545 recurrence rule; null: no schedule */
  readonly rrule?: string | null;
  /** Reserved for future use */
  readonly metadata?: {
    readonly records?: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type?: "string";
    })[];
  };
};

export type CloudDriveSyncRequest = {
  /** Look at these files alone, given by their ids or addresses, and leave all others as they are */
  readonly locators?: readonly (string)[];
  /** `full` does not trust what earlier jobs know */
  readonly mode?: "incremental" | "full";
};

export type CloudDriveErrors = {
  readonly errors: readonly ({
    /** Id of the file in the drive; the message begins with its name */
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  readonly pagination: CursorPagination;
};

export type CloudDriveSetting = {
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly id: string;
  readonly name: string;
  readonly folder_url: string;
  readonly rrule?: string;
  readonly secret_id?: string;
};

export type CloudDriveSettingChange = {
  readonly name?: string;
  /** Id of the secret that the drive is asked with: of type service_account, oauth_refresh or token; null removes it */
  readonly secret_id?: string | null;
  /** RFC 5545 recurrence rule; null removes the schedule */
  readonly rrule?: string | null;
};

export type Wiki = {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly ingestion_setting_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  readonly error?: IngestionError;
  /** Counts of the running job, told every 2 s, or of the last one */
  readonly progress: {
    /** Visited: the sum of the four that follow */
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
    /** Present and true of a job over named items: its counts tell of these, not of the data source */
    readonly named_items?: boolean;
  };
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: "string";
    })[];
  };
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  /** Id of the page, in lower case and with dashes */
  readonly page_id: string;
};

export type WikiList = {
  readonly wikis: readonly (Wiki)[];
  readonly pagination: Pagination;
};

export type WikiCreate = {
  readonly name: string;
  /** Page or database to begin at: its id, with or without dashes, or the link to it that the wiki copies */
  readonly page_id: string;
  /** Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database that is named itself are read either way */
  readonly include_children?: boolean;
  /** Id of the secret that the wiki is asked with: of type token. Without it the request is refused (400) */
  readonly secret_id?: string;
  /** RFC 5545 recurrence rule; null: no schedule */
  readonly rrule?: string | null;
  /** Reserved for future use */
  readonly metadata?: {
    readonly records?: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type?: "string";
    })[];
  };
};

export type WikiSyncRequest = {
  /** Look at these alone, and leave all others as they are: ids or links of pages, or locators of files as errors name them */
  readonly locators?: readonly (string)[];
  /** `full` does not trust what earlier jobs know */
  readonly mode?: "incremental" | "full";
};

export type WikiErrors = {
  readonly errors: readonly ({
    /** Id of the page or database, or of the page and the file in it */
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  readonly pagination: CursorPagination;
};

export type WikiSetting = {
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly id: string;
  readonly name: string;
  /** Id of the page, in lower case and with dashes */
  readonly page_id: string;
  /** Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database that is named itself are read either way */
  readonly include_children: boolean;
  readonly rrule?: string;
  readonly secret_id?: string;
};

export type WikiSettingChange = {
  readonly name?: string;
  /** Whether the pages below the page, and the rows of databases in them, are read too. Rows of a database that is named itself are read either way */
  readonly include_children?: boolean;
  /** Id of the secret that the wiki is asked with: of type token; null removes it */
  readonly secret_id?: string | null;
  /** RFC 5545 recurrence rule; null removes the schedule */
  readonly rrule?: string | null;
};

export type LocalFileGroup = {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  readonly error?: IngestionError;
  /** Counts of the running job, told every 2 s, or of the last one */
  readonly progress: {
    /** Visited: the sum of the four that follow */
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
    /** Present and true of a job over named items: its counts tell of these, not of the data source */
    readonly named_items?: boolean;
  };
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: "string";
    })[];
  };
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  /** Of the newest upload, Unix timestamp in seconds; absent until there is one */
  readonly upload_time?: number;
  readonly chunk_metadata_keys: readonly ({
    readonly key: string;
    readonly type: MetadataType;
  })[];
  /** Contents that have a value of one of these keys */
  readonly chunk_metadatas_count: number;
};

export type LocalFileGroupList = {
  readonly local_file_groups: readonly (LocalFileGroup)[];
  readonly pagination: Pagination;
};

export type LocalFileGroupSync = {
  /** Read these files alone, by their names, and leave all others as they are */
  readonly locators?: readonly (string)[];
  /** `full` does not trust what earlier jobs know */
  readonly mode?: "incremental" | "full";
};

export type LocalFileGroupErrors = {
  readonly errors: readonly ({
    /** Name of the file */
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  readonly pagination: CursorPagination;
};

export type LocalFileGroupForm = {
  readonly name: string;
  /** Each a part with a filename. A relative path in it is kept as the name of the file, so that files of equal names in several folders stay apart */
  readonly files: readonly (string)[];
  /** Unix epoch milliseconds of each file: a part for each, in the order of the files, wherever they stand */
  readonly last_modified: readonly (number)[];
  /** A JSON array of {"key", "type"}, with the types string, integer, float, date, datetime: columns of tables and members of JSON lines whose values become typed metadata of the content of their row */
  readonly chunk_metadata_keys?: string;
};

export type LocalFilesForm = {
  /** Each a part with a filename. A relative path in it is kept as the name of the file, so that files of equal names in several folders stay apart */
  readonly files: readonly (string)[];
  /** Unix epoch milliseconds of each file: a part for each, in the order of the files, wherever they stand */
  readonly last_modified: readonly (number)[];
};

export type CreatedLocalFileGroup = {
  /** Id of the source group, and of the local file group */
  readonly source_group_id: string;
};

export type Push = {
  readonly id: string;
  readonly name: string;
  readonly status: JobStatus;
  readonly ingestion_setting_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  readonly error?: IngestionError;
  /** Counts of the running job, told every 2 s, or of the last one */
  readonly progress: {
    /** Visited: the sum of the four that follow */
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
    /** Present and true of a job over named items: its counts tell of these, not of the data source */
    readonly named_items?: boolean;
  };
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: "string";
    })[];
  };
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  /** The newest job: what its executor reports under */
  readonly job_id: string;
};

export type PushList = {
  readonly pushes: readonly (Push)[];
  readonly pagination: Pagination;
};

export type PushCreate = {
  readonly name: string;
  /** Reserved for future use */
  readonly metadata?: {
    readonly records?: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type?: "string";
    })[];
  };
};

export type PushErrors = {
  readonly errors: readonly ({
    /** Of the document */
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  readonly pagination: CursorPagination;
};

export type PushJobFailure = {
  readonly error: {
    /** A short stable phrase */
    readonly title: string;
    /** What happened to what. It is kept: no secrets */
    readonly message: string;
  };
};

export type DocumentForm = {
  /** The document; the Content-Type of its part says what it is */
  readonly file: string;
  /** Default: what the document says of itself, or the end of the locator */
  readonly title?: string;
  /** Where people open it, http or https. Default: where its bytes are to be had here */
  readonly url?: string;
  /** JSON, as in `PUT /sources/{id}/metadata`: {"records": [{"key", "val", "type"}]}, which replaces all records. Default: those that there are stay */
  readonly metadata?: string;
};

export type Occurrences = {
  /** When the schedule fires next, ascending */
  readonly occurrences: readonly (number)[];
};

export type ConnectionTest = {
  /** Whether the provider let the secret in and has what is named */
  readonly reached: boolean;
  /** Of the first page of its listing; where it was reached */
  readonly items?: number;
  /** Whether the listing goes on behind them */
  readonly more?: boolean;
  /** Locator of the first one */
  readonly first_item?: string;
  /** What a job would fail with; where it was not reached */
  readonly error?: {
    readonly code: string;
    /** A short stable phrase, one of: Start URL not reachable, Page not reachable, Blocked by robots.txt, Address not allowed, Credentials rejected, Not found at the provider, Provider not reachable, Timed out, Too large, Parser failed, Not supported here, Storage not available, Unexpected error, Worker lost, Deletion failed. Later versions may add some */
    readonly title: string;
    /** What happened to what. Of a job that is `queued`: what it waits for before another attempt. Of a crawl that is a `success`: that it lost more than 5 % of its pages */
    readonly message: string;
  };
};

export type ScrapeRequest = {
  /** Absolute http or https URL without user name and password */
  readonly url: string;
  readonly formats?: readonly ("markdown" | "html" | "links" | "metadata")[];
  /** Use a headless browser */
  readonly use_browser?: boolean;
};

export type ScrapedPage = {
  /** The URL that answered, after redirects */
  readonly url: string;
  /** Its text as GitHub Flavored Markdown, without navigation, redacted as what is indexed */
  readonly markdown?: string;
  /** As it came, also where redaction hides some of its text */
  readonly html?: string;
  /** Absolute, each once, in order of appearance, at most 10,000; without those marked nofollow */
  readonly links?: readonly (string)[];
  readonly metadata?: {
    readonly title: string;
    /** As it describes itself, redacted */
    readonly description?: string;
    /** BCP 47, as its text shows or as it declares */
    readonly language?: string;
    readonly canonical_url?: string;
    readonly noindex: boolean;
    readonly nofollow: boolean;
    /** HTTP status of the page */
    readonly status: number;
    readonly media_type: string;
    /** In which it was read */
    readonly encoding: string;
    readonly bytes: number;
  };
};

export type Actor = {
  readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
  readonly id: string;
  /** Of a person, as the issuer of the sign-in told it at that time */
  readonly name?: string;
};

/** One for each type. Hashes of API keys are left out; times in `data` are Unix milliseconds */
export type AuditEntry = AuditEntryDataSourceRegistered | AuditEntryJobQueued | AuditEntryJobClaimed | AuditEntryJobHandedOff | AuditEntryJobStarted | AuditEntryJobProgressed | AuditEntryJobSucceeded | AuditEntryJobFailed | AuditEntryJobRequeued | AuditEntryJobCancelRequested | AuditEntryJobCanceled | AuditEntryDataSourceDeletionRequested | AuditEntryDataSourceDeleted | AuditEntryDataSourceDeletionFailed | AuditEntryJobStatusLost | AuditEntryJobStatusReconciled | AuditEntryFilesUploaded | AuditEntryScheduleTickSkipped;

export type AuditTrail = {
  readonly events: readonly (AuditEntry)[];
  readonly pagination: CursorPagination;
};

export type RecordChanges = {
  readonly changes: readonly ({
    /** Place of the event in the log: the record as of it is the one after */
    readonly position: string;
    readonly stream: string;
    /** Number of the event within its stream */
    readonly revision: number;
    readonly type: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly actor: Actor;
    readonly trace_id?: string;
    readonly fields: readonly ({
      /** JSON Pointer (RFC 6901) into the record; empty: the whole record */
      readonly path: string;
      /** Absent: it was not there */
      readonly before?: unknown;
      /** Absent: it is not there any more */
      readonly after?: unknown;
    })[];
  })[];
  readonly pagination: CursorPagination;
};

/** One for each type. Hashes of API keys are left out; times in `data` are Unix milliseconds */
export type LogEvent = LogEventDataSourceRegistered | LogEventJobQueued | LogEventJobClaimed | LogEventJobHandedOff | LogEventJobStarted | LogEventJobProgressed | LogEventJobSucceeded | LogEventJobFailed | LogEventJobRequeued | LogEventJobCancelRequested | LogEventJobCanceled | LogEventDataSourceDeletionRequested | LogEventDataSourceDeleted | LogEventDataSourceDeletionFailed | LogEventJobStatusLost | LogEventJobStatusReconciled | LogEventFilesUploaded | LogEventScheduleTickSkipped | LogEventIngestionSettingCreated | LogEventIngestionSettingRenamed | LogEventIngestionParametersChanged | LogEventScheduleSet | LogEventScheduleRemoved | LogEventSourceIndexed | LogEventSourceSkipped | LogEventSourceFailed | LogEventSourceRemoved | LogEventSourceMetadataReplaced | LogEventSourceMetadataDeleted | LogEventApiKeyIssued | LogEventApiKeyRotated | LogEventApiKeyRevoked | LogEventTagCreated | LogEventTagChanged | LogEventTagDeleted | LogEventTagBound | LogEventTagUnbound | LogEventConversationStarted | LogEventUserMessageAdded | LogEventAnswerBegun | LogEventAnswerFinished | LogEventAnswerFailed | LogEventConversationDeleted | LogEventAuthzPolicyCreated | LogEventAuthzPolicyChanged | LogEventAuthzPolicyDeleted | LogEventAuthzAttributesSet | LogEventAuthzAttributesDeleted | LogEventRedactionPolicyCreated | LogEventRedactionPolicyChanged | LogEventRedactionPolicyDeleted | LogEventSecretCreated | LogEventSecretChanged | LogEventSecretValueReplaced | LogEventSecretRenewed | LogEventSecretAttached | LogEventSecretDetached | LogEventSecretDeleted | LogEventWebhookCreated | LogEventWebhookChanged | LogEventWebhookEnabled | LogEventWebhookDisabled | LogEventWebhookSecretRotated | LogEventWebhookDeleted | LogEventCompletionKeyClaimed | LogEventIdempotencyKeyClaimed | LogEventIdempotencyKeyReleased | LogEventIdempotencyKeyUsed | LogEventAgentThreadStarted | LogEventRunAdmitted | LogEventAgentThreadDeleted | LogEventRunQueued | LogEventRunStarted | LogEventRunHandedOver | LogEventRunEmitted | LogEventRunSucceeded | LogEventRunFailed | LogEventRunCancelRequested | LogEventRunCancelled | LogEventAgentRunKeyClaimed | LogEventAgentRunKeyReleased;

export type LogPage = {
  readonly events: readonly (LogEvent)[];
  readonly pagination: {
    readonly limit: number;
    readonly has_more: boolean;
    /** Cursor: send it as `after_position`. A page may have fewer events than `limit`, or none, where few of the log match */
    readonly next_id?: string;
  };
};

export type Checkpoint = {
  /** Events that it covers */
  readonly size: number;
  /** Root of the Merkle tree over them, in base64 */
  readonly root_hash: string;
  /** Unix timestamp in seconds */
  readonly signed_at: number;
  /** The signed note, with the signatures of witnesses */
  readonly note: string;
  /** How many witnesses have signed it */
  readonly witnesses: number;
};

export type CheckpointList = {
  readonly checkpoints: readonly (Checkpoint)[];
  readonly pagination: {
    readonly limit: number;
    readonly has_more: boolean;
    /** Send it as `after` */
    readonly next_id?: number;
  };
};

export type VerifierKeys = {
  /** First line of each checkpoint: names installation and tenant */
  readonly origin: string;
  readonly keys: readonly ({
    readonly key: string;
    /** Unix timestamp in seconds */
    readonly since: number;
  })[];
};

export type InclusionProof = {
  /** Of the leaf */
  readonly index: number;
  /** Hash of the leaf, in base64 */
  readonly leaf_hash: string;
  /** Canonical form of the event (RFC 8785), which is hashed */
  readonly leaf: string;
  readonly event?: {
    readonly id: string;
    readonly stream: string;
    readonly revision: number;
    readonly type: string;
    readonly data: { readonly [key: string]: unknown };
    readonly metadata: { readonly [key: string]: unknown };
  };
  /** Fields of `data` that enter the leaf as SHA-256 of a salt and the canonical value: the salt, or for a key that may not see the value the hash */
  readonly hidden?: { readonly [key: string]: {
    readonly salt: string;
  } | {
    readonly hash: string;
  } };
  /** In base64, in the order of the RFC */
  readonly hashes: readonly (string)[];
  readonly checkpoint: Checkpoint;
};

export type ConsistencyProof = {
  /** Older */
  readonly from: number;
  /** Newer */
  readonly to: number;
  /** In base64, in the order of the RFC */
  readonly hashes: readonly (string)[];
};

/** The data source begins, with its first job */
export type DataSourceRegisteredData = {
  readonly subject: {
    readonly kind: "crawl";
    readonly start_url: string;
  } | {
    readonly kind: "repo";
    readonly repository: string;
    readonly reference_type: string;
    readonly reference_param: string;
    readonly path_filters: readonly (string)[];
  } | {
    readonly kind: "cloud_drive";
    readonly folder_url: string;
  } | {
    readonly kind: "wiki";
    readonly page_id: string;
  } | {
    readonly kind: "local_file_group";
    readonly chunk_metadata_keys?: readonly ({
      readonly key: string;
      readonly type: MetadataType;
    })[];
  } | {
    readonly kind: "push";
  };
  readonly ingestion_setting_id: string;
  readonly metadata: readonly ({
    readonly key: string;
    readonly val: string;
  })[];
  readonly job_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The job waits for a worker */
export type JobQueuedData = {
  readonly job_id: string;
  readonly attempt: 1;
  readonly trigger: "create" | "sync" | "schedule" | "upload" | "push" | "recovery";
  readonly mode: "incremental" | "full";
  /** Number of the job within the data source */
  readonly generation: number;
  /** Unix milliseconds */
  readonly due_at?: number;
  /** The items that it looks at alone */
  readonly locators?: readonly (string)[];
  /** Unix milliseconds */
  readonly at: number;
};

/** A worker takes the job */
export type JobClaimedData = {
  readonly job_id: string;
  readonly worker_id: string;
  /** Fencing token: higher than that of every earlier claim */
  readonly epoch: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** The job is done elsewhere */
export type JobHandedOffData = {
  readonly job_id: string;
  readonly executor: string;
  readonly external_id: string;
  /** Fencing token: higher than that of every earlier claim */
  readonly epoch: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** The work begins */
export type JobStartedData = {
  readonly job_id: string;
  readonly attempt: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** How far the job is */
export type JobProgressedData = {
  readonly job_id: string;
  readonly counts: {
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** The job is done */
export type JobSucceededData = {
  readonly job_id: string;
  readonly counts: {
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
  };
  /** Number of the job within the data source */
  readonly generation: number;
  readonly after_cancel_request: boolean;
  readonly error?: {
    readonly title: string;
    readonly message: string;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** The job has failed for good */
export type JobFailedData = {
  readonly job_id: string;
  readonly error: {
    readonly title: string;
    readonly message: string;
  };
  readonly code: string;
  readonly counts?: {
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** The job waits for another attempt */
export type JobRequeuedData = {
  readonly job_id: string;
  readonly reason: string;
  readonly attempt: number;
  /** Unix milliseconds */
  readonly not_before: number;
  readonly error?: {
    readonly title: string;
    readonly message: string;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** Somebody asked for the job to end */
export type JobCancelRequestedData = {
  readonly job_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The job has ended because somebody asked */
export type JobCanceledData = {
  readonly job_id: string;
  readonly by: "caller" | "worker" | "worker_lost" | "timeout";
  readonly counts?: {
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
  };
  readonly error?: {
    readonly title: string;
    readonly message: string;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** Nothing of the data source is shown from now on */
export type DataSourceDeletionRequestedData = {
  readonly interrupted_job_id: string | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** What was removed */
export type DataSourceDeletedData = {
  readonly contents: number;
  readonly sources: number;
  readonly bytes: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** Not all could be removed */
export type DataSourceDeletionFailedData = {
  readonly error: {
    readonly title: string;
    readonly message: string;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** Nobody knows how the job does */
export type JobStatusLostData = {
  readonly job_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** How the job does is known again */
export type JobStatusReconciledData = {
  readonly job_id: string;
  readonly status: "managed" | "success" | "failure" | "canceled";
  readonly error?: {
    readonly title: string;
    readonly message: string;
  };
  readonly counts?: {
    readonly seen: number;
    readonly indexed: number;
    readonly unchanged: number;
    readonly skipped: number;
    readonly failed: number;
    readonly bytes: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** A caller put files into the group; the job is the first that reads them */
export type FilesUploadedData = {
  readonly job_id: string;
  readonly list: {
    readonly sha256: string;
    readonly bytes: number;
  };
  readonly added: number;
  readonly replaced: number;
  readonly bytes: number;
  readonly chunk_metadata_keys?: readonly ({
    readonly key: string;
    readonly type: MetadataType;
  })[];
  /** Unix milliseconds */
  readonly at: number;
};

/** The schedule came round while a job was at work */
export type ScheduleTickSkippedData = {
  /** Unix milliseconds */
  readonly due_at: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** Name, parameters and schedule at the beginning */
export type IngestionSettingCreatedData = {
  readonly data_source_id: string;
  readonly name: string;
  readonly parameters: {
    readonly kind: "crawl";
    readonly start_url: string;
    readonly max_depth: number;
    readonly max_num_files: number;
    readonly path_filters: readonly (string)[];
    readonly content_pattern: readonly (string)[];
    readonly html_only: boolean;
    readonly use_browser: boolean;
    readonly no_canonical_check: boolean;
    readonly file_extensions: readonly (string)[];
  } | {
    readonly kind: "repo";
    readonly repository: string;
    readonly reference_type: string;
    readonly reference_param: string;
    readonly path_filters: readonly (string)[];
    readonly secret_id: string | null;
  } | {
    readonly kind: "cloud_drive";
    readonly folder_url: string;
    readonly secret_id: string | null;
  } | {
    readonly kind: "wiki";
    readonly page_id: string;
    readonly include_children: boolean;
    readonly secret_id: string | null;
  } | {
    readonly kind: "local_file_group";
    readonly chunk_metadata_keys: readonly ({
      readonly key: string;
      readonly type: MetadataType;
    })[];
  } | {
    readonly kind: "push";
  };
  readonly schedule: {
    readonly rrule: string;
    /** Unix milliseconds */
    readonly start: number;
  } | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** Its name from now on */
export type IngestionSettingRenamedData = {
  readonly name: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** All parameters, from the next job on */
export type IngestionParametersChangedData = {
  readonly parameters: {
    readonly kind: "crawl";
    readonly start_url: string;
    readonly max_depth: number;
    readonly max_num_files: number;
    readonly path_filters: readonly (string)[];
    readonly content_pattern: readonly (string)[];
    readonly html_only: boolean;
    readonly use_browser: boolean;
    readonly no_canonical_check: boolean;
    readonly file_extensions: readonly (string)[];
  } | {
    readonly kind: "repo";
    readonly repository: string;
    readonly reference_type: string;
    readonly reference_param: string;
    readonly path_filters: readonly (string)[];
    readonly secret_id: string | null;
  } | {
    readonly kind: "cloud_drive";
    readonly folder_url: string;
    readonly secret_id: string | null;
  } | {
    readonly kind: "wiki";
    readonly page_id: string;
    readonly include_children: boolean;
    readonly secret_id: string | null;
  } | {
    readonly kind: "local_file_group";
    readonly chunk_metadata_keys: readonly ({
      readonly key: string;
      readonly type: MetadataType;
    })[];
  } | {
    readonly kind: "push";
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** Its schedule from now on */
export type ScheduleSetData = {
  readonly schedule: {
    readonly rrule: string;
    /** Unix milliseconds */
    readonly start: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** No schedule from now on */
export type ScheduleRemovedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** The document was read, and has changed */
export type SourceIndexedData = {
  readonly data_source_id: string;
  readonly source_type: SourceType;
  /** Canonical URL, path or id: what makes the document this document */
  readonly locator: string;
  readonly job_id: string;
  readonly generation: number;
  readonly url: string;
  readonly title: string;
  readonly language?: string;
  readonly file_type: string;
  readonly media_type: string;
  readonly raw: {
    readonly sha256: string;
    readonly bytes: number;
  };
  readonly chunk_set: {
    readonly sha256: string;
    readonly bytes: number;
    readonly chunks: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** The document is left out */
export type SourceSkippedData = {
  readonly data_source_id: string;
  readonly source_type: SourceType;
  /** Canonical URL, path or id: what makes the document this document */
  readonly locator: string;
  readonly job_id: string;
  readonly generation: number;
  readonly url?: string;
  readonly title?: string;
  readonly reason: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The document could not be read */
export type SourceFailedData = {
  readonly data_source_id: string;
  readonly source_type: SourceType;
  /** Canonical URL, path or id: what makes the document this document */
  readonly locator: string;
  readonly job_id: string;
  readonly generation: number;
  readonly url?: string;
  readonly title?: string;
  readonly code: string;
  readonly message: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The document is there no more */
export type SourceRemovedData = {
  readonly data_source_id: string;
  readonly reason: string;
  readonly job_id: string | null;
  readonly generation: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** All metadata of the document, from now on */
export type SourceMetadataReplacedData = {
  readonly records: readonly ({
    readonly key: string;
    readonly val: string;
    readonly type: MetadataType;
  })[];
  /** What the provider of the document says of it. Absent: a caller wrote the records */
  readonly provided?: readonly ({
    readonly key: string;
    readonly val: string;
    readonly type: MetadataType;
  })[];
  /** Unix milliseconds */
  readonly at: number;
};

/** No metadata from now on */
export type SourceMetadataDeletedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** A key, and what it may do */
export type ApiKeyIssuedData = {
  readonly key_id: string;
  readonly name: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  readonly source_group_ids: readonly (string)[] | null;
  readonly expires_at: number | null;
  readonly requests_per_minute: number | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** Another key, with the same id and powers */
export type ApiKeyRotatedData = {
  readonly key_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The key opens nothing any more */
export type ApiKeyRevokedData = {
  readonly key_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A tag begins */
export type TagCreatedData = {
  readonly tag_id: string;
  readonly name: string;
  readonly description: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** Name and description from now on */
export type TagChangedData = {
  readonly tag_id: string;
  readonly name: string;
  readonly description: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The tag and its bindings end */
export type TagDeletedData = {
  readonly tag_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A source group carries the tag */
export type TagBoundData = {
  readonly tag_id: string;
  readonly binding_id: string;
  readonly source_group_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A source group carries the tag no more */
export type TagUnboundData = {
  readonly tag_id: string;
  readonly binding_id: string;
  readonly source_group_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A conversation begins */
export type ConversationStartedData = {
  readonly principal_id: string | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** Something was asked */
export type UserMessageAddedData = {
  readonly message_id: string;
  readonly parent_id: string | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** An answer is being written */
export type AnswerBegunData = {
  readonly message_id: string;
  readonly parent_id: string;
  readonly source_group_ids: readonly (string)[] | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** The answer is written */
export type AnswerFinishedData = {
  readonly message_id: string;
  readonly finish_reason: string;
  readonly model: string;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
  } | null;
  readonly cited_content_ids: readonly (string)[];
  readonly cut: boolean;
  /** Unix milliseconds */
  readonly at: number;
};

/** There is no answer */
export type AnswerFailedData = {
  readonly message_id: string;
  readonly code: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** Nobody can read what was said any more */
export type ConversationDeletedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** An authz policy begins */
export type AuthzPolicyCreatedData = {
  readonly policy_id: string;
  readonly name: string;
  readonly description: string;
  readonly source_metadata: { readonly [key: string]: unknown } | null;
  readonly chunk_metadata: { readonly [key: string]: unknown } | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** All of its rules, from now on */
export type AuthzPolicyChangedData = {
  readonly name: string;
  readonly description: string;
  readonly source_metadata: { readonly [key: string]: unknown } | null;
  readonly chunk_metadata: { readonly [key: string]: unknown } | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** Requests that name it are refused */
export type AuthzPolicyDeletedData = {
  readonly name: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** All that the policy knows of the principal */
export type AuthzAttributesSetData = {
  readonly principal_id: string;
  readonly authz_policy: string;
  readonly attributes: { readonly [key: string]: unknown };
  /** Unix milliseconds */
  readonly at: number;
};

/** No policy knows anything of the principal */
export type AuthzAttributesDeletedData = {
  readonly principal_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A redaction policy begins */
export type RedactionPolicyCreatedData = {
  readonly name: string;
  readonly rules: readonly ({
    readonly name: string;
    readonly kind: "pattern" | "email" | "phone" | "card" | "iban" | "ip" | "national_id" | "key";
    readonly pattern?: string;
    readonly replacement?: string;
  })[];
  readonly applies_to: readonly ("ingestion" | "content" | "completion" | "agent")[];
  /** Unix milliseconds */
  readonly at: number;
};

/** All of it, from now on */
export type RedactionPolicyChangedData = {
  readonly name: string;
  readonly rules: readonly ({
    readonly name: string;
    readonly kind: "pattern" | "email" | "phone" | "card" | "iban" | "ip" | "national_id" | "key";
    readonly pattern?: string;
    readonly replacement?: string;
  })[];
  readonly applies_to: readonly ("ingestion" | "content" | "completion" | "agent")[];
  /** Unix milliseconds */
  readonly at: number;
};

/** It hides nothing any more */
export type RedactionPolicyDeletedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** A secret is kept */
export type SecretCreatedData = {
  readonly name: string;
  readonly secret_type: "token" | "basic" | "oauth_refresh" | "service_account" | "app";
  /** Names the value, which is in no event */
  readonly value_id: string;
  readonly expires_at: number | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** Name and expiry from now on */
export type SecretChangedData = {
  readonly name: string;
  readonly expires_at: number | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** A caller has given another value */
export type SecretValueReplacedData = {
  /** Names the value, which is in no event */
  readonly value_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The provider has given another token */
export type SecretRenewedData = {
  /** Names the value, which is in no event */
  readonly value_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A data source names it */
export type SecretAttachedData = {
  readonly data_source_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A data source names it no more */
export type SecretDetachedData = {
  readonly data_source_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** Nobody can read its value any more */
export type SecretDeletedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** Events are sent to an address */
export type WebhookCreatedData = {
  readonly url: string;
  readonly description: string;
  readonly types: readonly (string)[] | null;
  readonly categories: readonly (string)[] | null;
  readonly source_group_ids: readonly (string)[] | null;
  /** Names the secret, which is in no event */
  readonly secret_id: string;
  /** Position after which events are sent */
  readonly from: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** All of the subscription, from now on */
export type WebhookChangedData = {
  readonly url: string;
  readonly description: string;
  readonly types: readonly (string)[] | null;
  readonly categories: readonly (string)[] | null;
  readonly source_group_ids: readonly (string)[] | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** Deliveries go on where they stopped */
export type WebhookEnabledData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** Nothing is sent any more */
export type WebhookDisabledData = {
  readonly because: "caller" | "failing" | "gone";
  /** The last answer of the receiver */
  readonly detail: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** Another secret signs, and the one before for a while */
export type WebhookSecretRotatedData = {
  /** Names the secret, which is in no event */
  readonly secret_id: string;
  /** Unix milliseconds */
  readonly previous_until: number;
  /** Unix milliseconds */
  readonly at: number;
};

/** Its secrets and deliveries are erased */
export type WebhookDeletedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** An Idempotency-Key leads to an answer */
export type CompletionKeyClaimedData = {
  readonly conversation_id: string;
  readonly answer_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A request holds an Idempotency-Key */
export type IdempotencyKeyClaimedData = {
  readonly operation: string;
  readonly body_hash: string;
  readonly ids: readonly (string)[];
  /** Unix milliseconds */
  readonly at: number;
};

/** A request that held it was refused */
export type IdempotencyKeyReleasedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** A repeated request was answered */
export type IdempotencyKeyUsedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** A thread begins */
export type AgentThreadStartedData = {
  readonly principal_id: string | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** A run is part of the thread, and is pending */
export type RunAdmittedData = {
  readonly run_id: string;
  readonly ended: readonly (string)[];
  readonly principal_id: string | null;
  readonly parent_run_id: string | null;
  readonly after_run_id: string | null;
  readonly workflow_type: string;
  readonly provider: "PROVIDER_A_DIRECT" | "PROVIDER_B" | "PROVIDER_C" | "PROVIDER_D" | null;
  readonly execution_mode: "LOCAL" | "MANAGED_RUNTIME";
  readonly runtime_arn: string | null;
  readonly input_history_mode: "legacy_full" | "delta_v1";
  /** Of the API key or the person that asked */
  readonly key_id: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  readonly source_group_ids: readonly (string)[] | null;
  readonly reach: readonly (string)[] | null;
  readonly authz_policy: string | null;
  readonly titled: boolean;
  /** Unix milliseconds */
  readonly at: number;
};

/** Nobody can read the thread and its runs any more */
export type AgentThreadDeletedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** A run waits for a worker, or for the run before it */
export type RunQueuedData = {
  readonly thread_id: string;
  readonly principal_id: string | null;
  readonly parent_run_id: string | null;
  readonly after_run_id: string | null;
  readonly workflow_type: string;
  readonly provider: "PROVIDER_A_DIRECT" | "PROVIDER_B" | "PROVIDER_C" | "PROVIDER_D" | null;
  readonly execution_mode: "LOCAL" | "MANAGED_RUNTIME";
  readonly runtime_arn: string | null;
  readonly input_history_mode: "legacy_full" | "delta_v1";
  /** Of the API key or the person that asked */
  readonly key_id: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  readonly source_group_ids: readonly (string)[] | null;
  readonly reach: readonly (string)[] | null;
  readonly authz_policy: string | null;
  readonly titled: boolean;
  /** Unix milliseconds */
  readonly at: number;
};

/** A worker executes the run; what it knows of the thread is settled */
export type RunStartedData = {
  readonly worker_id: string;
  readonly context_start_run_id: string | null;
  readonly context_truncated: boolean;
  readonly context_messages: number;
  readonly context_digest: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** The run is put to a runtime that somebody else operates, which has not been asked yet */
export type RunHandedOverData = {
  readonly runtime_arn: string;
  readonly runtime_session_id: string;
  readonly request: {
    readonly body_id: string;
    readonly digest: string;
    readonly bytes: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** Something happened in the run */
export type RunEmittedData = {
  readonly emission: {
    readonly kind: "step";
    readonly step: number;
  } | {
    readonly kind: "model_called";
    readonly step: number;
    readonly model: string;
    readonly message_count: number;
  } | {
    readonly kind: "text";
    readonly step: number;
  } | {
    readonly kind: "reasoning";
    readonly step: number;
  } | {
    readonly kind: "model_answered";
    readonly step: number;
    readonly model: string;
    readonly usage: {
      readonly input_tokens: number;
      readonly output_tokens: number;
    } | null;
    readonly finish_reason: string;
  } | {
    readonly kind: "tool_called";
    readonly step: number;
    readonly call_id: string;
    readonly tool: string;
    readonly read_only: boolean;
  } | {
    readonly kind: "tool_answered";
    readonly step: number;
    readonly call_id: string;
    readonly is_error: boolean;
    readonly truncated: boolean;
  } | {
    readonly kind: "citations";
    readonly content_ids: readonly (string)[];
  } | {
    readonly kind: "note";
    readonly code: string;
  };
  readonly body: {
    readonly body_id: string;
    readonly digest: string;
    readonly bytes: number;
  } | null;
  /** Unix milliseconds */
  readonly at: number;
};

/** The run has its result */
export type RunSucceededData = {
  readonly result: {
    readonly body_id: string;
    readonly digest: string;
    readonly bytes: number;
  };
  readonly messages: {
    readonly body_id: string;
    readonly digest: string;
    readonly bytes: number;
  };
  /** Unix milliseconds */
  readonly at: number;
};

/** The run came to nothing */
export type RunFailedData = {
  readonly code: string;
  readonly message: {
    readonly body_id: string;
    readonly digest: string;
    readonly bytes: number;
  } | null;
  /** Tools that were called and did not answer */
  readonly open_tool_calls: readonly ({
    readonly call_id: string;
    readonly tool: string;
    readonly read_only: boolean;
  })[];
  /** Unix milliseconds */
  readonly at: number;
};

/** The run is asked to stop */
export type RunCancelRequestedData = {
  /** Unix milliseconds */
  readonly at: number;
};

/** The run was stopped */
export type RunCancelledData = {
  readonly by: "caller" | "worker" | "timeout" | "lost";
  readonly code: string | null;
  readonly message: {
    readonly body_id: string;
    readonly digest: string;
    readonly bytes: number;
  } | null;
  /** Tools that were called and did not answer */
  readonly open_tool_calls: readonly ({
    readonly call_id: string;
    readonly tool: string;
    readonly read_only: boolean;
  })[];
  /** Unix milliseconds */
  readonly at: number;
};

/** An Idempotency-Key leads to a run */
export type AgentRunKeyClaimedData = {
  readonly thread_id: string;
  readonly run_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

/** A request that held it was refused */
export type AgentRunKeyReleasedData = {
  readonly run_id: string;
  /** Unix milliseconds */
  readonly at: number;
};

export type AuditEntryDataSourceRegistered = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "DataSourceRegistered";
  readonly data: DataSourceRegisteredData;
};

export type AuditEntryJobQueued = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobQueued";
  readonly data: JobQueuedData;
};

export type AuditEntryJobClaimed = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobClaimed";
  readonly data: JobClaimedData;
};

export type AuditEntryJobHandedOff = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobHandedOff";
  readonly data: JobHandedOffData;
};

export type AuditEntryJobStarted = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobStarted";
  readonly data: JobStartedData;
};

export type AuditEntryJobProgressed = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobProgressed";
  readonly data: JobProgressedData;
};

export type AuditEntryJobSucceeded = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobSucceeded";
  readonly data: JobSucceededData;
};

export type AuditEntryJobFailed = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobFailed";
  readonly data: JobFailedData;
};

export type AuditEntryJobRequeued = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobRequeued";
  readonly data: JobRequeuedData;
};

export type AuditEntryJobCancelRequested = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobCancelRequested";
  readonly data: JobCancelRequestedData;
};

export type AuditEntryJobCanceled = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobCanceled";
  readonly data: JobCanceledData;
};

export type AuditEntryDataSourceDeletionRequested = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "DataSourceDeletionRequested";
  readonly data: DataSourceDeletionRequestedData;
};

export type AuditEntryDataSourceDeleted = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "DataSourceDeleted";
  readonly data: DataSourceDeletedData;
};

export type AuditEntryDataSourceDeletionFailed = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "DataSourceDeletionFailed";
  readonly data: DataSourceDeletionFailedData;
};

export type AuditEntryJobStatusLost = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobStatusLost";
  readonly data: JobStatusLostData;
};

export type AuditEntryJobStatusReconciled = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "JobStatusReconciled";
  readonly data: JobStatusReconciledData;
};

export type AuditEntryFilesUploaded = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "FilesUploaded";
  readonly data: FilesUploadedData;
};

export type AuditEntryScheduleTickSkipped = {
  /** Number of the event within the data source, without gaps */
  readonly revision: number;
  /** Of the event in the log, as `GET /events` has it */
  readonly position: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: Actor;
  readonly job_id?: string;
  readonly attempt?: number;
  readonly from_status?: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly to_status: "unknown" | "queued" | "not_started" | "managed" | "starting" | "started" | "success" | "failure" | "canceling" | "canceled" | "deleting" | "delete_job_failure" | "removed";
  readonly trace_id?: string;
  readonly type: "ScheduleTickSkipped";
  readonly data: ScheduleTickSkippedData;
};

export type LogEventDataSourceRegistered = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "DataSourceRegistered";
  readonly data: DataSourceRegisteredData;
};

export type LogEventJobQueued = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobQueued";
  readonly data: JobQueuedData;
};

export type LogEventJobClaimed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobClaimed";
  readonly data: JobClaimedData;
};

export type LogEventJobHandedOff = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobHandedOff";
  readonly data: JobHandedOffData;
};

export type LogEventJobStarted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobStarted";
  readonly data: JobStartedData;
};

export type LogEventJobProgressed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobProgressed";
  readonly data: JobProgressedData;
};

export type LogEventJobSucceeded = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobSucceeded";
  readonly data: JobSucceededData;
};

export type LogEventJobFailed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobFailed";
  readonly data: JobFailedData;
};

export type LogEventJobRequeued = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobRequeued";
  readonly data: JobRequeuedData;
};

export type LogEventJobCancelRequested = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobCancelRequested";
  readonly data: JobCancelRequestedData;
};

export type LogEventJobCanceled = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobCanceled";
  readonly data: JobCanceledData;
};

export type LogEventDataSourceDeletionRequested = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "DataSourceDeletionRequested";
  readonly data: DataSourceDeletionRequestedData;
};

export type LogEventDataSourceDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "DataSourceDeleted";
  readonly data: DataSourceDeletedData;
};

export type LogEventDataSourceDeletionFailed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "DataSourceDeletionFailed";
  readonly data: DataSourceDeletionFailedData;
};

export type LogEventJobStatusLost = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobStatusLost";
  readonly data: JobStatusLostData;
};

export type LogEventJobStatusReconciled = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "JobStatusReconciled";
  readonly data: JobStatusReconciledData;
};

export type LogEventFilesUploaded = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "FilesUploaded";
  readonly data: FilesUploadedData;
};

export type LogEventScheduleTickSkipped = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ScheduleTickSkipped";
  readonly data: ScheduleTickSkippedData;
};

export type LogEventIngestionSettingCreated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "IngestionSettingCreated";
  readonly data: IngestionSettingCreatedData;
};

export type LogEventIngestionSettingRenamed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "IngestionSettingRenamed";
  readonly data: IngestionSettingRenamedData;
};

export type LogEventIngestionParametersChanged = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "IngestionParametersChanged";
  readonly data: IngestionParametersChangedData;
};

export type LogEventScheduleSet = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ScheduleSet";
  readonly data: ScheduleSetData;
};

export type LogEventScheduleRemoved = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ScheduleRemoved";
  readonly data: ScheduleRemovedData;
};

export type LogEventSourceIndexed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SourceIndexed";
  readonly data: SourceIndexedData;
};

export type LogEventSourceSkipped = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SourceSkipped";
  readonly data: SourceSkippedData;
};

export type LogEventSourceFailed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SourceFailed";
  readonly data: SourceFailedData;
};

export type LogEventSourceRemoved = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SourceRemoved";
  readonly data: SourceRemovedData;
};

export type LogEventSourceMetadataReplaced = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SourceMetadataReplaced";
  readonly data: SourceMetadataReplacedData;
};

export type LogEventSourceMetadataDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SourceMetadataDeleted";
  readonly data: SourceMetadataDeletedData;
};

export type LogEventApiKeyIssued = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ApiKeyIssued";
  readonly data: ApiKeyIssuedData;
};

export type LogEventApiKeyRotated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ApiKeyRotated";
  readonly data: ApiKeyRotatedData;
};

export type LogEventApiKeyRevoked = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ApiKeyRevoked";
  readonly data: ApiKeyRevokedData;
};

export type LogEventTagCreated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "TagCreated";
  readonly data: TagCreatedData;
};

export type LogEventTagChanged = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "TagChanged";
  readonly data: TagChangedData;
};

export type LogEventTagDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "TagDeleted";
  readonly data: TagDeletedData;
};

export type LogEventTagBound = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "TagBound";
  readonly data: TagBoundData;
};

export type LogEventTagUnbound = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "TagUnbound";
  readonly data: TagUnboundData;
};

export type LogEventConversationStarted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ConversationStarted";
  readonly data: ConversationStartedData;
};

export type LogEventUserMessageAdded = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "UserMessageAdded";
  readonly data: UserMessageAddedData;
};

export type LogEventAnswerBegun = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AnswerBegun";
  readonly data: AnswerBegunData;
};

export type LogEventAnswerFinished = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AnswerFinished";
  readonly data: AnswerFinishedData;
};

export type LogEventAnswerFailed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AnswerFailed";
  readonly data: AnswerFailedData;
};

export type LogEventConversationDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "ConversationDeleted";
  readonly data: ConversationDeletedData;
};

export type LogEventAuthzPolicyCreated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AuthzPolicyCreated";
  readonly data: AuthzPolicyCreatedData;
};

export type LogEventAuthzPolicyChanged = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AuthzPolicyChanged";
  readonly data: AuthzPolicyChangedData;
};

export type LogEventAuthzPolicyDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AuthzPolicyDeleted";
  readonly data: AuthzPolicyDeletedData;
};

export type LogEventAuthzAttributesSet = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AuthzAttributesSet";
  readonly data: AuthzAttributesSetData;
};

export type LogEventAuthzAttributesDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AuthzAttributesDeleted";
  readonly data: AuthzAttributesDeletedData;
};

export type LogEventRedactionPolicyCreated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RedactionPolicyCreated";
  readonly data: RedactionPolicyCreatedData;
};

export type LogEventRedactionPolicyChanged = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RedactionPolicyChanged";
  readonly data: RedactionPolicyChangedData;
};

export type LogEventRedactionPolicyDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RedactionPolicyDeleted";
  readonly data: RedactionPolicyDeletedData;
};

export type LogEventSecretCreated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretCreated";
  readonly data: SecretCreatedData;
};

export type LogEventSecretChanged = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretChanged";
  readonly data: SecretChangedData;
};

export type LogEventSecretValueReplaced = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretValueReplaced";
  readonly data: SecretValueReplacedData;
};

export type LogEventSecretRenewed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretRenewed";
  readonly data: SecretRenewedData;
};

export type LogEventSecretAttached = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretAttached";
  readonly data: SecretAttachedData;
};

export type LogEventSecretDetached = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretDetached";
  readonly data: SecretDetachedData;
};

export type LogEventSecretDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "SecretDeleted";
  readonly data: SecretDeletedData;
};

export type LogEventWebhookCreated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "WebhookCreated";
  readonly data: WebhookCreatedData;
};

export type LogEventWebhookChanged = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "WebhookChanged";
  readonly data: WebhookChangedData;
};

export type LogEventWebhookEnabled = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "WebhookEnabled";
  readonly data: WebhookEnabledData;
};

export type LogEventWebhookDisabled = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "WebhookDisabled";
  readonly data: WebhookDisabledData;
};

export type LogEventWebhookSecretRotated = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "WebhookSecretRotated";
  readonly data: WebhookSecretRotatedData;
};

export type LogEventWebhookDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "WebhookDeleted";
  readonly data: WebhookDeletedData;
};

export type LogEventCompletionKeyClaimed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "CompletionKeyClaimed";
  readonly data: CompletionKeyClaimedData;
};

export type LogEventIdempotencyKeyClaimed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "IdempotencyKeyClaimed";
  readonly data: IdempotencyKeyClaimedData;
};

export type LogEventIdempotencyKeyReleased = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "IdempotencyKeyReleased";
  readonly data: IdempotencyKeyReleasedData;
};

export type LogEventIdempotencyKeyUsed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "IdempotencyKeyUsed";
  readonly data: IdempotencyKeyUsedData;
};

export type LogEventAgentThreadStarted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AgentThreadStarted";
  readonly data: AgentThreadStartedData;
};

export type LogEventRunAdmitted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunAdmitted";
  readonly data: RunAdmittedData;
};

export type LogEventAgentThreadDeleted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AgentThreadDeleted";
  readonly data: AgentThreadDeletedData;
};

export type LogEventRunQueued = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunQueued";
  readonly data: RunQueuedData;
};

export type LogEventRunStarted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunStarted";
  readonly data: RunStartedData;
};

export type LogEventRunHandedOver = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunHandedOver";
  readonly data: RunHandedOverData;
};

export type LogEventRunEmitted = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunEmitted";
  readonly data: RunEmittedData;
};

export type LogEventRunSucceeded = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunSucceeded";
  readonly data: RunSucceededData;
};

export type LogEventRunFailed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunFailed";
  readonly data: RunFailedData;
};

export type LogEventRunCancelRequested = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunCancelRequested";
  readonly data: RunCancelRequestedData;
};

export type LogEventRunCancelled = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "RunCancelled";
  readonly data: RunCancelledData;
};

export type LogEventAgentRunKeyClaimed = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AgentRunKeyClaimed";
  readonly data: AgentRunKeyClaimedData;
};

export type LogEventAgentRunKeyReleased = {
  /** Place in the one order of the log; opaque, ordered as text */
  readonly position: string;
  readonly id: string;
  /** Without the prefix that an operator may have chosen */
  readonly stream: string;
  readonly revision: number;
  /** Unix timestamp in seconds */
  readonly time: number;
  readonly actor: {
    readonly kind: "api_key" | "person" | "schedule" | "worker" | "system";
    readonly id: string;
    /** Of a person, as the issuer of the sign-in told it at that time */
    readonly name?: string;
    /** That of the key which asks: no other is told of */
    readonly tenant: string;
  };
  readonly correlation_id: string;
  readonly causation_id: string;
  /** Of the W3C trace context of the event; null where it has none, or no valid one */
  readonly trace_id: string | null;
  readonly type: "AgentRunKeyReleased";
  readonly data: AgentRunKeyReleasedData;
};

export type FileType = "html" | "pdf" | "ppt" | "pptx" | "pptm" | "doc" | "docx" | "docm" | "xls" | "xlsx" | "xlsm" | "md" | "txt" | "jsonl" | "png" | "jpg" | "webp" | "heic" | "heif" | "wav" | "mp3" | "aiff" | "aac" | "m4a" | "ogg" | "flac" | "mp4" | "mpg" | "mov" | "avi" | "flv" | "webm" | "wmv" | "3gp" | "wiki_page";

export type SourceType = "crawl" | "local_file" | "cloud_drive" | "repo" | "wiki" | "push";

export type MetadataType = "string" | "integer" | "float" | "date" | "datetime";

export type Content = {
  readonly id: string;
  readonly text: string;
  readonly url: string;
  readonly title: string;
  /** Unix timestamp of indexing, in seconds */
  readonly timestamp: number;
  readonly file_type: FileType;
  /** 0 for sources without page numbers */
  readonly page_number: number;
  readonly source_type: SourceType;
  readonly source_id?: string;
  readonly source_group_id: string;
  readonly keywords: readonly (string)[];
};

export type ContentList = {
  readonly contents: readonly (Content)[];
  readonly pagination: Pagination;
};

export type SourceContentList = {
  readonly contents: readonly (Content)[];
  readonly pagination: Pagination;
  /** How many contents of the source stand before these */
  readonly before: number;
};

export type Source = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly source_group_id: string;
  readonly source_type: SourceType;
  readonly title: string;
  readonly url: string;
  /** Name within its source group: the URL of a page, the path of a file. A sync takes it */
  readonly locator: string;
  readonly file_type?: FileType;
  /** What the file is, without parameters, such as `message/rfc822`. `file_type` is the nearest of its values: `txt` for mails (eml, msg, mbox) and all plain text (csv, tsv, rst, adoc, tex, srt, vtt, log, json, yaml, code), `md` for mdx and ipynb, `doc` for rtf, `docx` for odt, `xlsx` for ods and xlsb, `pptx` for odp, `html` for epub and xhtml */
  readonly media_type?: string;
  /** Of its text, BCP 47: as the text shows, or as the document declares. By it words are stemmed */
  readonly language?: string;
  /** Bytes of the stored file; absent where a policy denies a part of it */
  readonly size?: number;
  /** Of the stored file; absent where a policy denies a part of it */
  readonly sha256?: string;
  readonly status: "indexed" | "skipped" | "failed";
  readonly skip_reason?: string;
  readonly error?: {
    readonly code: string;
    readonly message: string;
  };
  /** Unix timestamp in seconds */
  readonly last_seen_time: number;
  /** Unix timestamp in seconds */
  readonly indexed_time?: number;
  readonly content_count: number;
  readonly metadata: {
    readonly records: readonly ({
      readonly key: string;
      readonly val: string;
      readonly type: MetadataType;
    })[];
  };
};

export type SourceList = {
  readonly sources: readonly (Source)[];
  readonly pagination: Pagination;
};

export type MetadataReplacement = {
  /** Replaces all records */
  readonly records: readonly ({
    readonly key: string;
    readonly val: string;
    readonly type?: "string" | "integer" | "float" | "date" | "datetime";
  })[];
};

export type SourceGroup = {
  readonly id: string;
  readonly name: string;
  readonly source_type: SourceType;
  readonly status: JobStatus;
  /** 0 from the request of its deletion on. Absent in changes, and with `as_of` under a policy */
  readonly source_count?: number;
  /** Absent with `as_of`: contents have no history */
  readonly content_count?: number;
  /** In the order in which they were bound */
  readonly tag_ids: readonly (string)[];
  readonly ingestion_setting_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly start_time?: number;
  /** Unix timestamp in seconds */
  readonly end_time?: number;
  /** When the newest job that succeeded ended: how fresh it is; Unix timestamp in seconds */
  readonly sync_time?: number;
  readonly error?: IngestionError;
};

export type SourceGroupList = {
  readonly source_groups: readonly (SourceGroup)[];
  readonly pagination: Pagination;
};

export type FailedItems = {
  readonly errors: readonly ({
    readonly source_group_id: string;
    readonly source_group_name: string;
    readonly source_type: SourceType;
    readonly locator: string;
    readonly code: string;
    readonly message: string;
    /** Unix timestamp in seconds */
    readonly time: number;
    readonly attempt: number;
  })[];
  readonly pagination: CursorPagination;
};

export type SourceGroupChange = {
  readonly name: string;
};

export type Tag = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly name: string;
  readonly description?: string;
  /** Source groups that carry it */
  readonly source_group_count: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
};

export type TagList = {
  readonly tags: readonly (Tag)[];
  readonly pagination: Pagination;
};

export type TagCreate = {
  /** Unique: compared as it is written */
  readonly name: string;
  /** An empty text: none */
  readonly description?: string;
};

export type TagChange = {
  /** Unique: compared as it is written */
  readonly name?: string;
  /** An empty text: none */
  readonly description?: string;
};

export type TagSourceGroup = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly tag_id: string;
  readonly source_group_id: string;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
};

export type TagSourceGroupList = {
  readonly tag_source_groups: readonly (TagSourceGroup)[];
  readonly pagination: Pagination;
};

export type TagSourceGroupCreate = {
  readonly tag_id: string;
  readonly source_group_id: string;
};

/** At most 50 conditions, nested at most 5 deep */
export type Filter = {
  readonly logic?: "AND" | "OR";
  readonly filters?: readonly ({
    readonly key: string;
    readonly operator: "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "between" | "in" | "nin" | "contains" | "starts_with" | "exists";
    /** Any type; it must be readable as the type of the key */
    readonly val?: unknown;
    /** Any type; it must be readable as the type of the key */
    readonly min?: unknown;
    /** Any type; it must be readable as the type of the key */
    readonly max?: unknown;
  })[];
  readonly groups?: readonly (Filter)[];
};

export type SearchRequest = {
  /** Words, names or a question. `"a phrase"` must stand in title or text word for word, `-word` and `-"a phrase"` must not: looked for among the 1,000 best matches */
  readonly query: string;
  readonly mode?: "hybrid" | "keyword" | "vector";
  readonly limit?: number;
  /** 422 `not_configured` where no reranker is set up */
  readonly rerank?: boolean;
  readonly min_score?: number;
  /** `source`: at most two contents of a source among the first ten while there are others, and of contents that are word for word the same the best alone. So scores may rise again further down. `none`: all, strictly by score */
  readonly collapse?: "source" | "none";
  /** Shows in `features` how each score came about */
  readonly explain?: boolean;
  /** Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing */
  readonly tags?: readonly (string)[];
  /** Ids of tags, as `tags` */
  readonly tag_ids?: readonly (string)[];
  /** Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together */
  readonly tag_filter_logic?: "AND" | "OR";
  /** Only contents of these source groups; of none, an empty list */
  readonly source_group_ids?: readonly (string)[];
  readonly source_types?: readonly (SourceType)[];
  readonly file_types?: readonly (FileType)[];
  /** Unix timestamp, inclusive */
  readonly date_from?: number;
  /** Unix timestamp, inclusive; not before `date_from` */
  readonly date_to?: number;
  readonly domains?: readonly (string)[];
  /** On the metadata of sources */
  readonly metadata?: Filter;
  /** On the metadata of sources */
  readonly source_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly chunk_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly metadata_filter?: Filter;
  readonly use_postfilter?: boolean;
  /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
  readonly authz_policy?: string;
  /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
  readonly principal_id?: string;
  /** Follows policy and principal also while authorization is off, to try them before. It never shows more */
  readonly try_policy?: boolean;
};

export type SearchResults = {
  readonly results: readonly ({
    readonly content: Content;
    readonly score: number;
    readonly ranks: {
      readonly keyword?: number;
      readonly vector?: number;
    };
    /** With `explain`: the evidence whose weighted sum is the score. Absent behind the first 30 hits, and with the mode `vector` */
    readonly features?: {
      /** Score of the retrievers: words, vector, or both */
      readonly retrieval: number;
      /** Terms that query and title have in common */
      readonly title_terms: number;
      /** 1: the title is the query */
      readonly exact_title: number;
      /** Neighbouring words of the query that are neighbours in the text too */
      readonly phrase: number;
      /** Words of the query in one sentence, weighted by rarity */
      readonly sentence: number;
      /** Other hits of the same page */
      readonly page: number;
      /** 1: the text defines the term that is the query; 0.5: it explains it under a heading */
      readonly definition: number;
    };
    /** Where `content.text` has words of the query, or other forms of them, in its order; at most 100 */
    readonly highlights: readonly ({
      readonly start: number;
      readonly end: number;
    })[];
  })[];
  readonly query_id: string;
  /** What was searched for by keywords in place of `query`: of some of its words no content has any form, and near ones are there. Absent where nothing was corrected */
  readonly corrected_query?: string;
  /** Contents that match, shown or not. With phrases or excluded words, those of the best 1000 that meet them */
  readonly total_candidates: number;
  /** How it was searched in fact: `keyword` where the query has no vector */
  readonly mode: "hybrid" | "keyword" | "vector";
  /** Share of the tenant's contents that the embedding model has embedded. From 0.5 on searches use its vectors, or from 0.9 on where an earlier model has more. `hybrid` finds contents without a vector by their words alone, `vector` does not find them. Absent without an embedding provider, and with `keyword` */
  readonly embedded_share?: number;
  /** Whether order and scores are the reranker's */
  readonly reranked: boolean;
};

export type QueryRequest = {
  readonly sort?: "timestamp" | "title";
  /** Records per page */
  readonly limit?: number;
  /** Fetch records after this id: one that the list shows, or showed until it was removed */
  readonly after?: string;
  /** Another name of `after` */
  readonly next_id?: string;
  /** Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing */
  readonly tags?: readonly (string)[];
  /** Ids of tags, as `tags` */
  readonly tag_ids?: readonly (string)[];
  /** Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together */
  readonly tag_filter_logic?: "AND" | "OR";
  /** Only contents of these source groups; of none, an empty list */
  readonly source_group_ids?: readonly (string)[];
  readonly source_types?: readonly (SourceType)[];
  readonly file_types?: readonly (FileType)[];
  /** Unix timestamp, inclusive */
  readonly date_from?: number;
  /** Unix timestamp, inclusive; not before `date_from` */
  readonly date_to?: number;
  readonly domains?: readonly (string)[];
  /** On the metadata of sources */
  readonly metadata?: Filter;
  /** On the metadata of sources */
  readonly source_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly chunk_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly metadata_filter?: Filter;
  readonly use_postfilter?: boolean;
  /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
  readonly authz_policy?: string;
  /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
  readonly principal_id?: string;
};

/** Tokens as the provider of the language model counts them; absent where it does not tell */
export type Usage = {
  readonly input_tokens: number;
  readonly output_tokens: number;
};

export type Completion = {
  /** Unix timestamp in seconds */
  readonly created: number;
  readonly choices: readonly (CompletionChoice)[];
  readonly conversation_id: string;
  readonly user_message_id: string;
  readonly assistant_message_id: string;
  /** What wrote the answer; `extractive`: it consists of passages of the contents, word by word */
  readonly model: string;
  readonly usage?: Usage;
};

export type CompletionChoice = {
  readonly index: number;
  readonly message: {
    readonly role: string;
    readonly content: string;
  };
  readonly finish_reason: "stop" | "length" | "content_filter";
  /** What the answer marks as [1], [2] …, in this order */
  readonly citations: readonly (Content)[];
  /** Pages of the web that the answer marks as [W1], [W2] …, in this order; nothing is fetched from them */
  readonly web_citations: readonly (WebCitation)[];
  /** What else the search engine would ask; empty: nothing */
  readonly search_suggestion: string;
  /** What the web was searched for; empty without `grounding` */
  readonly web_search_queries: readonly (string)[];
};

export type CompletionCreate = {
  /** The last one is from the user. In a conversation that goes on, the service knows the earlier turns: of these messages only the last, and those of the system, are read */
  readonly messages: readonly ({
    readonly role: "system" | "user" | "assistant";
    readonly content: string;
  })[];
  readonly stream?: boolean;
  readonly citation?: boolean;
  /** Search the web too, with the question (at most 400 characters, redacted like contents), and let the answer rest on what the search engine shows of five pages. 422 `not_configured` where no web search is set up */
  readonly grounding?: boolean;
  /** Contents that the answer may rest on */
  readonly limit?: number;
  readonly conversation_id?: string;
  /** The answer to go on from; to edit a question, the answer before it. null: beside the first question. Absent: the newest */
  readonly parent_message_id?: string | null;
  /** Answer the user message `parent_message_id` again, beside its other answers. The last message is that one, or blank: another text is 400 */
  readonly regenerate?: boolean;
  /** One of the models that the operator allows; 400 names them. 422 `not_configured` without a language model */
  readonly model?: string;
  /** At most what the operator allows. 422 `not_configured` without a language model */
  readonly temperature?: number;
  /** The answer ends there with finish_reason `length`. At most what the operator allows */
  readonly max_tokens?: number;
  readonly truncation?: "auto" | "disabled";
  /** Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing */
  readonly tags?: readonly (string)[];
  /** Ids of tags, as `tags` */
  readonly tag_ids?: readonly (string)[];
  /** Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together */
  readonly tag_filter_logic?: "AND" | "OR";
  /** Only contents of these source groups; of none, an empty list */
  readonly source_group_ids?: readonly (string)[];
  readonly source_types?: readonly (SourceType)[];
  readonly file_types?: readonly (FileType)[];
  /** Unix timestamp, inclusive */
  readonly date_from?: number;
  /** Unix timestamp, inclusive; not before `date_from` */
  readonly date_to?: number;
  readonly domains?: readonly (string)[];
  /** On the metadata of sources */
  readonly metadata?: Filter;
  /** On the metadata of sources */
  readonly source_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly chunk_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly metadata_filter?: Filter;
  readonly use_postfilter?: boolean;
  /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
  readonly authz_policy?: string;
  /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
  readonly principal_id?: string;
};

export type AgUiRunStarted = {
  readonly type: "RUN_STARTED";
  readonly threadId: string;
  readonly runId: string;
  readonly metadata: {
    readonly conversation_id: string;
    readonly user_message_id: string;
    readonly assistant_message_id: string;
    readonly trace_id: string | null;
  };
};

export type AgUiCustom = {
  readonly type: "CUSTOM";
  /** Says what `value` is */
  readonly name: "grounding" | "citations";
  readonly value: {
    /** What the answer may rest on */
    readonly contents: readonly (Content)[];
    readonly web_citations: readonly (WebCitation)[];
    readonly web_search_queries: readonly (string)[];
    readonly search_suggestion: string;
  } | {
    readonly choices: readonly ({
      readonly index: number;
      /** What the answer marks as [1], [2] …, in this order */
      readonly citations: readonly (Content)[];
      /** Pages of the web that the answer marks as [W1], [W2] …, in this order; nothing is fetched from them */
      readonly web_citations: readonly (WebCitation)[];
    })[];
  };
};

export type AgUiReasoningStart = {
  readonly type: "REASONING_START";
  readonly messageId: string;
};

export type AgUiReasoningMessageStart = {
  readonly type: "REASONING_MESSAGE_START";
  readonly messageId: string;
  readonly role: "reasoning";
};

export type AgUiReasoningMessageContent = {
  readonly type: "REASONING_MESSAGE_CONTENT";
  readonly messageId: string;
  /** What the model thinks, redacted as the answer is; a mark [n] counts the contents of `grounding`, then its web citations */
  readonly delta: string;
};

export type AgUiReasoningMessageEnd = {
  readonly type: "REASONING_MESSAGE_END";
  readonly messageId: string;
};

export type AgUiReasoningEnd = {
  readonly type: "REASONING_END";
  readonly messageId: string;
};

export type AgUiTextMessageStart = {
  readonly type: "TEXT_MESSAGE_START";
  readonly messageId: string;
  readonly role: "assistant";
};

export type AgUiTextMessageContent = {
  readonly type: "TEXT_MESSAGE_CONTENT";
  readonly messageId: string;
  readonly delta: string;
};

export type AgUiTextMessageEnd = {
  readonly type: "TEXT_MESSAGE_END";
  readonly messageId: string;
};

export type AgUiRunFinished = {
  readonly type: "RUN_FINISHED";
  readonly threadId: string;
  readonly runId: string;
  readonly result: Completion;
};

export type AgUiRunError = {
  readonly type: "RUN_ERROR";
  readonly message: string;
  /** As `error.type` of an answer that had not begun */
  readonly code: string;
};

export type AgUiEvent = AgUiRunStarted | AgUiCustom | AgUiReasoningStart | AgUiReasoningMessageStart | AgUiReasoningMessageContent | AgUiReasoningMessageEnd | AgUiReasoningEnd | AgUiTextMessageStart | AgUiTextMessageContent | AgUiTextMessageEnd | AgUiRunFinished | AgUiRunError;

export type WebCitation = {
  readonly url: string;
  readonly title: string;
};

/** Exactly one of `source_ids`, `content_ids` and `query` says what is read */
export type ExtractRequest = {
  /** JSON Schema (draft 2020-12) of the data, at most 32,000 characters. Without `pattern`, `patternProperties` and recursion; `$ref` leads to `$defs` of this schema only; formats: date, time, date-time, email, uri, uuid */
  readonly schema: { readonly [key: string]: unknown };
  /** What is looked for, where the schema does not say it */
  readonly prompt?: string;
  /** Read these documents, whole */
  readonly source_ids?: readonly (string)[];
  /** Read these contents */
  readonly content_ids?: readonly (string)[];
  /** Read what this search finds, as far as the model can read it: filters and `limit` go with it */
  readonly query?: string;
  readonly limit?: number;
  readonly citation?: boolean;
  /** Names of tags, as they are written. A tag that there is not matches nothing; an empty list asks nothing */
  readonly tags?: readonly (string)[];
  /** Ids of tags, as `tags` */
  readonly tag_ids?: readonly (string)[];
  /** Whether a source group must carry one of the tags or all: those of `tags` and `tag_ids` together */
  readonly tag_filter_logic?: "AND" | "OR";
  /** Only contents of these source groups; of none, an empty list */
  readonly source_group_ids?: readonly (string)[];
  readonly source_types?: readonly (SourceType)[];
  readonly file_types?: readonly (FileType)[];
  /** Unix timestamp, inclusive */
  readonly date_from?: number;
  /** Unix timestamp, inclusive; not before `date_from` */
  readonly date_to?: number;
  readonly domains?: readonly (string)[];
  /** On the metadata of sources */
  readonly metadata?: Filter;
  /** On the metadata of sources */
  readonly source_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly chunk_metadata?: Filter;
  /** On the metadata of chunks: `page_number` (integer, from 1, where the document has pages) and `heading` (string, one for each heading that the chunk stands under) */
  readonly metadata_filter?: Filter;
  readonly use_postfilter?: boolean;
  /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
  readonly authz_policy?: string;
  /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
  readonly principal_id?: string;
};

export type Extraction = {
  /** Valid against the schema */
  readonly data: unknown;
  /** Contents that the data rest on, as the model says */
  readonly citations: readonly (Content)[];
  readonly finish_reason: "stop" | "length" | "content_filter";
  /** What extracted */
  readonly model: string;
  readonly usage?: Usage;
};

export type Conversation = {
  readonly id: string;
  /** How the first question begins, in one line of at most 120 characters. Absent where its texts can be read no more */
  readonly title?: string;
  readonly principal_id?: string;
  /** Questions and answers, on every branch */
  readonly message_count: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly update_time: number;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  /** With `as_of`: its texts were erased when it was deleted */
  readonly erased?: boolean;
};

export type ConversationList = {
  readonly conversations: readonly (Conversation)[];
  readonly pagination: Pagination;
};

export type ConversationDetail = {
  readonly id: string;
  /** How the first question begins, in one line of at most 120 characters. Absent where its texts can be read no more */
  readonly title?: string;
  readonly principal_id?: string;
  /** Questions and answers, on every branch */
  readonly message_count: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly update_time: number;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  /** With `as_of`: its texts were erased when it was deleted */
  readonly erased?: boolean;
  /** A tree by parent_id, each message after its parent. Siblings come from edits and regenerations */
  readonly messages: readonly (ConversationMessage)[];
};

export type ConversationMessage = {
  readonly id: string;
  /** The answer that a question continues, or the question that an answer answers; null: the root */
  readonly parent_id: string | null;
  readonly role: "user" | "assistant";
  /** Absent while an answer is being written, and where it failed */
  readonly content?: string;
  /** What the caller sent before a question, in one request */
  readonly preceding?: readonly ({
    readonly role: "user" | "assistant";
    readonly content: string;
  })[];
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Of an answer. `pending`: being written, or left by a process that died */
  readonly status?: "pending" | "finished" | "failed";
  readonly model?: string;
  readonly finish_reason?: string;
  /** The content ends before the model did */
  readonly cut?: boolean;
  readonly usage?: Usage;
  /** Number n in the answer is the content at place n - 1 */
  readonly cited_content_ids?: readonly (string)[];
  /** Pages of the web that the answer cites: mark [Wn] is the one at place n - 1 */
  readonly web_citations?: readonly (WebCitation)[];
  /** Why an answer failed */
  readonly error_code?: string;
};

export type RedactionRule = {
  /** Unique within the policy */
  readonly name: string;
  /** What is looked for. All kinds but `pattern` are found also where letters, figures and signs are of full width (`＠`) or of another script (digits), or up to four characters without width stand between them. What is found is never a part of a longer account, card or id number, whether the policy looks for that or not.  - `pattern`: what `pattern` matches. - `email`: e-mail addresses in letters of any script, with a quoted local part too, and `…@localhost`; `@` and `.` also as `(at)`, `[at]`, `(dot)`, `[.]`, `&#64;` or `%40`, and with a line break behind `@`. No address literals, no `at` and `dot` without brackets. - `phone`: telephone numbers of 7 to 15 digits: international (`+` or `00`), national with a leading 0, North American in groups of 3-3-4, Russian with 8, and those of Brazil, China, India, Italy, Norway and Spain in the groups usual there. Other numbers of 7 to 12 digits, bare ones too, where a word up to 32 characters before announces them (`call`, `Tel.`, `mobile` …). - `card`: 13 to 19 digits that begin with 2 to 6 and end in a check digit (Luhn), in one run or in groups, with one line break at most; also right behind a word, as in `Visa4111…`. - `iban`: account numbers of ISO 13616: length and structure of the country (89 countries), and check digits (modulo 97), in one run or in groups. - `ip`: addresses of version 4 and 6; `::` alone in brackets, with a prefix length, or where a word says that it is an address. - `national_id`: numbers of twelve countries, and no others. Brazil: CPF. France: numéro d'inscription au répertoire (NIR), 15 digits. Germany: tax identification number. Italy: codice fiscale. Netherlands: burgerservicenummer (BSN); every eleventh number of nine bare digits is one. Poland: PESEL. Singapore: NRIC and FIN. Spain: DNI and NIE. Sweden: personnummer and samordningsnummer. Switzerland: AHV number. All these with their check digits. United Kingdom: National Insurance number, with a prefix that is given out. USA: Social Security number, 3-2-4 digits with hyphens or blanks (not nine bare digits), without area 000, 666 or 9xx, group 00, serial 0000, and three numbers known from advertising. These two have no check digits. - `key`: what gives access, in four forms. Tokens with a known prefix and at least as many characters behind it as such keys have: `sk-`, `sk-ant-`, `sk-proj-`, `hf_`, `gsk_`, `r8_`, `xai-`, `pplx-`, `sk_live_`, `sk_test_`, `pk_live_`, `pk_test_`, `rk_live_`, `rk_test_`, `whsec_`, `sq0atp-`, `sq0csp-`, `ghp_`, `gho_`, `ghu_`, `ghs_`, `ghr_`, `github_pat_`, `glpat-`, `glrt-`, `gldt-`, `glptt-`, `glsoat-`, `glft-`, `glimt-`, `glagent-`, `gloas-`, `glcbt-`, `npm_`, `pypi-`, `rubygems_`, `dckr_pat_`, `dckr_oat_`, `xoxa-`, `xoxb-`, `xoxe-`, `xoxo-`, `xoxp-`, `xoxr-`, `xoxs-`, `xapp-`, `AKIA`, `ASIA`, `AIDA`, `AROA`, `AIza`, `ya29.`, `GOCSPX-`, `doo_v1_`, `dop_v1_`, `dor_v1_`, `dapi`, `hvs.`, `hvb.`, `hvr.`, `tskey-`, `dp.pt.`, `dp.st.`, `dp.ct.`, `dp.sa.`, `glsa_`, `NRAK-`, `PMAK-`, `ATATT3`, `lin_api_`, `ntn_`, `figd_`, `sbp_`, `AGE-SECRET-KEY-1`, `SG.`, `key-`, `shpat_`, `shpca_`, `shppa_`, `shpss_`, `kn_`, and JSON Web Tokens (`eyJ`). Strings of at least 20 characters without blanks that look drawn by lot, hashes of 32 and more hexadecimal figures among them, UUIDs not. Values that a name, a scheme or a URL says to be secret, short ones too: `password=`, `api_key: `, `Bearer`, `https://user:password@`; not those without figure or sign, but in a URL. PEM blocks, of keys and of certificates. Other passwords that look like words are not found. */
  readonly kind: "pattern" | "email" | "phone" | "card" | "iban" | "ip" | "national_id" | "key";
  /** RE2 syntax; with kind `pattern` alone. Must not spell out what it is to hide: it is kept */
  readonly pattern?: string;
  /** What stands for a finding; absent: the name in brackets */
  readonly replacement?: string;
};

export type RedactionPolicy = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  /** For people */
  readonly name: string;
  readonly rules: readonly (RedactionRule)[];
  /** Where it holds: before a document is indexed, when contents are read, in answers, in what agents say */
  readonly applies_to: readonly ("ingestion" | "content" | "completion" | "agent")[];
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Unix timestamp in seconds */
  readonly change_time: number;
};

export type RedactionPolicyList = {
  readonly redaction_policies: readonly (RedactionPolicy)[];
  readonly pagination: Pagination;
};

export type RedactionPolicyCreate = {
  /** For people */
  readonly name: string;
  readonly rules: readonly (RedactionRule)[];
  /** Where it holds: before a document is indexed, when contents are read, in answers, in what agents say */
  readonly applies_to: readonly ("ingestion" | "content" | "completion" | "agent")[];
};

export type RedactionTest = {
  readonly text: string;
};

export type RedactionTestResult = {
  readonly text: string;
  readonly findings: readonly ({
    readonly rule: string;
    readonly kind: "pattern" | "email" | "phone" | "card" | "iban" | "ip" | "national_id" | "key";
    /** Offset in the text as it was sent, in UTF-16 units */
    readonly start: number;
    /** Exclusive */
    readonly end: number;
  })[];
};

export type RedactionTrial = {
  readonly rules: readonly (RedactionRule)[];
  readonly text: string;
};

export type AuthzPolicy = {
  readonly name: string;
  /** An empty text: none */
  readonly description?: string;
  /** What the metadata of a source must satisfy; absent: anything. `val`, `min` and `max` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false */
  readonly source_metadata?: Filter;
  /** What the metadata of a chunk must satisfy, too; absent: anything. `val`, `min` and `max` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false */
  readonly chunk_metadata?: Filter;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
};

export type AuthzPolicyList = {
  readonly authz_policies: readonly (AuthzPolicy)[];
  readonly pagination: CursorPagination;
};

export type AuthzPolicyCreate = {
  readonly name: string;
  /** An empty text: none */
  readonly description?: string;
  /** What the metadata of a source must satisfy; absent: anything. `val`, `min` and `max` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false */
  readonly source_metadata?: Filter;
  /** What the metadata of a chunk must satisfy, too; absent: anything. `val`, `min` and `max` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false */
  readonly chunk_metadata?: Filter;
};

export type AuthzPolicyReplacement = {
  /** An empty text: none */
  readonly description?: string;
  /** What the metadata of a source must satisfy; absent: anything. `val`, `min` and `max` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false */
  readonly source_metadata?: Filter;
  /** What the metadata of a chunk must satisfy, too; absent: anything. `val`, `min` and `max` may be {"subject": "<attribute>"}, which stands for what is known of the principal; where it is missing, the condition is false */
  readonly chunk_metadata?: Filter;
};

export type AuthzSubject = {
  readonly principal_id: string;
  readonly policies: readonly ({
    readonly authz_policy: string;
    readonly attributes: { readonly [key: string]: string | number | boolean | readonly (string)[] };
  })[];
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
};

export type AuthzSubjectList = {
  readonly authz_subject_attributes: readonly (AuthzSubject)[];
  readonly pagination: CursorPagination;
};

export type AuthzSubjectReplacement = {
  readonly authz_policy?: string;
  readonly attributes: { readonly [key: string]: string | number | boolean | readonly (string)[] };
};

export type ApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  /** The only source groups that the key sees; absent: all of them */
  readonly source_group_ids?: readonly (string)[];
  /** Unix timestamp in seconds */
  readonly expires_at?: number;
  readonly requests_per_minute?: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** To about a minute; Unix timestamp in seconds. Absent: never */
  readonly last_used_time?: number;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
};

export type ApiKeyList = {
  readonly api_keys: readonly (ApiKey)[];
  readonly pagination: Pagination;
};

export type ApiKeyCreate = {
  readonly name: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  /** Restricts the key to these source groups */
  readonly source_group_ids?: readonly (string)[] | null;
  /** Unix timestamp in seconds */
  readonly expires_at?: number | null;
  readonly requests_per_minute?: number | null;
};

export type IssuedApiKey = {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  /** The only source groups that the key sees; absent: all of them */
  readonly source_group_ids?: readonly (string)[];
  /** Unix timestamp in seconds */
  readonly expires_at?: number;
  readonly requests_per_minute?: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** To about a minute; Unix timestamp in seconds. Absent: never */
  readonly last_used_time?: number;
  /** Shown this once and kept nowhere; absent in the answer to a repeated Idempotency-Key */
  readonly key?: string;
};

export type AgentMessage = {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly tool_calls?: readonly ({
    readonly id: string;
    readonly name: string;
    /** JSON, as the model gave it */
    readonly arguments: string;
  })[];
  /** Of a message of role `tool`: the call it answers */
  readonly tool_call_id?: string;
};

export type AgentRun = {
  /** With `as_of`: when its thread was deleted since */
  readonly deleted_at?: string;
  /** With `as_of`: its texts were erased when it was deleted */
  readonly erased?: boolean;
  readonly run_id: string;
  readonly thread_id: string;
  /** The run that it branched from; null: it begins the thread, or stands beside that which did */
  readonly parent_run_id: string | null;
  readonly workflow_type: string;
  readonly provider?: "PROVIDER_A_DIRECT" | "PROVIDER_B" | "PROVIDER_C" | "PROVIDER_D";
  readonly execution_mode: "LOCAL" | "MANAGED_RUNTIME";
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  readonly input_history_mode: "legacy_full" | "delta_v1";
  /** The oldest run in the reconstructed context; null: none was needed */
  readonly context_start_run_id: string | null;
  /** Older turns were left out to stay within the budget */
  readonly context_truncated: boolean;
  readonly runtime_arn?: string;
  /** Of the stored W3C trace context; null where there is none, or no valid one */
  readonly trace_id: string | null;
  readonly principal_id?: string;
  readonly created_at: string;
  readonly started_at?: string;
  readonly finished_at?: string;
  readonly title?: string;
  readonly mcp_session_id?: string;
  readonly idempotency_key?: string;
  /** As it was asked, with what redaction policies hide replaced */
  readonly input: { readonly [key: string]: unknown };
  /** What the run came to: each workflow says what is in it */
  readonly result?: { readonly [key: string]: unknown };
  readonly error?: {
    readonly code: string;
    readonly message?: string;
    /** Tools that were called and did not answer: they may have acted */
    readonly open_tool_calls?: readonly ({
      readonly call_id: string;
      readonly tool: string;
      readonly read_only: boolean;
    })[];
  };
};

export type AgentRunSummary = {
  /** With `as_of`: when its thread was deleted since */
  readonly deleted_at?: string;
  /** With `as_of`: its texts were erased when it was deleted */
  readonly erased?: boolean;
  readonly run_id: string;
  readonly thread_id: string;
  /** The run that it branched from; null: it begins the thread, or stands beside that which did */
  readonly parent_run_id: string | null;
  readonly workflow_type: string;
  readonly provider?: "PROVIDER_A_DIRECT" | "PROVIDER_B" | "PROVIDER_C" | "PROVIDER_D";
  readonly execution_mode: "LOCAL" | "MANAGED_RUNTIME";
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  readonly input_history_mode: "legacy_full" | "delta_v1";
  /** The oldest run in the reconstructed context; null: none was needed */
  readonly context_start_run_id: string | null;
  /** Older turns were left out to stay within the budget */
  readonly context_truncated: boolean;
  readonly runtime_arn?: string;
  /** Of the stored W3C trace context; null where there is none, or no valid one */
  readonly trace_id: string | null;
  readonly principal_id?: string;
  readonly created_at: string;
  readonly started_at?: string;
  readonly finished_at?: string;
  readonly error?: {
    readonly code: string;
    readonly message?: string;
    /** Tools that were called and did not answer: they may have acted */
    readonly open_tool_calls?: readonly ({
      readonly call_id: string;
      readonly tool: string;
      readonly read_only: boolean;
    })[];
  };
};

export type AgentRunList = {
  readonly runs: readonly (AgentRunSummary)[];
  readonly pagination: Pagination;
};

export type AgentRunCreate = {
  readonly thread_id?: string;
  /** The run to go on from; to edit or to regenerate one, its own parent. null: beside the first run. Absent: the newest */
  readonly parent_run_id?: string | null;
  readonly workflow_type: string;
  readonly provider?: "PROVIDER_A_DIRECT" | "PROVIDER_B" | "PROVIDER_C" | "PROVIDER_D";
  readonly execution_mode?: "LOCAL" | "MANAGED_RUNTIME";
  readonly runtime_arn?: string;
  readonly mcp_session_id?: string;
  /** `legacy_full`: the messages are the whole history; `delta_v1`: what is new alone */
  readonly input_history_mode?: "legacy_full" | "delta_v1";
  /** The last message is from the user. Each workflow says which further fields it knows */
  readonly input: {
    readonly messages: readonly (AgentMessage)[];
  };
  /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
  readonly principal_id?: string;
  readonly authz_policy?: string;
  /** As the header `Idempotency-Key` */
  readonly idempotency_key?: string;
  readonly title?: string;
  /** What happens while another run of the thread is not over */
  readonly concurrency?: "reject" | "enqueue";
};

export type AgentRunCancel = {
  /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
  readonly principal_id?: string;
  /** How long to wait until the run is over */
  readonly wait_seconds?: number;
};

/** One for each type. Hashes of API keys are left out; times in `data` are Unix milliseconds */
export type AgentRunEvent = AgentRunEventRunQueued | AgentRunEventRunStarted | AgentRunEventRunHandedOver | AgentRunEventRunEmitted | AgentRunEventRunSucceeded | AgentRunEventRunFailed | AgentRunEventRunCancelRequested | AgentRunEventRunCancelled;

export type AgentRunEvents = {
  readonly events: readonly (AgentRunEvent)[];
  readonly pagination: CursorPagination;
};

export type AgentRunEventRunQueued = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunQueued";
  readonly data: RunQueuedData;
};

export type AgentRunEventRunStarted = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunStarted";
  readonly data: RunStartedData;
};

export type AgentRunEventRunHandedOver = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunHandedOver";
  readonly data: RunHandedOverData;
};

export type AgentRunEventRunEmitted = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunEmitted";
  readonly data: RunEmittedData;
};

export type AgentRunEventRunSucceeded = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunSucceeded";
  readonly data: RunSucceededData;
};

export type AgentRunEventRunFailed = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunFailed";
  readonly data: RunFailedData;
};

export type AgentRunEventRunCancelRequested = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunCancelRequested";
  readonly data: RunCancelRequestedData;
};

export type AgentRunEventRunCancelled = {
  readonly run_id: string;
  /** Number of the event within the run, without gaps */
  readonly revision: number;
  readonly time: string;
  /** Of the run, as of this event */
  readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  /** What was said: the request, a piece of text or of what the model thinks, an answer, a call of a tool, the result; null: nothing */
  readonly body: { readonly [key: string]: unknown } | null;
  readonly trace_id: string | null;
  readonly type: "RunCancelled";
  readonly data: RunCancelledData;
};

export type AgentThread = {
  /** With `as_of`: when its thread was deleted since */
  readonly deleted_at?: string;
  /** With `as_of`: its texts were erased when it was deleted */
  readonly erased?: boolean;
  readonly thread_id: string;
  readonly principal_id?: string;
  /** That of the first run */
  readonly title: string | null;
  readonly run_count: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type AgentThreadList = {
  readonly threads: readonly (AgentThread)[];
  readonly pagination: Pagination;
};

export type AgentThreadDetail = {
  /** With `as_of`: when its thread was deleted since */
  readonly deleted_at?: string;
  /** With `as_of`: its texts were erased when it was deleted */
  readonly erased?: boolean;
  readonly thread_id: string;
  /** All runs, a tree by parent_run_id, each after its parent. Siblings come from edits and regenerations */
  readonly runs: readonly ({
    readonly run_id: string;
    /** null: at the root */
    readonly parent_run_id: string | null;
    readonly status: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
    /** null: it has none */
    readonly title: string | null;
    readonly created_at: string;
  })[];
};

export type AgentThreadEvents = {
  /** Of each run from the root to the one that is picked, in order */
  readonly events: readonly (AgentRunEvent)[];
  readonly pagination: CursorPagination;
};

export type Secret = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly name: string;
  /** `token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged for access tokens. `service_account`: the key file of an account that signs its requests for access tokens. `app`: the installation of an app, with the key of the app */
  readonly type: "token" | "basic" | "oauth_refresh" | "service_account" | "app";
  /** Unix timestamp in seconds */
  readonly expires_at?: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Of name, expiry or value, by a caller; Unix timestamp in seconds */
  readonly change_time: number;
  /** To about a minute; Unix timestamp in seconds. Absent: never */
  readonly last_used_time?: number;
  /** Data sources that name it */
  readonly in_use_count: number;
};

export type SecretList = {
  readonly secrets: readonly (Secret)[];
  readonly pagination: Pagination;
};

export type SecretCreate = {
  readonly name: string;
  /** `token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged for access tokens. `service_account`: the key file of an account that signs its requests for access tokens. `app`: the installation of an app, with the key of the app */
  readonly type: "token" | "basic" | "oauth_refresh" | "service_account" | "app";
  /** Never shown again. `token`: the token. `basic`: {username, password}, or `username:password`. `oauth_refresh`: {client_id, client_secret, refresh_token}. `service_account`: {client_email, private_key}, or the key file of the provider. `app`: {app_id, installation_id, private_key}. An object may be sent as its JSON in a text */
  readonly value: string | { readonly [key: string]: unknown };
  /** Unix timestamp in seconds; from then on it is not used any more. Null: never */
  readonly expires_at?: number | null;
};

export type SecretChange = {
  readonly name?: string;
  /** `token`: sent as it is. `basic`: user name and password. `oauth_refresh`: a refresh token, exchanged for access tokens. `service_account`: the key file of an account that signs its requests for access tokens. `app`: the installation of an app, with the key of the app */
  readonly type?: "token" | "basic" | "oauth_refresh" | "service_account" | "app";
  /** Never shown again. `token`: the token. `basic`: {username, password}, or `username:password`. `oauth_refresh`: {client_id, client_secret, refresh_token}. `service_account`: {client_email, private_key}, or the key file of the provider. `app`: {app_id, installation_id, private_key}. An object may be sent as its JSON in a text */
  readonly value?: string | { readonly [key: string]: unknown };
  /** Unix timestamp in seconds; from then on it is not used any more. Null: never */
  readonly expires_at?: number | null;
};

export type Webhook = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly url: string;
  readonly description: string;
  readonly types: readonly (string)[] | null;
  readonly categories: readonly (string)[] | null;
  readonly source_group_ids: readonly (string)[] | null;
  readonly enabled: boolean;
  /** Why nothing is sent. Absent while it is enabled */
  readonly disabled?: {
    /** `caller`: by `PUT`. `failing`: for a day every attempt failed. `gone`: the receiver answered 410 */
    readonly because: "caller" | "failing" | "gone";
    /** What the receiver last answered */
    readonly detail?: string;
    /** Unix timestamp in seconds */
    readonly time: number;
  };
  /** Absent while it is disabled, after a success, with `as_of`, and in answers to changes */
  readonly failing?: {
    /** Unix timestamp in seconds */
    readonly since: number;
    /** Why the oldest event that waits was not delivered */
    readonly reason?: string;
  };
  /** Until then the secret before the last rotation signs too; Unix timestamp in seconds */
  readonly previous_secret_until?: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Of the subscription, by a caller; Unix timestamp in seconds */
  readonly change_time: number;
};

export type WebhookList = {
  readonly webhooks: readonly (Webhook)[];
  readonly pagination: Pagination;
};

export type WebhookCreate = {
  /** Absolute http or https URL without user name and password */
  readonly url: string;
  readonly description?: string;
  /** Types of events, as `GET /events` has them. Null or absent: all */
  readonly types?: readonly ("DataSourceRegistered" | "JobQueued" | "JobClaimed" | "JobHandedOff" | "JobStarted" | "JobProgressed" | "JobSucceeded" | "JobFailed" | "JobRequeued" | "JobCancelRequested" | "JobCanceled" | "DataSourceDeletionRequested" | "DataSourceDeleted" | "DataSourceDeletionFailed" | "JobStatusLost" | "JobStatusReconciled" | "FilesUploaded" | "ScheduleTickSkipped" | "IngestionSettingCreated" | "IngestionSettingRenamed" | "IngestionParametersChanged" | "ScheduleSet" | "ScheduleRemoved" | "SourceIndexed" | "SourceSkipped" | "SourceFailed" | "SourceRemoved" | "SourceMetadataReplaced" | "SourceMetadataDeleted" | "ApiKeyIssued" | "ApiKeyRotated" | "ApiKeyRevoked" | "TagCreated" | "TagChanged" | "TagDeleted" | "TagBound" | "TagUnbound" | "ConversationStarted" | "UserMessageAdded" | "AnswerBegun" | "AnswerFinished" | "AnswerFailed" | "ConversationDeleted" | "RedactionPolicyCreated" | "RedactionPolicyChanged" | "RedactionPolicyDeleted" | "AuthzPolicyCreated" | "AuthzPolicyChanged" | "AuthzPolicyDeleted" | "AuthzAttributesSet" | "AuthzAttributesDeleted" | "SecretCreated" | "SecretChanged" | "SecretValueReplaced" | "SecretRenewed" | "SecretAttached" | "SecretDetached" | "SecretDeleted" | "WebhookCreated" | "WebhookChanged" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "WebhookDeleted" | "AgentThreadStarted" | "RunAdmitted" | "AgentThreadDeleted" | "RunQueued" | "RunStarted" | "RunHandedOver" | "RunEmitted" | "RunSucceeded" | "RunFailed" | "RunCancelRequested" | "RunCancelled" | "AgentRunKeyClaimed" | "AgentRunKeyReleased" | "CompletionKeyClaimed" | "IdempotencyKeyClaimed" | "IdempotencyKeyReleased" | "IdempotencyKeyUsed")[] | null;
  /** Kinds of streams. Null or absent: all */
  readonly categories?: readonly ("dataSource" | "ingestionSetting" | "source" | "apiKey" | "conversation" | "tag" | "redactionPolicy" | "authzPolicy" | "authzSubject" | "secret" | "webhook" | "agentThread" | "agentRun" | "idempotency")[] | null;
  /** Data sources: their own events, and those of their settings and documents. Null or absent: every event, also of no data source */
  readonly source_group_ids?: readonly (string)[] | null;
  /** Send events after this position of the log; `now`: those that come */
  readonly from?: string;
};

export type WebhookChange = {
  /** Absolute http or https URL without user name and password */
  readonly url?: string;
  readonly description?: string;
  /** Types of events, as `GET /events` has them. Null or absent: all */
  readonly types?: readonly ("DataSourceRegistered" | "JobQueued" | "JobClaimed" | "JobHandedOff" | "JobStarted" | "JobProgressed" | "JobSucceeded" | "JobFailed" | "JobRequeued" | "JobCancelRequested" | "JobCanceled" | "DataSourceDeletionRequested" | "DataSourceDeleted" | "DataSourceDeletionFailed" | "JobStatusLost" | "JobStatusReconciled" | "FilesUploaded" | "ScheduleTickSkipped" | "IngestionSettingCreated" | "IngestionSettingRenamed" | "IngestionParametersChanged" | "ScheduleSet" | "ScheduleRemoved" | "SourceIndexed" | "SourceSkipped" | "SourceFailed" | "SourceRemoved" | "SourceMetadataReplaced" | "SourceMetadataDeleted" | "ApiKeyIssued" | "ApiKeyRotated" | "ApiKeyRevoked" | "TagCreated" | "TagChanged" | "TagDeleted" | "TagBound" | "TagUnbound" | "ConversationStarted" | "UserMessageAdded" | "AnswerBegun" | "AnswerFinished" | "AnswerFailed" | "ConversationDeleted" | "RedactionPolicyCreated" | "RedactionPolicyChanged" | "RedactionPolicyDeleted" | "AuthzPolicyCreated" | "AuthzPolicyChanged" | "AuthzPolicyDeleted" | "AuthzAttributesSet" | "AuthzAttributesDeleted" | "SecretCreated" | "SecretChanged" | "SecretValueReplaced" | "SecretRenewed" | "SecretAttached" | "SecretDetached" | "SecretDeleted" | "WebhookCreated" | "WebhookChanged" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "WebhookDeleted" | "AgentThreadStarted" | "RunAdmitted" | "AgentThreadDeleted" | "RunQueued" | "RunStarted" | "RunHandedOver" | "RunEmitted" | "RunSucceeded" | "RunFailed" | "RunCancelRequested" | "RunCancelled" | "AgentRunKeyClaimed" | "AgentRunKeyReleased" | "CompletionKeyClaimed" | "IdempotencyKeyClaimed" | "IdempotencyKeyReleased" | "IdempotencyKeyUsed")[] | null;
  /** Kinds of streams. Null or absent: all */
  readonly categories?: readonly ("dataSource" | "ingestionSetting" | "source" | "apiKey" | "conversation" | "tag" | "redactionPolicy" | "authzPolicy" | "authzSubject" | "secret" | "webhook" | "agentThread" | "agentRun" | "idempotency")[] | null;
  /** Data sources: their own events, and those of their settings and documents. Null or absent: every event, also of no data source */
  readonly source_group_ids?: readonly (string)[] | null;
  readonly enabled?: boolean;
};

export type IssuedWebhook = {
  readonly id: string;
  /** With `as_of`: when it was deleted since; Unix timestamp in seconds */
  readonly deleted_at?: number;
  readonly url: string;
  readonly description: string;
  readonly types: readonly (string)[] | null;
  readonly categories: readonly (string)[] | null;
  readonly source_group_ids: readonly (string)[] | null;
  readonly enabled: boolean;
  /** Why nothing is sent. Absent while it is enabled */
  readonly disabled?: {
    /** `caller`: by `PUT`. `failing`: for a day every attempt failed. `gone`: the receiver answered 410 */
    readonly because: "caller" | "failing" | "gone";
    /** What the receiver last answered */
    readonly detail?: string;
    /** Unix timestamp in seconds */
    readonly time: number;
  };
  /** Absent while it is disabled, after a success, with `as_of`, and in answers to changes */
  readonly failing?: {
    /** Unix timestamp in seconds */
    readonly since: number;
    /** Why the oldest event that waits was not delivered */
    readonly reason?: string;
  };
  /** Until then the secret before the last rotation signs too; Unix timestamp in seconds */
  readonly previous_secret_until?: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** Of the subscription, by a caller; Unix timestamp in seconds */
  readonly change_time: number;
  /** Verifies messages; shown this once. Absent in the answer to a repeated Idempotency-Key if it was replaced since */
  readonly secret?: string;
};

export type WebhookDelivery = {
  /** Id of the event, and the header `webhook-id` of every attempt */
  readonly id: string;
  readonly type: string;
  readonly stream: string;
  /** Of the event in the log */
  readonly position: string;
  /** `dead`: tried for a day, and not again by itself */
  readonly state: "pending" | "delivered" | "dead";
  readonly attempts: number;
  /** HTTP status of the last answer */
  readonly status?: number;
  /** Why the last attempt failed */
  readonly reason?: string;
  /** Of a pending one, at the earliest; Unix timestamp in seconds */
  readonly next_attempt_time?: number;
  /** Unix timestamp in seconds */
  readonly creation_time: number;
  /** When it was delivered or died; Unix timestamp in seconds */
  readonly settled_time?: number;
};

export type WebhookDeliveryList = {
  readonly deliveries: readonly (WebhookDelivery)[];
  readonly pagination: CursorPagination;
};

export type WebhookTest = {
  readonly delivered: boolean;
  /** HTTP status of the answer */
  readonly status?: number;
  readonly reason?: string;
};

export type ServiceStatus = {
  readonly version: string;
  /** Unix timestamp in seconds */
  readonly time: number;
  /** Whether access policies decide on reads; false: all may read all */
  readonly authz: boolean;
  /** Absent where there is no default policy */
  readonly knowledge?: readonly ({
    readonly source_type: SourceType;
    readonly source_group_count: number;
    readonly source_count: number;
    readonly content_count: number;
    /** Of the stored file of each source; equal files of a source group are kept once. Absent under a policy */
    readonly stored_bytes?: number;
    /** Source groups of which no job has succeeded yet */
    readonly never_synced: number;
    /** `sync_time` of the freshest source group; Unix timestamp in seconds */
    readonly newest_sync_time?: number;
    /** `sync_time` of the stalest source group; Unix timestamp in seconds */
    readonly oldest_sync_time?: number;
  })[];
  readonly stores: readonly ({
    readonly name: "database" | "event store" | "files" | "search engine";
    /** What the store is, such as `PostgreSQL` */
    readonly product: string;
    readonly up: boolean;
    /** Why it cannot be used */
    readonly reason?: string;
  })[];
  readonly views?: readonly ({
    readonly name: string;
    /** Whether it has met an event that it cannot apply; `/readyz` says why */
    readonly halted: boolean;
    /** Age of the oldest event that it has not read; 0: it has read all. Absent: not known */
    readonly lag_seconds?: number;
  })[];
  readonly queues?: readonly ({
    /** `ingestion_job`, `ingestion_purge` (deletions), `agent_run` or `webhook_delivery` */
    readonly kind: string;
    /** How long the oldest work has waited that could be done; of `webhook_delivery` also what waits for its next attempt; 0: none waits */
    readonly age_seconds: number;
  })[];
  readonly jobs?: readonly ({
    readonly status: JobStatus;
    /** Data sources */
    readonly count: number;
    /** When the first of them came into this status; Unix timestamp in seconds */
    readonly since: number;
  })[];
  readonly storage?: {
    /** The whole database, of all tenants; only for the tenant of the first start, whose keys are the operator’s */
    readonly database_bytes?: number;
  };
  /** What is set up; a use that is not here has none */
  readonly models: readonly ({
    readonly use: "answers" | "agent_runs" | "embeddings" | "reranker" | "transcription" | "web_search";
    /** `local` (on this machine), `openai` (any server with this API), `anthropic`, `google`, `bedrock`, `agentcore`, `searxng` or `rerank` */
    readonly provider: string;
    /** Absent: the server has one */
    readonly model?: string;
    /** Of agent runs: the `provider` that a run names for it */
    readonly chosen_by?: string;
  })[];
};

export type Me = {
  readonly kind: "api_key" | "person";
  /** Of the key, or of the person: the `id` of the `actor` of events */
  readonly id: string;
  /** Absent: the token of the person tells none */
  readonly name?: string;
  readonly scopes: readonly ("inference:run" | "knowledge:read" | "knowledge:write" | "ingestion:manage" | "authz:grant" | "policy:redaction:manage" | "apikeys:issue" | "audit:read" | "webhooks:manage")[];
  /** The only source groups that you reach; absent: all of them */
  readonly source_group_ids?: readonly (string)[];
};

export interface Operations {
  /** Get one indexed content chunk */
  'GET /contents/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: Content;
  };
  /** Find the contents that answer a question best */
  'POST /search': {
    path: {};
    query: {};
    body: SearchRequest;
    answer: SearchResults;
  };
  /** List the contents that pass a filter: exact and deterministic */
  'POST /query': {
    path: {};
    query: {};
    body: QueryRequest;
    answer: ContentList;
  };
  /** Answer a question from the contents, with citations */
  'POST /completions': {
    path: {};
    query: {};
    body: CompletionCreate;
    answer: Completion;
  };
  /** Extract data by a JSON Schema from contents, with citations */
  'POST /extract': {
    path: {};
    query: {};
    body: ExtractRequest;
    answer: Extraction;
  };
  /** List the conversations of a principal, newest first */
  'GET /conversations': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf the conversation is held; absent: only one of nobody is found */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: ConversationList;
  };
  /** Get a conversation with all that was said */
  'GET /conversations/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** The end user on whose behalf the conversation is held; absent: only one of nobody is found */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: ConversationDetail;
  };
  /** Delete a conversation */
  'DELETE /conversations/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** The end user on whose behalf the conversation is held; absent: only one of nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: Message;
  };
  /** What changed: a conversation with all that was said */
  'GET /conversations/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf the conversation is held; absent: only one of nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List the runs of a principal, newest first */
  'GET /agent/runs': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
      readonly thread_id?: string;
      readonly status?: "QUEUED" | "RUNNING" | "CANCELLING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AgentRunList;
  };
  /** Start a run of an agent, in a new thread or in one that goes on */
  'POST /agent/runs': {
    path: {};
    query: {};
    body: AgentRunCreate;
    answer: AgentRun;
  };
  /** Get the current state of a run */
  'GET /agent/runs/{run_id}': {
    path: {
      readonly run_id: string;
    };
    query: {
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AgentRun;
  };
  /** What changed: the current state of a run */
  'GET /agent/runs/{run_id}/changes': {
    path: {
      readonly run_id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Ask a run to stop */
  'POST /agent/runs/{run_id}/cancel': {
    path: {
      readonly run_id: string;
    };
    query: {};
    body: AgentRunCancel;
    answer: AgentRun;
  };
  /** What happened in a run, with what was said */
  'GET /agent/runs/{run_id}/events': {
    path: {
      readonly run_id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: AgentRunEvents;
  };
  /** What led to a run: the way to restore it */
  'GET /agent/threads/{thread_id}/events': {
    path: {
      readonly thread_id: string;
    };
    query: {
      /** The run that is picked for restore */
      readonly run_id: string;
      /** Events per page */
      readonly limit?: number;
      /** Fetch events behind this place: the `next_id` of the page before */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: AgentThreadEvents;
  };
  /** List the threads of a principal, newest first */
  'GET /agent/threads': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AgentThreadList;
  };
  /** Get the runs of a thread as a tree */
  'GET /agent/threads/{thread_id}': {
    path: {
      readonly thread_id: string;
    };
    query: {
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AgentThreadDetail;
  };
  /** Delete a thread with all its runs */
  'DELETE /agent/threads/{thread_id}': {
    path: {
      readonly thread_id: string;
    };
    query: {
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: Message;
  };
  /** What changed: the runs of a thread as a tree */
  'GET /agent/threads/{thread_id}/changes': {
    path: {
      readonly thread_id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The end user on whose behalf it is held; absent: only what is held for nobody is found */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List web crawl data sources, newest first */
  'GET /crawls': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly status?: JobStatus;
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: CrawlList;
  };
  /** Create a web crawl data source and start ingestion */
  'POST /crawls': {
    path: {};
    query: {};
    body: CrawlCreate;
    answer: Crawl;
  };
  /** Get a web crawl data source */
  'GET /crawls/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Crawl;
  };
  /** Start the deletion of a web crawl data source */
  'DELETE /crawls/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Crawl;
  };
  /** What changed: a web crawl data source */
  'GET /crawls/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Cancel the job of a web crawl */
  'POST /crawls/{id}/cancel': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: Crawl;
  };
  /** Crawl again now */
  'POST /crawls/{id}/sync': {
    path: {
      readonly id: string;
    };
    query: {};
    body: SyncRequest;
    answer: Crawl;
  };
  /** The audit trail of a web crawl, also after its deletion */
  'GET /crawls/{id}/events': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
    };
    body: undefined;
    answer: AuditTrail;
  };
  /** Pages that failed in the newest job, and those that robots.txt refuses */
  'GET /crawls/{id}/errors': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch errors after this locator: a page of the crawl */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: CrawlErrors;
  };
  /** Get the ingestion setting of a web crawl */
  'GET /crawl-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: CrawlSetting;
  };
  /** Change name, schedule and parameters of a web crawl */
  'PUT /crawl-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: CrawlSettingChange;
    answer: CrawlSetting;
  };
  /** What changed: the ingestion setting of a web crawl */
  'GET /crawl-settings/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** When the schedule of a web crawl fires next */
  'GET /crawl-settings/{id}/occurrences': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
    };
    body: undefined;
    answer: Occurrences;
  };
  /** List repository data sources, newest first */
  'GET /repos': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly status?: JobStatus;
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: RepoList;
  };
  /** Create a repository data source and start ingestion */
  'POST /repos': {
    path: {};
    query: {};
    body: RepoCreate;
    answer: Repo;
  };
  /** Test the address and the secret of a repository, and keep nothing */
  'POST /repos/test': {
    path: {};
    query: {};
    body: RepoCreate;
    answer: ConnectionTest;
  };
  /** Get a repository data source */
  'GET /repos/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Repo;
  };
  /** Start the deletion of a repository data source */
  'DELETE /repos/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Repo;
  };
  /** What changed: a repository data source */
  'GET /repos/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Cancel the job of a repository */
  'POST /repos/{id}/cancel': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: Repo;
  };
  /** Read the repository again now */
  'POST /repos/{id}/sync': {
    path: {
      readonly id: string;
    };
    query: {};
    body: RepoSyncRequest;
    answer: Repo;
  };
  /** The audit trail of a repository, also after its deletion */
  'GET /repos/{id}/events': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
    };
    body: undefined;
    answer: AuditTrail;
  };
  /** Files that failed in the newest job */
  'GET /repos/{id}/errors': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch errors after this locator: the path of a file */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RepoErrors;
  };
  /** Get the ingestion setting of a repository */
  'GET /repo-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: RepoSetting;
  };
  /** Change name, schedule and parameters of a repository */
  'PUT /repo-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: RepoSettingChange;
    answer: RepoSetting;
  };
  /** What changed: the ingestion setting of a repository */
  'GET /repo-settings/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** When the schedule of a repository fires next */
  'GET /repo-settings/{id}/occurrences': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
    };
    body: undefined;
    answer: Occurrences;
  };
  /** List cloud drive data sources, newest first */
  'GET /cloud-drives': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly status?: JobStatus;
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: CloudDriveList;
  };
  /** Create a cloud drive data source and start ingestion */
  'POST /cloud-drives': {
    path: {};
    query: {};
    body: CloudDriveCreate;
    answer: CloudDrive;
  };
  /** Test the address and the secret of a cloud drive, and keep nothing */
  'POST /cloud-drives/test': {
    path: {};
    query: {};
    body: CloudDriveCreate;
    answer: ConnectionTest;
  };
  /** Get a cloud drive data source */
  'GET /cloud-drives/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: CloudDrive;
  };
  /** Start the deletion of a cloud drive data source */
  'DELETE /cloud-drives/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: CloudDrive;
  };
  /** What changed: a cloud drive data source */
  'GET /cloud-drives/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Cancel the job of a cloud drive */
  'POST /cloud-drives/{id}/cancel': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: CloudDrive;
  };
  /** Read the cloud drive again now */
  'POST /cloud-drives/{id}/sync': {
    path: {
      readonly id: string;
    };
    query: {};
    body: CloudDriveSyncRequest;
    answer: CloudDrive;
  };
  /** The audit trail of a cloud drive, also after its deletion */
  'GET /cloud-drives/{id}/events': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
    };
    body: undefined;
    answer: AuditTrail;
  };
  /** Files that failed in the newest job */
  'GET /cloud-drives/{id}/errors': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch errors after this locator: the id of a file */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: CloudDriveErrors;
  };
  /** Get the ingestion setting of a cloud drive */
  'GET /cloud-drive-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: CloudDriveSetting;
  };
  /** Change name, schedule and parameters of a cloud drive */
  'PUT /cloud-drive-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: CloudDriveSettingChange;
    answer: CloudDriveSetting;
  };
  /** What changed: the ingestion setting of a cloud drive */
  'GET /cloud-drive-settings/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** When the schedule of a cloud drive fires next */
  'GET /cloud-drive-settings/{id}/occurrences': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
    };
    body: undefined;
    answer: Occurrences;
  };
  /** List wiki data sources, newest first */
  'GET /wikis': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly status?: JobStatus;
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: WikiList;
  };
  /** Create a wiki data source and start ingestion */
  'POST /wikis': {
    path: {};
    query: {};
    body: WikiCreate;
    answer: Wiki;
  };
  /** Test the address and the secret of a wiki, and keep nothing */
  'POST /wikis/test': {
    path: {};
    query: {};
    body: WikiCreate;
    answer: ConnectionTest;
  };
  /** Get a wiki data source */
  'GET /wikis/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Wiki;
  };
  /** Start the deletion of a wiki data source */
  'DELETE /wikis/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Wiki;
  };
  /** What changed: a wiki data source */
  'GET /wikis/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Cancel the job of a wiki */
  'POST /wikis/{id}/cancel': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: Wiki;
  };
  /** Read the wiki again now */
  'POST /wikis/{id}/sync': {
    path: {
      readonly id: string;
    };
    query: {};
    body: WikiSyncRequest;
    answer: Wiki;
  };
  /** The audit trail of a wiki, also after its deletion */
  'GET /wikis/{id}/events': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
    };
    body: undefined;
    answer: AuditTrail;
  };
  /** Pages and files that failed in the newest job */
  'GET /wikis/{id}/errors': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch errors after this locator: the id of a page, or the locator of a file */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: WikiErrors;
  };
  /** Get the ingestion setting of a wiki */
  'GET /wiki-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: WikiSetting;
  };
  /** Change name, schedule and parameters of a wiki */
  'PUT /wiki-settings/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: WikiSettingChange;
    answer: WikiSetting;
  };
  /** What changed: the ingestion setting of a wiki */
  'GET /wiki-settings/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** When the schedule of a wiki fires next */
  'GET /wiki-settings/{id}/occurrences': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
    };
    body: undefined;
    answer: Occurrences;
  };
  /** List local file group data sources, newest first */
  'GET /local-file-groups': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly status?: JobStatus;
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: LocalFileGroupList;
  };
  /** Create a local file group from files, and start ingestion */
  'POST /local-file-groups': {
    path: {};
    query: {};
    body: undefined;
    answer: CreatedLocalFileGroup;
  };
  /** Get a local file group data source */
  'GET /local-file-groups/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: LocalFileGroup;
  };
  /** Start the deletion of a local file group data source */
  'DELETE /local-file-groups/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: LocalFileGroup;
  };
  /** What changed: a local file group data source */
  'GET /local-file-groups/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Cancel the job of a local file group */
  'POST /local-file-groups/{id}/cancel': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: LocalFileGroup;
  };
  /** Read the files of a local file group again now */
  'POST /local-file-groups/{id}/sync': {
    path: {
      readonly id: string;
    };
    query: {};
    body: LocalFileGroupSync;
    answer: LocalFileGroup;
  };
  /** The audit trail of a local file group, also after its deletion */
  'GET /local-file-groups/{id}/events': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
    };
    body: undefined;
    answer: AuditTrail;
  };
  /** Files that could not be read in the newest job */
  'GET /local-file-groups/{id}/errors': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch errors after this locator: a file of the group */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: LocalFileGroupErrors;
  };
  /** List push data sources, newest first */
  'GET /pushes': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly status?: JobStatus;
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: PushList;
  };
  /** Create a push data source and start ingestion */
  'POST /pushes': {
    path: {};
    query: {};
    body: PushCreate;
    answer: Push;
  };
  /** Get a push data source */
  'GET /pushes/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Push;
  };
  /** Start the deletion of a push data source */
  'DELETE /pushes/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Push;
  };
  /** What changed: a push data source */
  'GET /pushes/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Cancel the job of a push */
  'POST /pushes/{id}/cancel': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: Push;
  };
  /** The audit trail of a push, also after its deletion */
  'GET /pushes/{id}/events': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch events after this revision: not beyond the last one */
      readonly after?: number;
      /** Another name of `after` */
      readonly next_id?: number;
    };
    body: undefined;
    answer: AuditTrail;
  };
  /** Documents that could not be read in the newest job */
  'GET /pushes/{id}/errors': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch errors after this locator: the locator of a document */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: PushErrors;
  };
  /** Add files to a local file group, or replace those of the same names */
  'POST /local-file-groups/{id}/files': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: LocalFileGroup;
  };
  /** Open a job of a push */
  'POST /pushes/{id}/jobs': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: Push;
  };
  /** End a job of a push that is done */
  'POST /pushes/{id}/jobs/{job_id}/complete': {
    path: {
      readonly id: string;
      readonly job_id: string;
    };
    query: {};
    body: Nothing;
    answer: Push;
  };
  /** End a job of a push that cannot go on, or that is to be canceled */
  'POST /pushes/{id}/jobs/{job_id}/fail': {
    path: {
      readonly id: string;
      readonly job_id: string;
    };
    query: {};
    body: PushJobFailure;
    answer: Push;
  };
  /** Put a document into a push, or a new version of it */
  'PUT /source-groups/{id}/sources/{locator}': {
    path: {
      readonly id: string;
      /** Percent-encoded as one segment: `a/b` is `a%2Fb`. It is a name and no path: `../` leads nowhere */
      readonly locator: string;
    };
    query: {
      /** Default: what the document says of itself, or the end of the locator */
      readonly title?: string;
      /** Where people open it, http or https. Default: where its bytes are to be had here */
      readonly url?: string;
      /** JSON, as in `PUT /sources/{id}/metadata`: {"records": [{"key", "val", "type"}]}, which replaces all records. Default: those that there are stay */
      readonly metadata?: string;
    };
    body: undefined;
    answer: Source;
  };
  /** Take a document out of a push */
  'DELETE /source-groups/{id}/sources/{locator}': {
    path: {
      readonly id: string;
      /** Percent-encoded as one segment: `a/b` is `a%2Fb`. It is a name and no path: `../` leads nowhere */
      readonly locator: string;
    };
    query: {};
    body: undefined;
    answer: Source;
  };
  /** When a recurrence rule would fire */
  'GET /schedule/occurrences': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** RFC 5545 recurrence rule */
      readonly rrule: string;
    };
    body: undefined;
    answer: Occurrences;
  };
  /** Read one page, and keep nothing of it */
  'POST /scrape': {
    path: {};
    query: {};
    body: ScrapeRequest;
    answer: ScrapedPage;
  };
  /** List sources */
  'GET /sources': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly source_group_id?: string;
      readonly source_type?: SourceType;
      readonly file_type?: FileType;
      readonly url?: string;
      /** Several are separated by commas */
      readonly status?: readonly ("indexed" | "skipped" | "failed")[];
      /** A part of the title, the URL or the locator, without regard to case */
      readonly contains?: string;
      /** `title` is in the order of code points; one whose title changes meanwhile may come twice or not at all. Not with `as_of` */
      readonly sort?: "newest" | "title";
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
      /** Follows policy and principal also while authorization is off, to try them before. It never shows more */
      readonly try_policy?: boolean;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: SourceList;
  };
  /** Get a source */
  'GET /sources/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Source;
  };
  /** Take a source out */
  'DELETE /sources/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Source;
  };
  /** What changed: a source */
  'GET /sources/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Download the stored file of a source */
  'GET /sources/{id}/raw': {
    path: {
      readonly id: string;
    };
    query: {
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: unknown;
  };
  /** List the chunks of a source in the order of its text */
  'GET /sources/{id}/contents': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
      /** Id of a content of the source: begin half a page before it. Not with `after` */
      readonly around?: string;
    };
    body: undefined;
    answer: SourceContentList;
  };
  /** Replace the metadata of a source */
  'PUT /sources/{id}/metadata': {
    path: {
      readonly id: string;
    };
    query: {};
    body: MetadataReplacement;
    answer: Source;
  };
  /** Delete the metadata of a source */
  'DELETE /sources/{id}/metadata': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** List source groups of every kind */
  'GET /source-groups': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
      /** These alone, as far as there are any. Several are separated by commas */
      readonly id?: readonly (string)[];
      /** Several are separated by commas */
      readonly status?: readonly (JobStatus)[];
      /** Several are separated by commas */
      readonly source_type?: readonly (SourceType)[];
      /** How the name begins, in upper or lower case */
      readonly name?: string;
      /** `name` is without regard to case; one that is renamed meanwhile may come twice or not at all */
      readonly sort?: "newest" | "oldest" | "name";
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: SourceGroupList;
  };
  /** Items that failed, of all data sources */
  'GET /errors': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** `next_id` of the page before */
      readonly after?: string;
      /** `next_id` of the page before */
      readonly next_id?: string;
      /** Failed at this time or later, in Unix seconds */
      readonly from?: number;
      /** Failed before this time, in Unix seconds */
      readonly to?: number;
      /** Of one kind, such as `http_status` */
      readonly code?: string;
      /** Several are separated by commas */
      readonly source_type?: readonly (SourceType)[];
      /** Several are separated by commas */
      readonly source_group_id?: readonly (string)[];
    };
    body: undefined;
    answer: FailedItems;
  };
  /** Get a source group */
  'GET /source-groups/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: SourceGroup;
  };
  /** Change the name of a source group */
  'PUT /source-groups/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: SourceGroupChange;
    answer: SourceGroup;
  };
  /** What changed: a source group */
  'GET /source-groups/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** The authz policy that decides what is seen, by default `default`. Ignored while authorization is off */
      readonly authz_policy?: string;
      /** On whose behalf: the policy judges by what it knows of this principal. Ignored while authorization is off */
      readonly principal_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List tags, newest first */
  'GET /tags': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: TagList;
  };
  /** Create a tag */
  'POST /tags': {
    path: {};
    query: {};
    body: TagCreate;
    answer: Tag;
  };
  /** Get a tag */
  'GET /tags/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Tag;
  };
  /** Change name and description of a tag */
  'PUT /tags/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: TagChange;
    answer: Tag;
  };
  /** Delete a tag, and its bindings with it */
  'DELETE /tags/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: a tag */
  'GET /tags/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List the bindings of tags to source groups, newest first */
  'GET /tag-source-groups': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: TagSourceGroupList;
  };
  /** Bind a tag to a source group */
  'POST /tag-source-groups': {
    path: {};
    query: {};
    body: TagSourceGroupCreate;
    answer: TagSourceGroup;
  };
  /** Get the binding of a tag to a source group */
  'GET /tag-source-groups/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: TagSourceGroup;
  };
  /** Take a tag from a source group */
  'DELETE /tag-source-groups/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: the binding of a tag to a source group */
  'GET /tag-source-groups/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List redaction policies, newest first */
  'GET /redaction-policies': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: RedactionPolicyList;
  };
  /** Create a redaction policy */
  'POST /redaction-policies': {
    path: {};
    query: {};
    body: RedactionPolicyCreate;
    answer: RedactionPolicy;
  };
  /** Get a redaction policy */
  'GET /redaction-policies/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: RedactionPolicy;
  };
  /** Replace a redaction policy */
  'PUT /redaction-policies/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: RedactionPolicyCreate;
    answer: RedactionPolicy;
  };
  /** Delete a redaction policy */
  'DELETE /redaction-policies/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: a redaction policy */
  'GET /redaction-policies/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Try a redaction policy on a text */
  'POST /redaction-policies/{id}/test': {
    path: {
      readonly id: string;
    };
    query: {};
    body: RedactionTest;
    answer: RedactionTestResult;
  };
  /** Try rules on a text before a policy has them */
  'POST /redaction-policies/test': {
    path: {};
    query: {};
    body: RedactionTrial;
    answer: RedactionTestResult;
  };
  /** List authz policies by name */
  'GET /authz-policies': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this name, by code points */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AuthzPolicyList;
  };
  /** Create an authz policy */
  'POST /authz-policies': {
    path: {};
    query: {};
    body: AuthzPolicyCreate;
    answer: AuthzPolicy;
  };
  /** Get an authz policy */
  'GET /authz-policies/{name}': {
    path: {
      readonly name: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AuthzPolicy;
  };
  /** Replace the rules of an authz policy, or define the policy `default` */
  'PUT /authz-policies/{name}': {
    path: {
      readonly name: string;
    };
    query: {};
    body: AuthzPolicyReplacement;
    answer: AuthzPolicy;
  };
  /** Delete an authz policy: requests that name it are refused from now on */
  'DELETE /authz-policies/{name}': {
    path: {
      readonly name: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: an authz policy */
  'GET /authz-policies/{name}/changes': {
    path: {
      readonly name: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List what authz policies know of principals, by principal */
  'GET /authz-subject-attributes': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this name, by code points */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AuthzSubjectList;
  };
  /** Get what authz policies know of a principal */
  'GET /authz-subject-attributes/{principal_id}': {
    path: {
      readonly principal_id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: AuthzSubject;
  };
  /** Replace all that one authz policy knows of a principal */
  'PUT /authz-subject-attributes/{principal_id}': {
    path: {
      readonly principal_id: string;
    };
    query: {};
    body: AuthzSubjectReplacement;
    answer: AuthzSubject;
  };
  /** Delete all that authz policies know of a principal */
  'DELETE /authz-subject-attributes/{principal_id}': {
    path: {
      readonly principal_id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: what authz policies know of a principal */
  'GET /authz-subject-attributes/{principal_id}/changes': {
    path: {
      readonly principal_id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List API keys, newest first */
  'GET /api-keys': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: ApiKeyList;
  };
  /** Issue an API key */
  'POST /api-keys': {
    path: {};
    query: {};
    body: ApiKeyCreate;
    answer: IssuedApiKey;
  };
  /** Get an API key */
  'GET /api-keys/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: ApiKey;
  };
  /** Revoke an API key */
  'DELETE /api-keys/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: an API key */
  'GET /api-keys/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Replace the key, keeping its id and its powers */
  'POST /api-keys/{id}/rotate': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: IssuedApiKey;
  };
  /** List secrets, newest first */
  'GET /secrets': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: SecretList;
  };
  /** Keep a secret for data sources */
  'POST /secrets': {
    path: {};
    query: {};
    body: SecretCreate;
    answer: Secret;
  };
  /** Get a secret */
  'GET /secrets/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Secret;
  };
  /** Change name, value or expiry of a secret */
  'PUT /secrets/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: SecretChange;
    answer: Secret;
  };
  /** Delete a secret */
  'DELETE /secrets/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: a secret */
  'GET /secrets/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** List webhooks, newest first */
  'GET /webhooks': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: WebhookList;
  };
  /** Send events to an address */
  'POST /webhooks': {
    path: {};
    query: {};
    body: WebhookCreate;
    answer: IssuedWebhook;
  };
  /** Get a webhook */
  'GET /webhooks/{id}': {
    path: {
      readonly id: string;
    };
    query: {
      /** Shows what was there at this moment, folded from the events up to it: an RFC 3339 date-time with an offset (`2026-11-29T08:00:00Z`), Unix seconds, or a position of the log (the `x-position` of a write, the `position` of an event). Whole seconds mean the end of that second, and an event counts by the time at which the store accepted it. Who may read is decided as of today. What was deleted since has `deleted_at`. In the future: 400 */
      readonly as_of?: string;
    };
    body: undefined;
    answer: Webhook;
  };
  /** Change, disable or enable a webhook */
  'PUT /webhooks/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: WebhookChange;
    answer: Webhook;
  };
  /** Delete a webhook */
  'DELETE /webhooks/{id}': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: Message;
  };
  /** What changed: a webhook */
  'GET /webhooks/{id}/changes': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch changes after this position */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
    };
    body: undefined;
    answer: RecordChanges;
  };
  /** Replace the signing secret of a webhook */
  'POST /webhooks/{id}/rotate-secret': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: IssuedWebhook;
  };
  /** Send a test message */
  'POST /webhooks/{id}/test': {
    path: {
      readonly id: string;
    };
    query: {};
    body: Nothing;
    answer: WebhookTest;
  };
  /** List deliveries of a webhook, newest event first */
  'GET /webhooks/{id}/deliveries': {
    path: {
      readonly id: string;
    };
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch records after this id: one that the list shows, or showed until it was removed */
      readonly after?: string;
      /** Another name of `after` */
      readonly next_id?: string;
      readonly state?: "pending" | "delivered" | "dead";
    };
    body: undefined;
    answer: WebhookDeliveryList;
  };
  /** Deliver an event again */
  'POST /webhooks/{id}/deliveries/{delivery_id}/redeliver': {
    path: {
      readonly id: string;
      readonly delivery_id: string;
    };
    query: {};
    body: Nothing;
    answer: WebhookDelivery;
  };
  /** The event log, in its one order */
  'GET /events': {
    path: {};
    query: {
      /** Events per page, 20 where it is absent. Of NDJSON so many at most, all of them where it is absent */
      readonly limit?: number;
      /** `desc`: the newest first, for pages and NDJSON. A stream that follows has one order */
      readonly order?: "asc" | "desc";
      /** Fetch events after this position, or whatever place in the log it is, but none beyond its end: those before it with `order=desc` */
      readonly after_position?: string;
      /** Another name of `after_position` */
      readonly next_id?: string;
      /** Kinds of streams; several are separated by commas */
      readonly category?: readonly ("dataSource" | "ingestionSetting" | "source" | "apiKey" | "conversation" | "tag" | "redactionPolicy" | "authzPolicy" | "authzSubject" | "secret" | "webhook" | "agentThread" | "agentRun" | "idempotency")[];
      /** Types of events; several are separated by commas */
      readonly types?: readonly ("DataSourceRegistered" | "JobQueued" | "JobClaimed" | "JobHandedOff" | "JobStarted" | "JobProgressed" | "JobSucceeded" | "JobFailed" | "JobRequeued" | "JobCancelRequested" | "JobCanceled" | "DataSourceDeletionRequested" | "DataSourceDeleted" | "DataSourceDeletionFailed" | "JobStatusLost" | "JobStatusReconciled" | "FilesUploaded" | "ScheduleTickSkipped" | "IngestionSettingCreated" | "IngestionSettingRenamed" | "IngestionParametersChanged" | "ScheduleSet" | "ScheduleRemoved" | "SourceIndexed" | "SourceSkipped" | "SourceFailed" | "SourceRemoved" | "SourceMetadataReplaced" | "SourceMetadataDeleted" | "ApiKeyIssued" | "ApiKeyRotated" | "ApiKeyRevoked" | "TagCreated" | "TagChanged" | "TagDeleted" | "TagBound" | "TagUnbound" | "ConversationStarted" | "UserMessageAdded" | "AnswerBegun" | "AnswerFinished" | "AnswerFailed" | "ConversationDeleted" | "RedactionPolicyCreated" | "RedactionPolicyChanged" | "RedactionPolicyDeleted" | "AuthzPolicyCreated" | "AuthzPolicyChanged" | "AuthzPolicyDeleted" | "AuthzAttributesSet" | "AuthzAttributesDeleted" | "SecretCreated" | "SecretChanged" | "SecretValueReplaced" | "SecretRenewed" | "SecretAttached" | "SecretDetached" | "SecretDeleted" | "WebhookCreated" | "WebhookChanged" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "WebhookDeleted" | "AgentThreadStarted" | "RunAdmitted" | "AgentThreadDeleted" | "RunQueued" | "RunStarted" | "RunHandedOver" | "RunEmitted" | "RunSucceeded" | "RunFailed" | "RunCancelRequested" | "RunCancelled" | "AgentRunKeyClaimed" | "AgentRunKeyReleased" | "CompletionKeyClaimed" | "IdempotencyKeyClaimed" | "IdempotencyKeyReleased" | "IdempotencyKeyUsed")[];
      readonly stream?: string;
      /** Events of the streams whose names begin so; looked for as `where` is */
      readonly stream_prefix?: string;
      /** Events that this actor caused: the `id` of an `actor`, such as that of an API key */
      readonly actor?: string;
      /** Events of this trace */
      readonly trace_id?: string;
      /** Recorded at this time or later, in Unix seconds */
      readonly from?: number;
      /** Recorded before this time, in Unix seconds */
      readonly to?: number;
      /** An object of JSON: JSON Pointers (RFC 6901) into an event as it is answered, each with the value that it leads to. All of them hold. No index has them, so a page looks at some ten thousand events: narrow it by the other filters, and go on with `next_id` */
      readonly where?: string;
    };
    body: undefined;
    answer: LogPage;
  };
  /** The event log as a file */
  'GET /events/export': {
    path: {};
    query: {
      /** `parquet` is one file, of use once it is whole */
      readonly format?: "ndjson" | "csv" | "parquet";
      /** Export events after this position: that of the last whole line, after a break */
      readonly after_position?: string;
      /** Also a line with index and hash for each event that the filter leaves out, so that the rest can be proved against a checkpoint. Only for `ndjson` */
      readonly hashes?: boolean;
      /** Kinds of streams; several are separated by commas */
      readonly category?: readonly ("dataSource" | "ingestionSetting" | "source" | "apiKey" | "conversation" | "tag" | "redactionPolicy" | "authzPolicy" | "authzSubject" | "secret" | "webhook" | "agentThread" | "agentRun" | "idempotency")[];
      /** Types of events; several are separated by commas */
      readonly types?: readonly ("DataSourceRegistered" | "JobQueued" | "JobClaimed" | "JobHandedOff" | "JobStarted" | "JobProgressed" | "JobSucceeded" | "JobFailed" | "JobRequeued" | "JobCancelRequested" | "JobCanceled" | "DataSourceDeletionRequested" | "DataSourceDeleted" | "DataSourceDeletionFailed" | "JobStatusLost" | "JobStatusReconciled" | "FilesUploaded" | "ScheduleTickSkipped" | "IngestionSettingCreated" | "IngestionSettingRenamed" | "IngestionParametersChanged" | "ScheduleSet" | "ScheduleRemoved" | "SourceIndexed" | "SourceSkipped" | "SourceFailed" | "SourceRemoved" | "SourceMetadataReplaced" | "SourceMetadataDeleted" | "ApiKeyIssued" | "ApiKeyRotated" | "ApiKeyRevoked" | "TagCreated" | "TagChanged" | "TagDeleted" | "TagBound" | "TagUnbound" | "ConversationStarted" | "UserMessageAdded" | "AnswerBegun" | "AnswerFinished" | "AnswerFailed" | "ConversationDeleted" | "RedactionPolicyCreated" | "RedactionPolicyChanged" | "RedactionPolicyDeleted" | "AuthzPolicyCreated" | "AuthzPolicyChanged" | "AuthzPolicyDeleted" | "AuthzAttributesSet" | "AuthzAttributesDeleted" | "SecretCreated" | "SecretChanged" | "SecretValueReplaced" | "SecretRenewed" | "SecretAttached" | "SecretDetached" | "SecretDeleted" | "WebhookCreated" | "WebhookChanged" | "WebhookEnabled" | "WebhookDisabled" | "WebhookSecretRotated" | "WebhookDeleted" | "AgentThreadStarted" | "RunAdmitted" | "AgentThreadDeleted" | "RunQueued" | "RunStarted" | "RunHandedOver" | "RunEmitted" | "RunSucceeded" | "RunFailed" | "RunCancelRequested" | "RunCancelled" | "AgentRunKeyClaimed" | "AgentRunKeyReleased" | "CompletionKeyClaimed" | "IdempotencyKeyClaimed" | "IdempotencyKeyReleased" | "IdempotencyKeyUsed")[];
      readonly stream?: string;
      /** Events of the streams whose names begin so; looked for as `where` is */
      readonly stream_prefix?: string;
      /** Events that this actor caused: the `id` of an `actor`, such as that of an API key */
      readonly actor?: string;
      /** Events of this trace */
      readonly trace_id?: string;
      /** Recorded at this time or later, in Unix seconds */
      readonly from?: number;
      /** Recorded before this time, in Unix seconds */
      readonly to?: number;
      /** An object of JSON: JSON Pointers (RFC 6901) into an event as it is answered, each with the value that it leads to. All of them hold. No index has them, so a page looks at some ten thousand events: narrow it by the other filters, and go on with `next_id` */
      readonly where?: string;
    };
    body: undefined;
    answer: unknown;
  };
  /** The signed checkpoint of the event log as it is now */
  'GET /audit/checkpoint': {
    path: {};
    query: {};
    body: undefined;
    answer: Checkpoint;
  };
  /** All checkpoints */
  'GET /audit/checkpoints': {
    path: {};
    query: {
      /** Records per page */
      readonly limit?: number;
      /** Fetch those that cover more events; with `order=desc` those that cover fewer */
      readonly after?: number;
      /** `desc`: the newest first */
      readonly order?: "asc" | "desc";
    };
    body: undefined;
    answer: CheckpointList;
  };
  /** The keys that verify checkpoints */
  'GET /audit/keys': {
    path: {};
    query: {};
    body: undefined;
    answer: VerifierKeys;
  };
  /** Prove that an event is in the log */
  'GET /audit/proofs/inclusion': {
    path: {};
    query: {
      readonly stream: string;
      readonly revision: number;
      /** That of a checkpoint; absent: the newest */
      readonly size?: number;
    };
    body: undefined;
    answer: InclusionProof;
  };
  /** Prove that a log has only grown */
  'GET /audit/proofs/consistency': {
    path: {};
    query: {
      readonly from: number;
      readonly to: number;
    };
    body: undefined;
    answer: ConsistencyProof;
  };
  /** The checkpoint, for tools that read logs */
  'GET /audit/log/{id}/checkpoint': {
    path: {
      readonly id: string;
    };
    query: {};
    body: undefined;
    answer: unknown;
  };
  /** A tile or an entry bundle, for tools that read logs */
  'GET /audit/log/{id}/tile/{tile}': {
    path: {
      readonly id: string;
      /** Several segments, as they stand */
      readonly tile: string;
    };
    query: {};
    body: undefined;
    answer: unknown;
  };
  /** See how the service does */
  'GET /status': {
    path: {};
    query: {};
    body: undefined;
    answer: ServiceStatus;
  };
  /** See who you are, and what you may do */
  'GET /me': {
    path: {};
    query: {};
    body: undefined;
    answer: Me;
  };
  /** Whether the process lives */
  'GET /healthz': {
    path: {};
    query: {};
    body: undefined;
    answer: {
      readonly status: string;
    };
  };
  /** Whether the service is ready for requests */
  'GET /readyz': {
    path: {};
    query: {};
    body: undefined;
    answer: {
      readonly status: string;
      /** What is not ready, and why */
      readonly reasons: { readonly [key: string]: string };
      /** What is ready, but an operator should look at: streams of events that a view passes over */
      readonly details: { readonly [key: string]: string };
      /** Parts that the service works without: `ready`, or why requests that need them are refused */
      readonly optional: { readonly [key: string]: string };
    };
  };
  /** How people sign in */
  'GET /sign-in': {
    path: {};
    query: {};
    body: undefined;
    answer: {
      /** The issuer of OpenID Connect; null: none is configured */
      readonly oidc: {
        readonly issuer: string;
        readonly client_id: string;
        /** Whatever the issuer is to be asked for */
        readonly scope: string;
        /** Which one gives access here */
        readonly token: "id_token" | "access_token";
        readonly authorization_endpoint: string;
        readonly token_endpoint: string;
        readonly end_session_endpoint: string | null;
      } | null;
    };
  };
}

/** Operations that take an `Idempotency-Key`. */
export const KEYED: ReadonlySet<string> = new Set([
  'POST /completions',
  'POST /agent/runs',
  'POST /crawls',
  'POST /repos',
  'POST /cloud-drives',
  'POST /wikis',
  'POST /local-file-groups',
  'POST /pushes',
  'POST /pushes/{id}/jobs',
  'POST /tags',
  'POST /tag-source-groups',
  'POST /redaction-policies',
  'POST /authz-policies',
  'POST /api-keys',
  'POST /secrets',
  'POST /webhooks',
]);
