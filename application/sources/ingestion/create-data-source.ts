import { dataSource, type Executor } from '../../../domain/data-source/index.ts';
import {
  ingestionSetting,
  type Parameters,
  type ParametersKind,
  secretOf,
} from '../../../domain/ingestion-setting/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, mustBeUnrestricted } from '../../access/caller.ts';
import {
  type Claimed,
  type IdempotentDeps,
  type Written,
  idempotently,
} from '../../event-sourcing/idempotent.ts';
import type { NamedDataSource } from '../../ports/data-source-view.ts';
import type { RowOverlay } from '../../ports/read-your-writes.ts';
import { dataSourceRowOf } from '../../read-models/data-source-row.ts';
import type { Scheduling } from '../schedules/scheduling.ts';
import { dataSourceStream, ingestionSettingStream } from '../../event-sourcing/streams.ts';
import { type Connector, connectorOf, type Connectors } from './connector.ts';
import { dataSourceNotFound } from './command-data-source.ts';
import type { SecretAttachments } from '../../access/secrets/attachments.ts';

export interface NewDataSource {
  readonly name: string;
  /** Absent: no schedule. */
  readonly rrule?: string;
  readonly metadata: readonly { readonly key: string; readonly val: string }[];
  readonly parameters: Parameters;
  /** The first job is not queued yet, because its files are still being uploaded. */
  readonly awaitsFiles?: boolean;
}

export interface CreateDataSourceDeps extends IdempotentDeps {
  readonly scheduling: Scheduling;
  readonly overlay: RowOverlay;
  readonly connectors: Connectors;
  readonly secretAttachments: SecretAttachments;
}

/**
 * Creates the ingestion setting, then the data source with its first job. The ids are fixed before either write: a
 * request repeated with its Idempotency-Key completes a creation that a crash interrupted, and gets the first answer
 * again. A setting without its data source is unreachable. A repeated request succeeds even if the parameters would be
 * refused by now.
 *
 * @throws DomainError for parameters that the connector refuses or that name no secret; invalid_rrule,
 * secret_not_found, idempotency_conflict, key_restricted
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
    const refusal = refusalOf(connectorOf(deps.connectors, kind), request.parameters);
    if (refusal !== null && idempotencyKey === undefined) throw refusal;
    const { parameters: _, ...about } = request;
    const body = { operation: operationOf(kind), key: idempotencyKey, body: { ...about, ...rest } };
    const run = async (claimed: Claimed) => {
      if (refusal !== null && !(await wasRegistered(deps, caller, claimed))) throw refusal;
      return registerDataSource(deps, caller, request, claimed);
    };
    return idempotently(deps, body, 3, caller.context, run);
  };
export type CreateDataSource = ReturnType<typeof createCreateDataSource>;

const refusalOf = (connector: Connector, parameters: Parameters): DomainError | null => {
  try {
    connector.check(parameters);
    mustNameSecret(connector, parameters);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
};

/** Whether the first request with the same key has registered the data source. */
const wasRegistered = async (
  { execute }: CreateDataSourceDeps,
  { tenant }: Caller,
  { ids: [id = ''], replayed }: Claimed,
): Promise<boolean> => {
  if (!replayed) return false;
  const found = await execute.load(dataSource, dataSourceStream(id), tenant);
  return found !== null && found.revision !== 'none';
};

/** Without the secret, every job would fail. @throws DomainError invalid_request */
export const mustNameSecret = (
  { needsSecret, secretTypes = [] }: Connector,
  parameters: Parameters,
): void => {
  if (needsSecret !== true || secretOf(parameters) !== null) return;
  const types = secretTypes.join(' or ');
  const what = 'secret_id is required: the provider returns nothing without a secret';
  throw new DomainError(
    'invalid_request',
    `${what}. Create one with POST /secrets, of type ${types}, and send its id here`,
  );
};

/** The operation name under which Idempotency-Keys are stored, such as `createLocalFileGroup`. It must never change. */
const operationOf = (kind: ParametersKind): string =>
  `create${kind
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`;

/** The caller runs the job, and reports under the job's own id. */
export const executorOf = ({ context: { actor } }: Caller): Executor => ({
  executor: `${actor.kind}:${actor.id}`,
  externalId: '',
});

/** Registers a data source under given ids. Idempotent. */
export const registerDataSource = async (
  deps: CreateDataSourceDeps,
  caller: Caller,
  { name, rrule, metadata, parameters, awaitsFiles = false }: NewDataSource,
  { ids, at }: Claimed,
): Promise<Written<NamedDataSource>> => {
  const { tenant, context } = caller;
  const [id, settingId, jobId] = ids as [string, string, string];
  const schedule = rrule === undefined ? null : await deps.scheduling.schedule(rrule, at);
  const connector = connectorOf(deps.connectors, parameters.kind);
  const secretId = secretOf(parameters);
  if (secretId !== null)
    await deps.secretAttachments.attach(context, secretId, id, connector.secretTypes ?? []);

  const setting = { type: 'create', dataSourceId: id, name, parameters, schedule, at } as const;
  const { position } = await deps.execute(
    ingestionSetting,
    ingestionSettingStream(settingId),
    setting,
    context,
  );
  // The two streams have separate views: no list may show the data source before it has the name.
  const mark = { id: settingId, tenant, revision: 0n, name };
  await deps.overlay.put('ingestion_setting', mark, position);

  const subject = connector.subjectOf(parameters);
  const registration = { subject, ingestionSettingId: settingId, metadata, ready: !awaitsFiles };
  const job = { jobId, trigger: 'create', mode: 'full', at } as const;
  const executor = connector.external === true && { executor: executorOf(caller) };
  const enqueue = { type: 'enqueue', registration, ...job, ...executor } as const;
  const done = await deps.execute(dataSource, dataSourceStream(id), enqueue, context);

  // Return the first answer again, whatever happened since: the record after registration and first job.
  const row = dataSourceRowOf(dataSource.decide(enqueue, dataSource.initial), id, tenant);
  if (row === null) throw dataSourceNotFound(subject.kind);
  return { record: { row, name, parameters }, position: done.position, changed: done.events.length > 0 };
};
