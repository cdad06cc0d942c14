import { dataSource } from '../../domain/data-source/index.ts';
import { type CrawlParameters, ingestionSetting } from '../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../caller.ts';
import { type Claimed, idempotently, type IdempotentDeps } from '../idempotent.ts';
import type { NamedDataSource } from '../ports/data-source-view.ts';
import type { RowMarks } from '../ports/row-marks.ts';
import type { Scheduling } from '../schedule/scheduling.ts';
import { dataSourceRowOf } from '../read-models/data-source-row.ts';
import { dataSourceStream, ingestionSettingStream } from '../streams.ts';
import type { Written } from './operations.ts';

export interface CrawlRequest extends Omit<CrawlParameters, 'kind'> {
  readonly name: string;
  readonly rrule?: string;
  readonly metadata: readonly { readonly key: string; readonly val: string }[];
}

export interface CreateCrawlDeps extends IdempotentDeps {
  readonly scheduling: Scheduling;
  readonly marks: RowMarks;
  /** Throws DomainError when the parameters cannot work: patterns, URL, what is not configured. */
  readonly checkParameters: (parameters: CrawlParameters) => void;
}

/**
 * Creates the ingestion setting, then the data source with its first job. Ids are fixed before either is written: a
 * request repeated with its Idempotency-Key completes what a crash left half-done, and answers as the first did. A
 * setting whose data source was never written is reachable by nobody.
 */
export const createCrawlOperation =
  (deps: CreateCrawlDeps) =>
  async (
    caller: Caller,
    request: CrawlRequest,
    idempotencyKey: string | undefined,
  ): Promise<Written<NamedDataSource>> => {
    mustBeUnrestricted(caller, 'creating a data source');
    const { name: _, rrule: __, metadata: ___, ...rest } = request;
    const parameters: CrawlParameters = { kind: 'crawl', ...rest };
    deps.checkParameters(parameters);
    const body = { operation: 'createCrawl', key: idempotencyKey, body: request };
    const run = (claimed: Claimed) => create(deps, caller, request, parameters, claimed);
    return idempotently(deps, body, 3, caller.context, run);
  };
export type CreateCrawl = ReturnType<typeof createCrawlOperation>;

const create = async (
  deps: CreateCrawlDeps,
  { tenant, context }: Caller,
  { name, rrule, metadata }: CrawlRequest,
  parameters: CrawlParameters,
  { ids, at }: Claimed,
): Promise<Written<NamedDataSource>> => {
  const [id, settingId, job_id] = ids as [string, string, string];
  const schedule = rrule === undefined ? null : await deps.scheduling.schedule(rrule, at);

  const setting = { type: 'create', data_source_id: id, name, parameters, schedule, at } as const;
  const { position } = await deps.execute(
    ingestionSetting,
    ingestionSettingStream(settingId),
    setting,
    context,
  );
  // The views of the two streams are apart: no list may show the data source before it knows the name.
  const told = { id: settingId, tenant, revision: 0n, name };
  await deps.marks.put('ingestion_setting', told, position);

  const subject = { kind: 'crawl', start_url: parameters.start_url } as const;
  const registration = { subject, ingestion_setting_id: settingId, metadata, ready: true };
  const enqueue = { type: 'enqueue', registration, job_id, trigger: 'create', mode: 'full', at } as const;
  const done = await deps.execute(dataSource, dataSourceStream(id), enqueue, context);

  // The first answer again, whatever happened since: the record as of registration and first job.
  const row = dataSourceRowOf(dataSource.decide(enqueue, dataSource.initial), id, tenant);
  if (row === null) throw new DomainError('not_found', 'there is no such crawl');
  return { record: { row, name }, position: done.position, changed: done.events.length > 0 };
};
