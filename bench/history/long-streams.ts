import { createIdSource } from '../../adapters/system/identity.ts';
import type { DomainEvent } from '../../application/domain-event.ts';
import { createEventCodec } from '../../application/event-codec.ts';
import type { EventStore, ExpectedRevision, NewEvent } from '../../application/ports/event-store.ts';
import {
  apiKeyStream,
  dataSourceStream,
  ingestionSettingStream,
  tagStream,
} from '../../application/streams.ts';
import { SCOPES } from '../../domain/api-key/index.ts';
import { NO_COUNTS } from '../../domain/data-source/index.ts';

/** A tenant each of whose streams is so long, with what its requests need. */
export interface Tenant {
  readonly id: string;
  readonly data_source_id: string;
  readonly setting_id: string;
}

const at = 1_763_650_000_000;
const ids = createIdSource();
const codec = createEventCodec();
const AT_ONCE = 1_000;

/** Writes streams of `length` events: tags and bindings that all live, keys, jobs that succeeded, new names. */
export const longStreams = async (store: EventStore, length: number): Promise<Tenant> => {
  const tenant = { id: ids.newId(), data_source_id: ids.newId(), setting_id: ids.newId() };
  const fill = (stream: string, events: Iterable<DomainEvent>) =>
    fillStream(store, tenant.id, stream, events, length);
  await fill(tagStream(tenant.id), tagsAndBindings());
  await fill(apiKeyStream(tenant.id), keys());
  await fill(dataSourceStream(tenant.data_source_id), jobs(tenant.setting_id));
  await fill(ingestionSettingStream(tenant.setting_id), names(tenant.data_source_id));
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
    const tag_id = ids.newId();
    yield { type: 'TagCreated', tag_id, name: `tag ${i}`, description: '', at };
    for (let n = 0; n < 9; n += 1) {
      yield { type: 'TagBound', binding_id: ids.newId(), tag_id, source_group_id: ids.newId(), at };
    }
  }
}

function* keys(): Generator<DomainEvent> {
  const limits = { source_group_ids: null, expires_at: null, requests_per_minute: null };
  for (let i = 0; ; i += 1) {
    const key_id = ids.newId();
    const key_hash = `${i}`.padStart(64, '0');
    yield { type: 'ApiKeyIssued', key_id, name: `key ${i}`, key_hash, scopes: [...SCOPES], ...limits, at };
    if (i % 2 === 1) yield { type: 'ApiKeyRevoked', key_id, at };
  }
}

/** Ends in a job that may be synced again wherever it is cut: the bench cancels first. */
function* jobs(ingestion_setting_id: string): Generator<DomainEvent> {
  const subject = { kind: 'crawl', start_url: 'https://docs.example.org/' } as const;
  const first = ids.newId();
  yield { type: 'DataSourceRegistered', subject, ingestion_setting_id, metadata: [], job_id: first, at };
  for (let generation = 1; ; generation += 1) {
    const job_id = generation === 1 ? first : ids.newId();
    const queued = { job_id, attempt: 1, trigger: 'sync', mode: 'incremental', generation, at } as const;
    yield { type: 'JobQueued', ...queued };
    yield { type: 'JobClaimed', job_id, worker_id: 'bench', epoch: generation, at };
    yield { type: 'JobStarted', job_id, attempt: 1, at };
    const ended = { counts: NO_COUNTS, generation, after_cancel_request: false };
    yield { type: 'JobSucceeded', job_id, ...ended, at };
  }
}

function* names(data_source_id: string): Generator<DomainEvent> {
  const parameters = {
    kind: 'crawl',
    start_url: 'https://docs.example.org/',
    max_depth: 3,
    max_num_files: 100,
    path_filters: [],
    content_pattern: [],
    html_only: false,
    use_browser: false,
    no_canonical_check: false,
    file_extensions: [],
  } as const;
  yield { type: 'IngestionSettingCreated', data_source_id, name: 'Docs', parameters, schedule: null, at };
  for (let i = 0; ; i += 1) yield { type: 'IngestionSettingRenamed', name: `Docs ${i}`, at };
}
