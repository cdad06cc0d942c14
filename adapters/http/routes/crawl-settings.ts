import type { IngestionSettingOperations } from '../../../application/ingestion-setting/operations.ts';
import { crawlSettingRecord, seconds } from '../records/crawl-record.ts';
import { ok } from '../answer.ts';
import { type AnyRoute, route } from '../route.ts';
import { CrawlSetting, Occurrences, OccurrencesQuery, SettingChange } from '../schemas/crawl.ts';

const common = { tag: 'crawl settings', scope: 'ingestion:manage' } as const;
const READS = ['ingestion_setting', 'data_source'] as const;

export const crawlSettingRoutes = (settings: IngestionSettingOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'get',
    path: '/crawl-settings/{id}',
    operationId: 'getCrawlSetting',
    summary: 'Get the ingestion setting of a web crawl',
    reads: READS,
    answers: { 200: CrawlSetting },
    handler: async ({ caller, id }) => ok(crawlSettingRecord(await settings.get(caller, 'crawl', id))),
  }),
  route({
    ...common,
    method: 'put',
    path: '/crawl-settings/{id}',
    operationId: 'changeCrawlSetting',
    summary: 'Change name and schedule of a web crawl',
    description: 'What is absent stays as it is; an `rrule` of null or an empty text removes the schedule.',
    body: SettingChange,
    writes: true,
    answers: { 200: CrawlSetting },
    problems: ['invalid_rrule'],
    handler: async ({ caller, id, body }) => {
      const { record, position } = await settings.change(caller, 'crawl', id, body);
      return ok(crawlSettingRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/crawl-settings/{id}/occurrences',
    operationId: 'listCrawlOccurrences',
    summary: 'When the schedule of a web crawl fires next',
    query: OccurrencesQuery,
    reads: READS,
    answers: { 200: Occurrences },
    handler: async ({ caller, id, query }) => {
      const instants = await settings.occurrences(caller, 'crawl', id, query.limit ?? 20);
      return ok({ occurrences: instants.map(seconds) });
    },
  }),
];
