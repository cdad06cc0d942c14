import { createIdSource, sha256 } from '../../adapters/system/identity.ts';
import { createDataSourceOperations } from '../../application/sources/ingestion/operations.ts';
import { createApiKeyOperations } from '../../application/access/api-keys/operations.ts';
import type { Caller } from '../../application/access/caller.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import { createExecute, type Execute } from '../../application/event-sourcing/execute.ts';
import { createIngestionSettingOperations } from '../../application/sources/ingestion/setting-operations.ts';
import type { EventStore } from '../../application/ports/event-store.ts';
import { dataSourceStream } from '../../application/event-sourcing/streams.ts';
import { createTagBindingOperations } from '../../application/sources/tags/binding-operations.ts';
import { createTagOperations } from '../../application/sources/tags/operations.ts';
import { SCOPES } from '../../domain/api-key/decider.ts';
import { dataSource, type DataSourceCommand } from '../../domain/data-source/index.ts';
import type { Tenant } from './long-streams.ts';

export const STEPS = ['tag', 'binding', 'key', 'setting', 'sync', 'claim', 'cancel'] as const;
export type Step = (typeof STEPS)[number];

/** The write side of a process, for one tenant. */
export interface Process {
  readonly writes: { readonly [step in Step]: () => Promise<unknown> };
  /** Brings about what the step needs, unmeasured and by another process. */
  readonly prepare: (step: Step) => Promise<void>;
}

const ids = createIdSource();
const clock = { now: () => Date.now() };
const codec = createEventCodec();
/** What these writes never ask. */
const unasked = undefined as never;

export const startProcess = (store: EventStore, tenant: Tenant): Process => {
  const execute = createExecute({ store, codec, ids });
  const other = createExecute({ store, codec, ids });
  const deps = { execute, store, codec, ids, clock, hash: sha256, view: unasked };
  const caller = callerOf(tenant);
  const tags = createTagOperations(deps);
  const bindings = createTagBindingOperations(deps);
  const keys = createApiKeyOperations({
    ...deps,
    overlay: { open: async () => {}, close: async () => {} },
    clearCache: () => {},
    secrets: { newApiKey: () => `kn_${ids.newId()}` },
  });
  const settings = createIngestionSettingOperations({
    ...deps,
    scheduling: unasked,
    connectors: unasked,
    secretAttachments: unasked,
  });
  const sources = createDataSourceOperations({
    ...deps,
    tombstones: unasked,
    connectors: unasked,
    secretAttachments: unasked,
  });
  const { dataSourceId: id } = tenant;
  const key = { scopes: ['knowledge:read'], sourceGroupIds: null, expiresAt: null } as const;
  let tagId = '';
  const writes = {
    tag: () => tags.create(caller, { name: ids.newId(), description: '' }, undefined),
    binding: () => bindings.bind(caller, { tagId, sourceGroupId: id }, undefined),
    key: () => keys.issue(caller, { name: 'a key', ...key, requestsPerMinute: null }, undefined),
    setting: () => settings.change(caller, 'crawl', tenant.settingId, { name: ids.newId() }),
    sync: () => sources.sync(caller, 'crawl', id, 'incremental'),
    claim: () => send(execute, tenant, { type: 'claim', workerId: 'bench', at: clock.now() }),
    cancel: () => sources.cancel(caller, 'crawl', id),
  };
  const prepare = async (step: Step): Promise<void> => {
    if (step === 'binding') {
      const before = createTagOperations({ ...deps, execute: other });
      tagId = (await before.create(caller, { name: ids.newId(), description: '' }, undefined)).record.id;
    }
    if (step === 'sync') await bringTo(other, tenant, 'ended');
    if (step === 'claim') await bringTo(other, tenant, 'queued');
    if (step === 'cancel') await bringTo(other, tenant, 'claimed');
  };
  return { writes, prepare };
};

const callerOf = ({ id: tenant }: Tenant): Caller => ({
  keyId: 'bench',
  tenant,
  grant: { scopes: SCOPES, sourceGroupIds: null },
  context: { tenant, actor: { kind: 'api_key', id: 'bench' }, correlationId: 'bench', causationId: 'bench' },
});

const send = (execute: Execute, tenant: Tenant, command: DataSourceCommand) =>
  execute(dataSource, dataSourceStream(tenant.dataSourceId), command, callerOf(tenant).context);

/** Ends the job that there is, and leaves the next one where it is wanted. */
const bringTo = async (
  execute: Execute,
  tenant: Tenant,
  wanted: 'ended' | 'queued' | 'claimed',
): Promise<void> => {
  const at = clock.now();
  const { state } = await send(execute, tenant, { type: 'cancel', at });
  if (state.status === 'canceling') {
    const { epoch, job } = state;
    await send(execute, tenant, { type: 'cancel_done', by: 'worker', jobId: job.jobId, epoch, at });
  }
  if (wanted === 'ended') return;
  const job = { jobId: ids.newId(), trigger: 'sync', mode: 'incremental' } as const;
  await send(execute, tenant, { type: 'enqueue', ...job, at });
  if (wanted === 'claimed') await send(execute, tenant, { type: 'claim', workerId: 'bench', at });
};
