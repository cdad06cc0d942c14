import { createIdSource } from '../../adapters/system/identity.ts';
import type { DomainEvent } from '../../application/event-sourcing/aggregates.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { EventStore, ExpectedRevision, NewEvent } from '../../application/ports/event-store.ts';
import {
  apiKeyStream,
  dataSourceStream,
  ingestionSettingStream,
  tagStream,
} from '../../application/event-sourcing/streams.ts';
import { SCOPES } from '../../domain/api-key/decider.ts';
import { NO_COUNTS } from '../../domain/data-source/index.ts';
import { crawlParameters } from '../../tests/support/crawl-parameters.ts';

/** A tenant each of whose streams is so long, with what its requests need. */
export interface Tenant {
  readonly id: string;
  readonly dataSourceId: string;
  readonly settingId: string;
}

const at = 1_763_650_000_000;
const ids = createIdSource();
const codec = createEventCodec();
const AT_ONCE = 1_000;

/** Writes streams of `length` events: tags and bindings that all live, keys, jobs that succeeded, new names. */
export const longStreams = async (store: EventStore, length: number): Promise<Tenant> => {
  const tenant = { id: ids.newId(), dataSourceId: ids.newId(), settingId: ids.newId() };
  const fill = (stream: string, events: Iterable<DomainEvent>) =>
    fillStream(store, tenant.id, stream, events, length);
  await fill(tagStream(tenant.id), tagsAndBindings());
  await fill(apiKeyStream(tenant.id), keys());
  await fill(dataSourceStream(tenant.dataSourceId), jobs(tenant.settingId));
  await fill(ingestionSettingStream(tenant.settingId), names(tenant.dataSourceId));
  return tenant;
};

const fillStream = async (
  store: EventStore,
  tenant: string,
  stream: string,
  events: Iterable<DomainEvent>,
  length: number,
): Promise<void> => {
  const actor = { kind: 'system', id: 'bench' } as const;
  const context = { tenant, actor, correlationId: 'bench', causationId: 'bench' };
  let revision: ExpectedRevision = 'none';
  let batch: NewEvent[] = [];
  let left = length;
  for (const event of events) {
    batch.push(codec.encode(event, ids.newId(), context));
    left -= 1;
    if (batch.length < AT_ONCE && left > 0) continue;
    ({ revision } = await store.append(stream, revision, batch as [NewEvent, ...NewEvent[]]));
    batch = [];
    if (left === 0) return;
  }
};

/** One tag for every nine bindings. */
function* tagsAndBindings(): Generator<DomainEvent> {
  for (let i = 0; ; i += 1) {
    const tagId = ids.newId();
    yield { type: 'TagCreated', tagId, name: `tag ${i}`, description: '', at };
    for (let n = 0; n < 9; n += 1) {
      yield { type: 'TagBound', bindingId: ids.newId(), tagId, sourceGroupId: ids.newId(), at };
    }
  }
}

function* keys(): Generator<DomainEvent> {
  const limits = { sourceGroupIds: null, expiresAt: null, requestsPerMinute: null };
  for (let i = 0; ; i += 1) {
    const keyId = ids.newId();
    const keyHash = `${i}`.padStart(64, '0');
    yield { type: 'ApiKeyIssued', keyId, name: `key ${i}`, keyHash, scopes: [...SCOPES], ...limits, at };
    if (i % 2 === 1) yield { type: 'ApiKeyRevoked', keyId, at };
  }
}

/** Ends in a job that may be synced again wherever it is cut: the bench cancels first. */
function* jobs(ingestionSettingId: string): Generator<DomainEvent> {
  const subject = { kind: 'crawl', startUrl: 'https://docs.example.org/' } as const;
  const first = ids.newId();
  yield { type: 'DataSourceRegistered', subject, ingestionSettingId, metadata: [], jobId: first, at };
  for (let generation = 1; ; generation += 1) {
    const jobId = generation === 1 ? first : ids.newId();
    const queued = { jobId, attempt: 1, trigger: 'sync', mode: 'incremental', generation, at } as const;
    yield { type: 'JobQueued', ...queued };
    yield { type: 'JobClaimed', jobId, workerId: 'bench', epoch: generation, at };
    yield { type: 'JobStarted', jobId, attempt: 1, at };
    const ended = { counts: NO_COUNTS, generation, afterCancelRequest: false };
    yield { type: 'JobSucceeded', jobId, ...ended, at };
  }
}

function* names(dataSourceId: string): Generator<DomainEvent> {
  const parameters = crawlParameters();
  yield { type: 'IngestionSettingCreated', dataSourceId, name: 'Docs', parameters, schedule: null, at };
  for (let i = 0; ; i += 1) yield { type: 'IngestionSettingRenamed', name: `Docs ${i}`, at };
}
