import { dataSourceHttp, dataSourceRecord, newOfAnyKind, settingRecord, subjectOf } from './kind.ts';
import { HttpUrl, Name, closed, patterned } from '../schemas/common.ts';
import {
  RecurrenceRule,
  ReservedMetadata,
  SyncMode,
  dataSourceFields,
  rule,
  settingSchema,
} from '../schemas/data-source.ts';
import Type from 'typebox';

const Crawl = Type.Object({ ...dataSourceFields, start_url: Type.String() });

const Patterns = (description: string) =>
  Type.Array(Type.String({ minLength: 1 }), {
    'x-max-total-length': 2000,
    description: `${description}. At most 2000 characters over all elements`,
  });

const PathFilters = Patterns('Globs on the path of the URL; `!` before a pattern excludes');

const ContentPattern = Patterns('Regular expressions of which one must match the text of a page');

const FileExtensions = Type.Array(
  patterned('^\\.[^\\s./\\\\][^\\s/\\\\]*$', 'must be an extension with its leading dot', { maxLength: 10 }),
  { maxItems: 2000, description: 'Extensions to include, each with its leading dot' },
);

const MaxDepth = Type.Integer({ minimum: 1, maximum: 10 });

const MaxNumFiles = Type.Integer({ minimum: 1, maximum: 100_000 });

const HTML_ONLY = 'Download HTML files only';

export const USE_BROWSER = 'Use a headless browser';

const NO_CANONICAL_CHECK =
  'Do not filter duplicates: by canonical URL, ids of sessions, parameters of tracking, percent-encoding, or the same text with and without a slash or an index file at the end';

const off = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

const CrawlCreate = closed(
  {
    name: Name,
    start_url: HttpUrl,
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
  },
  { examples: [{ name: 'Docs', start_url: 'https://docs.example.com/', max_depth: 3, max_num_files: 500 }] },
);

const SyncRequest = closed(
  {
    urls: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
        minItems: 1,
        maxItems: 100,
        description:
          'Look at these pages alone, and leave all others as they are. Pages of the site that the crawl may visit, known ' +
          'or new; their links are not followed',
      }),
    ),
    mode: Type.Optional(SyncMode),
  },
  { examples: [{ mode: 'incremental' }] },
);

const CrawlSetting = settingSchema(
  {
    start_url: Type.String(),
    max_depth: Type.Integer(),
    html_only: Type.Boolean(),
    use_browser: Type.Boolean(),
    path_filters: Type.Array(Type.String()),
    content_pattern: Type.Array(Type.String()),
    max_num_files: Type.Integer(),
    no_canonical_check: Type.Boolean(),
    file_extensions: Type.Array(Type.String()),
  },
  {},
);

const either = (description: string) => Type.Optional(Type.Boolean({ description }));

/** All parameters that can be changed. An absent field stays unchanged: there are no defaults. */
const CrawlSettingChange = closed(
  {
    name: Type.Optional(Name),
    max_depth: Type.Optional(MaxDepth),
    max_num_files: Type.Optional(MaxNumFiles),
    path_filters: Type.Optional(PathFilters),
    content_pattern: Type.Optional(ContentPattern),
    html_only: either(HTML_ONLY),
    use_browser: either(USE_BROWSER),
    no_canonical_check: either(NO_CANONICAL_CHECK),
    file_extensions: Type.Optional(FileExtensions),
    rrule: Type.Optional(rule('null removes the schedule')),
  },
  { minProperties: 1, examples: [{ max_num_files: 1000, rrule: 'FREQ=DAILY;BYHOUR=3' }] },
);

/** Web crawls over HTTP. */
export const crawlHttp = dataSourceHttp({
  kind: 'crawl',
  one: 'Crawl',
  many: 'Crawls',
  path: '/crawls',
  settingsPath: '/crawl-settings',
  tag: 'crawls',
  settingsTag: 'crawl settings',
  noun: 'web crawl',
  create: {
    description:
      'The first job is queued at once. Addresses that are not public are refused unless the operator allows them.',
    body: CrawlCreate,
    problems: [
      'invalid_rrule',
      'pattern_invalid',
      'url_not_allowed',
      'not_configured',
      'idempotency_conflict',
    ],
    toNew: (body) => ({
      ...newOfAnyKind(body),
      parameters: {
        kind: 'crawl',
        startUrl: body.start_url,
        maxDepth: body.max_depth,
        maxNumFiles: body.max_num_files,
        pathFilters: body.path_filters ?? [],
        contentPattern: body.content_pattern ?? [],
        htmlOnly: body.html_only ?? false,
        useBrowser: body.use_browser ?? false,
        noCanonicalCheck: body.no_canonical_check ?? false,
        fileExtensions: body.file_extensions ?? [],
      },
    }),
  },
  record: Crawl,
  toRecord: (found) => ({ ...dataSourceRecord(found), start_url: subjectOf(found, 'crawl').startUrl }),
  sync: {
    summary: 'Crawl again now',
    description: 'While a job is at work nothing new is queued, whatever `urls` say (200).',
    body: SyncRequest,
    name: 'SyncRequest',
    itemsIn: ({ urls }) => urls,
  },
  errors: {
    summary: 'Pages that failed in the newest job, and those that robots.txt refuses',
    description:
      'One page that fails does not fail the job. The list is that of the newest job, in the order of the URLs.',
    after: 'a page of the crawl',
    locator: 'URL of the page',
    fields: {
      robots_blocked: Type.Array(Type.String(), { description: 'URLs that robots.txt refuses' }),
    },
    more: ({ blocked }) => ({ robots_blocked: [...blocked] }),
  },
  setting: {
    record: CrawlSetting,
    toRecord: settingRecord('crawl', (parameters) => ({
      start_url: parameters.startUrl,
      max_depth: parameters.maxDepth,
      html_only: parameters.htmlOnly,
      use_browser: parameters.useBrowser,
      path_filters: [...parameters.pathFilters],
      content_pattern: [...parameters.contentPattern],
      max_num_files: parameters.maxNumFiles,
      no_canonical_check: parameters.noCanonicalCheck,
      file_extensions: [...parameters.fileExtensions],
    })),
    change: CrawlSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule; an empty one is refused. Parameters are in force ' +
      'from the next job on, which reads pages afresh where they are judged in another way (`content_pattern`, ' +
      '`html_only`, `no_canonical_check`). The start URL cannot change: that is another crawl.',
    changeProblems: ['invalid_rrule', 'pattern_invalid', 'not_configured'],
  },
});
