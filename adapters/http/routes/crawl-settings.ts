import type { IngestionSettingOperations } from '../../../application/ingestion-setting/operations.ts';
import { crawlSettingRecord, seconds } from '../records/crawl-record.ts';
import { ok } from '../answer.ts';
import { type AnyRoute, route } from '../route.ts';
import { CrawlSetting, Occurrences, CrawlSettingChange, OccurrencesQuery } from '../schemas/crawl-setting.ts';

const common = { tag: 'crawl settings', scope: 'ingestion:manage' } as const;
const READS = ['ingestion_setting', 'data_source'] as const;

export const crawlSettingRoutes = (settings: IngestionSettingOperations): readonly AnyRoute[] => [
  route({
    ...common,
    method: 'get',
    path: '/crawl-settings/{id}',
    operationId: 'getCrawlSetting',
    summary: 'Get the ingestion setting of a web crawl',
    description:
      'Name, schedule and parameters of the jobs of one web crawl; its id is on the record of the crawl.',
    reads: READS,
    answers: { 200: CrawlSetting },
    handler: async ({ caller, id }) => ok(crawlSettingRecord(await settings.get(caller, 'crawl', id))),
  }),
  route({
    ...common,
    method: 'put',
    path: '/crawl-settings/{id}',
    operationId: 'changeCrawlSetting',
    summary: 'Change name, schedule and parameters of a web crawl',
    description:
      'What is absent stays as it is. An `rrule` of null removes the schedule; an empty one is refused. Parameters are in force ' +
      'from the next job on, which reads pages afresh where they are judged in another way (`content_pattern`, ' +
      '`html_only`, `no_canonical_check`). The start URL cannot change: that is another crawl.',
    body: CrawlSettingChange,
    writes: true,
    answers: { 200: CrawlSetting },
    problems: ['invalid_rrule', 'pattern_invalid', 'not_configured'],
    handler: async ({ caller, id, body }) => {
      const { name, rrule, ...parameters } = body;
      const change = {
        ...(name !== undefined && { name }),
        ...(rrule !== undefined && { rrule }),
        ...(Object.keys(parameters).length > 0 && { parameters }),
      };
      const { record, position } = await settings.change(caller, 'crawl', id, change);
      return ok(crawlSettingRecord(record), position);
    },
  }),
  route({
    ...common,
    method: 'get',
    path: '/crawl-settings/{id}/occurrences',
    operationId: 'listCrawlOccurrences',
    summary: 'When the schedule of a web crawl fires next',
    description:
      'As the scheduler reckons them; empty without a schedule. One that comes while a job is at work is left out.',
    query: OccurrencesQuery,
    reads: READS,
    answers: { 200: Occurrences },
    handler: async ({ caller, id, query }) => {
      const instants = await settings.occurrences(caller, 'crawl', id, query.limit ?? 20);
      return ok({ occurrences: instants.map(seconds) });
    },
  }),
];
