import Type, { type Static } from 'typebox';
import { JOB_ERROR_TITLES, JOB_STATUSES } from '../../../domain/data-source/index.ts';
import {
  closed,
  CursorPagination,
  Id,
  Limit,
  Name,
  pageFields,
  Pagination,
  patterned,
  UnixSeconds,
} from './common.ts';

export const JobStatus = Type.Enum([...JOB_STATUSES]);

export const IngestionError = Type.Object({
  title: Type.String({
    description: `A short stable phrase, one of: ${JOB_ERROR_TITLES.join(', ')}. Later versions may add some`,
  }),
  message: Type.String({ description: 'What happened to what' }),
});

const MetadataRecord = Type.Object({
  key: Type.String(),
  val: Type.String(),
  type: Type.Enum(['string']),
});

export const Progress = Type.Object(
  {
    seen: Type.Integer({ description: 'Visited: the sum of the four that follow' }),
    indexed: Type.Integer(),
    unchanged: Type.Integer(),
    skipped: Type.Integer(),
    failed: Type.Integer(),
    bytes: Type.Integer(),
  },
  { description: 'Counts of the running job, told every 2 s, or of the last one' },
);
export type Progress = Static<typeof Progress>;

export const Crawl = Type.Object({
  id: Id,
  name: Type.String(),
  status: JobStatus,
  ingestion_setting_id: Id,
  start_url: Type.String(),
  creation_time: UnixSeconds,
  start_time: Type.Optional(UnixSeconds),
  end_time: Type.Optional(UnixSeconds),
  error: Type.Optional(IngestionError),
  progress: Progress,
  metadata: Type.Object({ records: Type.Array(MetadataRecord) }),
});
export type Crawl = Static<typeof Crawl>;
export const CrawlList = Type.Object({ crawls: Type.Array(Crawl), pagination: Pagination });

export const StartUrl = Type.String({
  format: 'uri',
  maxLength: 2000,
  'x-http-url': true,
  description: 'Absolute http or https URL without user name and password',
});

const Patterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), {
    'x-max-total-length': 2000,
    description: `${description}. At most 2000 characters over all elements`,
  });
export const PathFilters = Patterns('Globs on the path of the URL; `!` before a pattern excludes');
export const ContentPattern = Patterns('Regular expressions of which one must match the text of a page');
export const FileExtensions = Type.Array(
  patterned('^\\.[^\\s./\\\\][^\\s/\\\\]*$', 'must be an extension with its leading dot', { maxLength: 10 }),
  { maxItems: 2000, description: 'Extensions to include, each with its leading dot' },
);

const ReservedMetadata = closed(
  {
    records: Type.Array(
      closed({
        key: Type.String({ minLength: 1, maxLength: 200 }),
        val: Type.String({ maxLength: 2000 }),
        type: Type.Optional(Type.Enum(['string'])),
      }),
      { maxItems: 100 },
    ),
  },
  { description: 'Reserved for future use' },
);

export const rule = (description: string) =>
  Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `RFC 5545 recurrence rule; ${description}`,
  });
export const RecurrenceRule = rule('null or an empty text: no schedule');

export const MaxDepth = Type.Integer({ minimum: 1, maximum: 10 });
export const MaxNumFiles = Type.Integer({ minimum: 1, maximum: 100_000 });
export const HTML_ONLY = 'Download HTML files only';
export const USE_BROWSER = 'Use a headless browser';
export const NO_CANONICAL_CHECK = 'Do not filter duplicates by canonical URL';
const off = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

export const CrawlCreate = closed({
  name: Name,
  start_url: StartUrl,
  max_depth: MaxDepth,
  max_num_files: MaxNumFiles,
  path_filters: Type.Optional(PathFilters),
  content_pattern: Type.Optional(ContentPattern),
  html_only: off(HTML_ONLY),
  use_browser: off(USE_BROWSER),
  no_canonical_check: off(NO_CANONICAL_CHECK),
  file_extensions: Type.Optional(FileExtensions),
  rrule: Type.Optional(RecurrenceRule),
  metadata: Type.Optional(ReservedMetadata),
});
export type CrawlCreate = Static<typeof CrawlCreate>;

export const SyncRequest = closed({
  urls: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'Look at these pages alone, and leave all others as they are. Pages of the site that the crawl may visit, known ' +
        'or new; their links are not followed',
    }),
  ),
  mode: Type.Optional(
    Type.Enum(['incremental', 'full'], {
      default: 'incremental',
      description: '`full` does not trust what earlier jobs know',
    }),
  ),
});

/** What a list of data sources leaves out. */
export const DataSourceListQuery = closed({
  ...pageFields,
  status: Type.Optional(JobStatus),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'How the name begins, as it is written' }),
  ),
});

export const CrawlErrorsQuery = closed({
  limit: Type.Optional(Limit),
  after: Type.Optional(
    Type.String({ maxLength: 2048, description: 'Fetch errors after this locator: a page of the crawl' }),
  ),
  next_id: Type.Optional(Type.String({ maxLength: 2048, description: 'Another name of `after`' })),
});
export const CrawlErrors = Type.Object({
  errors: Type.Array(
    Type.Object({
      locator: Type.String({ description: 'URL of the page' }),
      code: Type.String(),
      message: Type.String(),
      time: UnixSeconds,
      attempt: Type.Integer(),
    }),
  ),
  robots_blocked: Type.Array(Type.String(), { description: 'URLs that robots.txt refuses' }),
  pagination: CursorPagination,
});
