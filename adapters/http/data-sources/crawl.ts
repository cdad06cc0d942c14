import type { NamedDataSource, IngestionSettingRow } from '../../../application/ports/data-source-view.ts';
import type { NewDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import { dataSourceRecord } from '../records/data-source-record.ts';
import {
  Crawl,
  CrawlCreate,
  CrawlErrors,
  CrawlErrorsQuery,
  CrawlList,
  SyncRequest,
} from '../schemas/crawl.ts';
import { CrawlSetting, CrawlSettingChange } from '../schemas/crawl-setting.ts';
import { dataSourceHttp } from './kind.ts';
import { newOfAnyKind } from './new-of-any-kind.ts';

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
    toNew: (body) => newCrawl(body),
  },
  record: Crawl,
  list: CrawlList,
  toRecord: (found) => crawlRecord(found),
  sync: {
    summary: 'Crawl again now',
    description: 'While a job is at work nothing new is queued, whatever `urls` say (200).',
    body: SyncRequest,
    itemsIn: ({ urls }) => urls,
  },
  errors: {
    summary: 'Pages that failed in the newest job, and those that robots.txt refuses',
    description:
      'One page that fails does not fail the job. The list is that of the newest job, in the order of the URLs.',
    query: CrawlErrorsQuery,
    answer: CrawlErrors,
    more: ({ blocked }) => ({ robots_blocked: [...blocked] }),
  },
  setting: {
    record: CrawlSetting,
    toRecord: (row) => crawlSettingRecord(row),
    change: CrawlSettingChange,
    changeDescription:
      'What is absent stays as it is. An `rrule` of null removes the schedule; an empty one is refused. Parameters are in force ' +
      'from the next job on, which reads pages afresh where they are judged in another way (`content_pattern`, ' +
      '`html_only`, `no_canonical_check`). The start URL cannot change: that is another crawl.',
    changeProblems: ['invalid_rrule', 'pattern_invalid', 'not_configured'],
  },
});

/** The body with its defaults; no schedule where the rule is null or empty. */
const newCrawl = (body: CrawlCreate): NewDataSource => ({
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
});

const crawlRecord = (found: NamedDataSource): Crawl => {
  const { subject, id } = found.row;
  if (subject.kind !== 'crawl') throw new Error(`data source ${id} is no crawl`);
  return { ...dataSourceRecord(found), start_url: subject.startUrl };
};

const crawlSettingRecord = ({ id, name, parameters, schedule }: IngestionSettingRow): CrawlSetting => {
  if (parameters.kind !== 'crawl') throw new Error(`ingestion setting ${id} is none of a crawl`);
  // Field by field: a database keeps objects in an order of its own, and answers should not depend on who gave them.
  return {
    id,
    name,
    start_url: parameters.startUrl,
    max_depth: parameters.maxDepth,
    html_only: parameters.htmlOnly,
    use_browser: parameters.useBrowser,
    path_filters: [...parameters.pathFilters],
    content_pattern: [...parameters.contentPattern],
    max_num_files: parameters.maxNumFiles,
    no_canonical_check: parameters.noCanonicalCheck,
    file_extensions: [...parameters.fileExtensions],
    ...(schedule !== null && { rrule: schedule.rrule }),
  };
};
