import { dataSource, type Executor } from '../../domain/data-source/index.ts';
import {
  ingestionSetting,
  type Parameters,
  type ParametersKind,
  secretOf,
} from '../../domain/ingestion-setting/index.ts';
import { type Caller, mustBeUnrestricted } from '../caller.ts';
import { type Claimed, idempotently, type IdempotentDeps } from '../idempotent.ts';
import type { NamedDataSource } from '../ports/data-source-view.ts';
import type { RowMarks } from '../ports/row-marks.ts';
import { dataSourceRowOf } from '../read-models/data-source-row.ts';
import type { Scheduling } from '../schedule/scheduling.ts';
import { dataSourceStream, ingestionSettingStream } from '../streams.ts';
import type { Written } from '../written.ts';
import { connectorOf, type Connectors } from './connector.ts';
import { noSuch } from './command-data-source.ts';
import type { SecretUses } from '../secret/uses.ts';

export interface NewDataSource {
  readonly name: string;
  /** Absent: no schedule. */
  readonly rrule?: string;
  readonly metadata: readonly { readonly key: string; readonly val: string }[];
  readonly parameters: Parameters;
  /** Its first job is not queued yet: what it is to read is on its way. */
  readonly waits?: boolean;
}

export interface CreateDataSourceDeps extends IdempotentDeps {
  readonly scheduling: Scheduling;
  readonly marks: RowMarks;
  readonly connectors: Connectors;
  readonly uses: SecretUses;
}

/**
 * Creates the ingestion setting, then the data source with its first job. Ids are fixed before either is written: a
 * request repeated with its Idempotency-Key completes what a crash left half-done, and answers as the first did. A
 * setting whose data source was never written is reachable by nobody.
 *
 * @throws DomainError what the connector says of the parameters; invalid_rrule, secret_not_found, idempotency_conflict,
 * key_restricted
 */
export const createCreateDataSource =
  (deps: CreateDataSourceDeps) =>
  async (
    caller: Caller,
    request: NewDataSource,
    idempotencyKey: string | undefined,
  ): Promise<Written<NamedDataSource>> => {
    mustBeUnrestricted(caller, 'creating a data source');
    const { kind, ...rest } = request.parameters;
    connectorOf(deps.connectors, kind).check(request.parameters);
    const { parameters: _, ...about } = request;
    const body = { operation: operationOf(kind), key: idempotencyKey, body: { ...about, ...rest } };
    const run = (claimed: Claimed) => registerDataSource(deps, caller, request, claimed);
    return idempotently(deps, body, 3, caller.context, run);
  };
export type CreateDataSource = ReturnType<typeof createCreateDataSource>;

/** Under which keys of callers are kept: `createLocalFileGroup`. It must never change. */
const operationOf = (kind: ParametersKind): string =>
  `create${kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** Whoever has the key does the job, and reports under the job's own id. */
export const executorOf = (keyId: string): Executor => ({ executor: `api_key:${keyId}`, externalId: '' });

/** Under ids that were made before: done again, it changes nothing. */
export const registerDataSource = async (
  deps: CreateDataSourceDeps,
  { tenant, context, keyId }: Caller,
  { name, rrule, metadata, parameters, waits = false }: NewDataSource,
  { ids, at }: Claimed,
): Promise<Written<NamedDataSource>> => {
  const [id, settingId, jobId] = ids as [string, string, string];
  const schedule = rrule === undefined ? null : await deps.scheduling.schedule(rrule, at);
  const connector = connectorOf(deps.connectors, parameters.kind);
  const secretId = secretOf(parameters);
  if (secretId !== null) await deps.uses.attach(context, secretId, id, connector.secretTypes ?? []);

  const setting = { type: 'create', dataSourceId: id, name, parameters, schedule, at } as const;
  const { position } = await deps.execute(
    ingestionSetting,
    ingestionSettingStream(settingId),
    setting,
    context,
  );
  // The views of the two streams are apart: no list may show the data source before it knows the name.
  const mark = { id: settingId, tenant, revision: 0n, name };
  await deps.marks.put('ingestion_setting', mark, position);

  const subject = connector.subjectOf(parameters);
  const registration = { subject, ingestionSettingId: settingId, metadata, ready: !waits };
  const job = { jobId, trigger: 'create', mode: 'full', at } as const;
  const executor = connector.outside === true && { executor: executorOf(keyId) };
  const enqueue = { type: 'enqueue', registration, ...job, ...executor } as const;
  const done = await deps.execute(dataSource, dataSourceStream(id), enqueue, context);

  // The first answer again, whatever happened since: the record as of registration and first job.
  const row = dataSourceRowOf(dataSource.decide(enqueue, dataSource.initial), id, tenant);
  if (row === null) throw noSuch(subject.kind);
  return { record: { row, name, parameters }, position: done.position, changed: done.events.length > 0 };
};
