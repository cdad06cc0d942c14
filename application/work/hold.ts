import { dataSource, type DataSourceState } from '../../domain/data-source/index.ts';
import { decodeKnown, type EventCodec, readMetadata } from '../event-codec.ts';
import type { CommandContext, EventMetadata } from '../event-metadata.ts';
import type { Execute } from '../execute.ts';
import type { EventStore, RecordedEvent } from '../ports/event-store.ts';
import { dataSourceStream } from '../streams.ts';
import { JobLost, type StopReason } from './job.ts';
import type { KeepLeaseDeps, KeptLease } from './keep-lease.ts';

/** How often a running job looks whether it was told to stop: a cancel must reach it in under 2 s. */
export const LOOK_MS = 500;

export interface HoldDeps extends KeepLeaseDeps {
  readonly store: EventStore;
  readonly codec: EventCodec;
}

export interface Loaded {
  readonly state: DataSourceState;
  readonly revision: bigint;
  readonly metadata: EventMetadata;
}

/** The data source as its stream tells it now; null when there is no such stream. */
export const load = async (
  { execute }: { readonly execute: Pick<Execute, 'load'> },
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
 * Watches the data source's stream and the lease while `work` runs; aborts its signal with a StopReason when the job is
 * to stop. `epoch` is that of our claim; undefined for a purge, which no claim can take over.
 */
export const hold = async <T>(
  deps: HoldDeps,
  { lease, lost, hasRunOut }: KeptLease,
  from: { readonly revision: bigint; readonly epoch?: number },
  shutdown: AbortSignal,
  work: (signal: AbortSignal, stillOurs: () => void) => Promise<T>,
): Promise<T> => {
  const told = new AbortController();
  const stop = (reason: StopReason): void => told.abort(reason);
  const forget = [onAbort(lost, () => stop('lease_lost')), onAbort(shutdown, () => stop('shutdown'))];
  const stillOurs = (): void => {
    if (!hasRunOut()) return;
    stop('lease_lost');
    throw new JobLost('its lease has run out');
  };
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
    watching.stop();
    for (const each of forget) each();
  }
};

/** Calls it at once where the signal has aborted already. Answers how to take it back. */
const onAbort = (signal: AbortSignal, then: () => void): (() => void) => {
  if (signal.aborted) then();
  signal.addEventListener('abort', then, { once: true });
  return () => signal.removeEventListener('abort', then);
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
