import { dataSource, type DataSourceState } from '../../domain/data-source/index.ts';
import { decodeKnown, type EventCodec, readMetadata } from '../event-codec.ts';
import type { CommandContext, EventMetadata } from '../event-metadata.ts';
import type { Execute } from '../execute.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import type { Clock } from '../ports/identity.ts';
import type { Lease, WorkLeases } from '../ports/work-leases.ts';
import { dataSourceStream } from '../streams.ts';
import { JobLost, type StopReason } from './job.ts';

/** A lease is renewed this often in its length. */
const RENEWALS = 3;
/** The part of its lease that a worker does not use which could not renew it: it stops before. */
const MARGIN = 1 / 12;
/** How often a running job looks whether it was told to stop: a cancel must reach it in under 2 s. */
export const LOOK_MS = 500;

export interface HoldDeps {
  readonly leases: WorkLeases;
  readonly store: EventStore;
  readonly codec: EventCodec;
  readonly clock: Clock;
  readonly every: (ms: number, run: () => Promise<void>) => { readonly stop: () => void };
  readonly owner: string;
  /** How long the work of a process that died stays its own, in milliseconds. */
  readonly leaseMs: number;
}

export interface Loaded {
  readonly state: DataSourceState;
  readonly revision: bigint;
  readonly metadata: EventMetadata;
}

/** The data source as its stream tells it now; null when there is no such stream. */
export const load = async (
  { execute }: { readonly execute: Execute },
  data_source_id: string,
): Promise<Loaded | null> => {
  const found = await execute.load(dataSource, dataSourceStream(data_source_id), undefined);
  if (found === null || found.last === null) return null;
  const { state, revision, last } = found;
  return { state, revision, metadata: { ...readMetadata(last.metadata), causationId: last.id } };
};

/** What a worker's events are stored with: the trace and correlation of the event that caused the work. */
export const workerContext = ({ metadata }: Loaded, owner: string, traceparent?: string): CommandContext => ({
  tenant: metadata.tenant,
  actor: { kind: 'worker', id: owner },
  correlationId: metadata.correlationId,
  causationId: metadata.causationId,
  ...((traceparent ?? metadata.traceparent) !== undefined && {
    traceparent: traceparent ?? metadata.traceparent ?? '',
  }),
  ...(metadata.tracestate !== undefined && { tracestate: metadata.tracestate }),
});

/**
 * Keeps a lease alive and watches the data source's stream while `work` runs; aborts its signal with a StopReason
 * when the job is to stop. `epoch` is that of our claim; undefined for a purge, which no claim can take over.
 */
export const hold = async <T>(
  deps: HoldDeps,
  lease: Lease,
  from: { readonly revision: bigint; readonly epoch?: number },
  shutdown: AbortSignal,
  work: (signal: AbortSignal, stillOurs: () => void) => Promise<T>,
): Promise<T> => {
  const told = new AbortController();
  const stop = (reason: StopReason): void => told.abort(reason);
  const onShutdown = (): void => stop('shutdown');
  if (shutdown.aborted) onShutdown();
  shutdown.addEventListener('abort', onShutdown, { once: true });
  let renewedAt = deps.clock.now();
  /** A lease that could not be renewed in time is nobody's: another worker may take it any moment. */
  const hasRunOut = (): boolean => deps.clock.now() - renewedAt > deps.leaseMs * (1 - MARGIN);
  const stillOurs = (): void => {
    if (!hasRunOut()) return;
    stop('lease_lost');
    throw new JobLost('its lease has run out');
  };
  const renewing = deps.every(deps.leaseMs / RENEWALS, async () => {
    const at = deps.clock.now();
    if (await deps.leases.renew(deps.owner, lease, deps.leaseMs)) renewedAt = at;
    else stop('lease_lost');
  });
  let seen = from.revision;
  const watching = deps.every(LOOK_MS, async () => {
    if (hasRunOut()) stop('lease_lost');
    const news = await deps.store.readStream(dataSourceStream(lease.data_source_id), seen + 1n);
    seen = news.at(-1)?.revision ?? seen;
    const reason = from.epoch === undefined ? undefined : stopReason(deps.codec, news, from.epoch);
    if (reason !== undefined) stop(reason);
  });
  try {
    return await work(told.signal, stillOurs);
  } finally {
    renewing.stop();
    watching.stop();
    shutdown.removeEventListener('abort', onShutdown);
  }
};

const stopReason = (
  codec: EventCodec,
  news: readonly RecordedEvent[],
  epoch: number,
): StopReason | undefined => {
  for (const recorded of news) {
    // An event of a newer version of the program tells us nothing.
    const event = decodeKnown(codec, recorded);
    if (event === null) continue;
    if (event.type === 'JobCancelRequested') return 'canceled';
    if (event.type === 'DataSourceDeletionRequested') return 'deleted';
    if (event.type === 'JobClaimed' && event.epoch !== epoch) return 'fenced';
    if (ENDS_THE_CLAIM.has(event.type)) return 'fenced';
  }
  return undefined;
};

/** What only somebody else can have written while we work. */
const ENDS_THE_CLAIM: ReadonlySet<string> = new Set([
  'JobRequeued',
  'JobFailed',
  'JobCanceled',
  'JobHandedOff',
  'JobStatusLost',
]);
