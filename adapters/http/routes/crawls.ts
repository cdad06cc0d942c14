import type { CreateCrawl, CrawlRequest } from '../../../application/data-source/create-crawl.ts';
import type { DataSourceOperations } from '../../../application/data-source/operations.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { crawlRecord } from '../records/crawl-record.ts';
import { accepted, created, ok } from '../answer.ts';
import { type AnyRoute, route } from '../route.ts';
import { Nothing } from '../schemas/common.ts';
import { Crawl, CrawlCreate, CrawlList, DataSourceListQuery, SyncRequest } from '../schemas/crawl.ts';

export interface CrawlRoutesDeps {
  readonly createCrawl: CreateCrawl;
  readonly dataSources: DataSourceOperations;
}

const common = { tag: 'crawls', scope: 'ingestion:manage' } as const;
const READS = ['data_source', 'ingestion_setting'] as const;

export const crawlRoutes = ({ createCrawl, dataSources }: CrawlRoutesDeps): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'post',
    path: '/crawls',
    operationId: 'createCrawl',
    summary: 'Create a web crawl data source and start ingestion',
    description:
      'The first job is queued at once. Addresses that are not public are refused unless the operator allows them.',
    body: CrawlCreate,
    idempotent: true,
    writes: true,
    answers: { 201: Crawl },
    problems: [
      'invalid_rrule',
      'pattern_invalid',
      'url_not_allowed',
      'not_configured',
      'idempotency_conflict',
    ],
    handler: async ({ caller, body, idempotencyKey }) => {
      const made = await createCrawl(caller, crawlRequest(body), idempotencyKey);
      return created(crawlRecord(made.record), `/crawls/${made.record.row.id}`, made);
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/crawls',
    operationId: 'listCrawls',
    summary: 'List web crawl data sources, newest first',
    description: 'Those that are being deleted included, until nothing of them is left.',
    query: DataSourceListQuery,
    reads: READS,
    answers: { 200: CrawlList },
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const { status, name } = query;
      const filter = { ...(status !== undefined && { status }), ...(name !== undefined && { name }) };
      const page = await dataSources.list(caller, 'crawl', request, filter);
      const pagination = paginationOf(page, request.limit, ({ row }) => row.id);
      return ok({ crawls: page.rows.map(crawlRecord), pagination });
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/crawls/{id}',
    operationId: 'getCrawl',
    summary: 'Get a web crawl data source',
    description: 'With the status of its newest job, and what was wrong where that failed.',
    reads: READS,
    answers: { 200: Crawl },
    handler: async ({ caller, id }) => ok(crawlRecord(await dataSources.get(caller, 'crawl', id))),
  }),
  route({
    ...common,
    method: 'delete',
    path: '/crawls/{id}',
    operationId: 'deleteCrawl',
    summary: 'Start the deletion of a web crawl data source',
    description:
      'Its content is hidden from every read from this moment. Sent again after a failure, it retries.',
    writes: true,
    answers: { 202: Crawl },
    handler: async ({ caller, id }) => {
      const { record, position } = await dataSources.remove(caller, 'crawl', id);
      return accepted(crawlRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/crawls/{id}/cancel',
    operationId: 'cancelCrawl',
    summary: 'Cancel the job of a web crawl',
    description: 'What is indexed stays indexed. A job that has ended already stays as it is (200).',
    body: Nothing,
    bodyOptional: true,
    writes: true,
    answers: { 202: Crawl, 200: Crawl },
    handler: async ({ caller, id }) => {
      const { record, position, changed } = await dataSources.cancel(caller, 'crawl', id);
      // A cancel that waits for its worker already is accepted work, as much as a new one.
      const answer = changed || record.row.status === 'canceling' ? accepted : ok;
      return answer(crawlRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'post',
    path: '/crawls/{id}/sync',
    operationId: 'syncCrawl',
    summary: 'Crawl again now',
    description: 'While a job is at work nothing new is queued, whatever `urls` say (200).',
    body: SyncRequest,
    bodyOptional: true,
    writes: true,
    answers: { 202: Crawl, 200: Crawl },
    problems: ['source_deleting'],
    handler: async ({ caller, id, body }) => {
      const mode = body.mode ?? 'incremental';
      const { record, position, changed } = await dataSources.sync(caller, 'crawl', id, mode, body.urls);
      return (changed ? accepted : ok)(crawlRecord(record), position);
    },
  }),
];

/** The body with its defaults; no schedule where the rule is null or empty. */
const crawlRequest = ({ rrule, metadata, ...body }: CrawlCreate): CrawlRequest => ({
  ...body,
  path_filters: body.path_filters ?? [],
  content_pattern: body.content_pattern ?? [],
  html_only: body.html_only ?? false,
  use_browser: body.use_browser ?? false,
  no_canonical_check: body.no_canonical_check ?? false,
  file_extensions: body.file_extensions ?? [],
  ...(rrule !== undefined && rrule !== null && rrule.trim() !== '' && { rrule }),
  metadata: metadata?.records.map(({ key, val }) => ({ key, val })) ?? [],
});
