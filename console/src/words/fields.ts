import type {
  AgentRunCreate,
  CloudDriveCreate,
  CrawlCreate,
  PushCreate,
  RepoCreate,
  SourceType,
  WikiCreate,
} from 'knowledger-client';
import { administrationFields } from './administration-fields.ts';
import { type FieldWords, type FormWords, NAME, POLICY_NAME, type WordsOf } from './form-words.ts';

const rrule: FieldWords = { label: 'Schedule' };
const path_filters = (example: string): FieldWords => ({
  label: 'Paths',
  rule: `Patterns such as ${example}, one on each line; a ! in front leaves out the paths that fit. Empty: all. At most 2,000 characters in all`,
});
const secret = (rule: string): FieldWords => ({
  label: 'Secret',
  rule,
  problem: 'Choose a secret, or create one',
});

const crawl: WordsOf<CrawlCreate, 'metadata'> = {
  name: NAME,
  start_url: {
    label: 'Start address',
    rule: 'The crawl begins here and stays on this site',
    problem: 'Type a whole address, such as https://docs.example.com/',
  },
  max_depth: {
    label: 'Depth',
    rule: 'How many links it follows from the start address, one after the other',
  },
  max_num_files: { label: 'Most documents', rule: 'It stops at this number' },
  path_filters: path_filters('**/docs/**'),
  content_pattern: {
    label: 'Text that a page must have',
    rule: 'Regular expressions, one on each line: a page is kept if one of them fits its text. Empty: all pages. At most 2,000 characters in all',
  },
  html_only: { label: 'HTML pages only', rule: 'Leaves out PDFs and other files that pages link to' },
  use_browser: {
    label: 'Read pages in a browser',
    rule: 'For pages whose scripts write them. It takes longer',
  },
  no_canonical_check: {
    label: 'Keep duplicates',
    rule: 'Several addresses of one page become several documents, also where they differ in a session id, a tracking parameter or their encoding alone',
  },
  file_extensions: {
    label: 'File extensions',
    rule: 'Such as .html, one on each line: other files are not read. Empty: all',
    problem: 'Each line needs an extension with its dot, such as .pdf',
  },
  rrule,
};

const repo: WordsOf<RepoCreate, 'metadata'> = {
  name: NAME,
  repository: {
    label: 'Repository',
    rule: 'Owner and name, such as acme/handbook, at the host that the operator has set up',
    problem: 'Type owner/name, such as acme/handbook, without the address of the host',
  },
  reference_type: {
    label: 'Version to read',
    rule: 'The default branch is the one that the host shows first',
    choices: { default: 'Default branch', branch: 'A branch', tag: 'A tag', commit: 'A commit' },
  },
  reference_param: {
    label: 'Branch, tag or commit',
    rule: 'The name of the branch or tag, or the hash of the commit',
  },
  path_filters: path_filters('docs/**'),
  secret_id: secret(
    'Signs in at the host: a token, a user name with password, or an app. Public repositories need none',
  ),
  rrule,
};

const cloud_drive: WordsOf<CloudDriveCreate, 'metadata'> = {
  name: NAME,
  folder_url: {
    label: 'Address of the folder',
    rule: 'A folder of Google Drive, or a shared drive: copy its address from the browser, or its link for sharing',
  },
  secret_id: secret('Signs in at the drive: a service account, an OAuth refresh token, or a token'),
  rrule,
};

const wiki: WordsOf<WikiCreate, 'metadata'> = {
  name: NAME,
  page_id: {
    label: 'Page',
    rule: 'The page or database to begin at: copy its link in the wiki, or type its id',
  },
  include_children: {
    label: 'With the pages below it',
    rule: 'Reads the pages below, and the rows of databases in them',
  },
  secret_id: secret('Signs in at the wiki: a token'),
  rrule,
};

/** Of a run, before its settings. */
const message = {
  message: { label: 'Message', rule: 'A question or a task; Ctrl Enter starts the run' },
  workflow: {
    label: 'Workflow',
    choices: {
      chat: 'Chat: one answer from the knowledge base',
      research: 'Research: several searches and a report',
      extract: 'Extract: rows of data',
    },
  },
  schema: {
    label: 'JSON Schema of a row',
    rule: 'Names the columns of a row and the type of each',
  },
} satisfies FormWords;

const run: WordsOf<
  AgentRunCreate,
  'input' | 'workflow_type' | 'thread_id' | 'parent_run_id' | 'idempotency_key'
> = {
  title: { label: 'Title', rule: 'Shown in lists. Empty: the beginning of the message' },
  provider: {
    label: 'Provider',
    rule: '“Models” in the administration tells which are set up',
    choices: {
      '': 'The model of the service',
      PROVIDER_A_DIRECT: 'Provider A',
      PROVIDER_B: 'Provider B',
      PROVIDER_C: 'Provider C',
      PROVIDER_D: 'Provider D',
    },
  },
  execution_mode: {
    label: 'Executed by',
    rule: 'An agent of your own runs in Amazon Bedrock AgentCore',
    choices: { LOCAL: 'This service', MANAGED_RUNTIME: 'An agent of your own' },
  },
  runtime_arn: {
    label: 'ARN of the agent',
    rule: 'Its Amazon Resource Name, one of those that the operator allows',
    problem: 'Copy the whole ARN of the agent: it begins with arn:',
  },
  mcp_session_id: {
    label: 'MCP session',
    rule: 'The id of a session of tools that the agent continues. Empty: a new one',
    problem: 'Use letters, figures and signs without blanks',
  },
  input_history_mode: {
    label: 'History',
    rule: 'What the agent knows of the runs before this one',
    choices: { delta_v1: 'The runs above it in the thread', legacy_full: 'Nothing but this message' },
  },
  principal_id: {
    label: 'On behalf of (principal)',
    rule: 'The id of an end user: the run reads what this user may read, and is shown for this user alone. Empty: nobody',
  },
  authz_policy: {
    label: 'Access policy',
    rule: 'Decides what the run may read. Empty: the policy named default',
    problem: POLICY_NAME,
  },
  concurrency: {
    label: 'While another run of the thread goes on',
    rule: 'A thread has one run at a time',
    choices: { reject: 'Refuse this one', enqueue: 'Let it wait' },
  },
};

/** Of the forms that are made from the schema of a request. */
export const fields = {
  sources: {
    crawl,
    repo,
    cloud_drive,
    wiki,
    push: { name: NAME } satisfies WordsOf<PushCreate, 'metadata'>,
    local_file: { name: NAME },
  } satisfies Record<SourceType, FormWords>,
  ...administrationFields,
  message,
  run,
};
