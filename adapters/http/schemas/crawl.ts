import Type, { type Static } from 'typebox';
import { closed, CursorPagination, Name, Pagination, patterned } from './common.ts';
import {
  dataSourceFields,
  RecurrenceRule,
  ReservedMetadata,
  SyncMode,
  itemErrorFields,
  itemErrorsQuery,
} from './data-source.ts';

export const Crawl = Type.Object({ ...dataSourceFields, start_url: Type.String() });
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
  mode: Type.Optional(SyncMode),
});
export type SyncRequest = Static<typeof SyncRequest>;

export const CrawlErrorsQuery = itemErrorsQuery('a page of the crawl');
export const CrawlErrors = Type.Object({
  ...itemErrorFields('URL of the page'),
  robots_blocked: Type.Array(Type.String(), { description: 'URLs that robots.txt refuses' }),
  pagination: CursorPagination,
});

/** Those with a name of their own in the document. */
export const crawlComponents = {
  Crawl,
  CrawlList,
  CrawlCreate,
  SyncRequest,
  CrawlErrors,
};
