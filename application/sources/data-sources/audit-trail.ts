import {
  type DataSourceEvent,
  type DataSourceKind,
  type StreamStatus,
  statusAfter,
} from '../../../domain/data-source/index.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { traceIdOf } from '../../../domain/trace-context.ts';
import { type Caller, sees } from '../../access/caller.ts';
import { decodeKnown, type EventCodec, readMetadata } from '../../event-sourcing/event-codec.ts';
import type { Actor } from '../../ports/event-metadata.ts';
import { decodeOrRefuse } from '../../event-sourcing/load.ts';
import type { Page } from '../../ports/page.ts';
import type { EventFeed, EventStore, Position, RecordedEvent } from '../../ports/event-store.ts';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import { dataSourceStream } from '../../event-sourcing/streams.ts';
import { dataSourceNotFound } from '../ingestion/command-data-source.ts';

/** An entry of the audit trail: the event, its actor, and its effect on the status. */
export interface AuditEntry {
  /** From 0, without gaps. */
  readonly revision: bigint;
  /** Position in the log. */
  readonly position: Position;
  readonly type: string;
  /** When the store accepted the event, in Unix milliseconds. */
  readonly recordedAt: number;
  readonly actor: Actor;
  readonly jobId: string | null;
  readonly attempt: number | null;
  readonly fromStatus: StreamStatus | null;
  readonly toStatus: StreamStatus;
  /** The data of the event, without its type. */
  readonly data: object;
  readonly traceId: string | null;
}

export interface AuditTrailDeps {
  readonly store: EventStore;
  readonly feed: EventFeed;
  readonly codec: EventCodec;
}

/** The audit trail of a data source: the events of its stream with the status changes. Available after deletion too. */
export const createAuditTrail = ({ store, feed, codec }: AuditTrailDeps) => {
  const load = async (
    caller: Caller,
    kind: DataSourceKind,
    id: string,
  ): Promise<readonly RecordedEvent[]> => {
    const recorded = sees(caller, id) ? await store.readStream(dataSourceStream(id)) : [];
    const [first] = recorded;
    if (first === undefined || readMetadata(first.metadata).tenant !== caller.tenant)
      throw dataSourceNotFound(kind);
    const event = decodeOrRefuse(codec, first);
    if (event.type !== 'DataSourceRegistered' || event.subject.kind !== kind) throw dataSourceNotFound(kind);
    return recorded;
  };

  return {
    /** Entries after revision `after`, in order of revision. @throws DomainError not_found, invalid_cursor */
    page: async (
      caller: Caller,
      kind: DataSourceKind,
      id: string,
      { limit, after }: { readonly limit: number; readonly after?: bigint },
    ): Promise<Page<AuditEntry>> => {
      const past = await load(caller, kind, id);
      mustContain(past, after);
      const toEntry = createEntryMapper(codec);
      const entries = past.map(toEntry);
      const rest = entries.slice(after === undefined ? 0 : Number(after) + 1);
      return { rows: rest.slice(0, limit), hasMore: rest.length > limit, total: entries.length };
    },

    /**
     * Yields entries after revision `after`, then new ones until `signal` aborts. Refusals are thrown before the first
     * entry.
     */
    follow: async (
      caller: Caller,
      kind: DataSourceKind,
      id: string,
      { after, signal }: { readonly after?: bigint; readonly signal: AbortSignal },
    ): Promise<AsyncIterable<AuditEntry>> => {
      const past = await load(caller, kind, id);
      mustContain(past, after);
      return followEntries(feed, createEntryMapper(codec), past, dataSourceStream(id), after ?? -1n, signal);
    },
  };
};
const mustContain = (past: readonly RecordedEvent[], after: bigint | undefined): void => {
  const last = past.at(-1)?.revision ?? -1n;
  if (after !== undefined && after > last) {
    throw new DomainError('invalid_cursor', `this audit trail has no event ${after}: the last is ${last}`);
  }
};

export type AuditTrail = ReturnType<typeof createAuditTrail>;

async function* followEntries(
  feed: EventFeed,
  toEntry: (recorded: RecordedEvent) => AuditEntry,
  past: readonly RecordedEvent[],
  stream: string,
  after: bigint,
  signal: AbortSignal,
): AsyncGenerator<AuditEntry> {
  for (const recorded of past) {
    const entry = toEntry(recorded);
    if (entry.revision > after) yield entry;
  }
  const position = past.at(-1)?.position ?? '';
  for await (const message of feed.follow(position, { stream }, { signal })) {
    if (message.kind !== 'events') continue;
    for (const recorded of message.events) {
      const entry = toEntry(recorded);
      if (entry.revision > after) yield entry;
    }
  }
}

/** Maps events to entries in order. Keeps the status and the attempt that result from the earlier events. */
const createEntryMapper = (codec: EventCodec): ((recorded: RecordedEvent) => AuditEntry) => {
  let status: StreamStatus | null = null;
  let job: { readonly id: string; readonly attempt: number } | null = null;
  return (recorded) => {
    const metadata = readMetadata(recorded.metadata);
    const { revision, position } = recorded;
    const event = decodeKnown(codec, recorded) as DataSourceEvent | null;
    const fromStatus = status;
    // An event of a newer version is returned as stored; this version cannot tell its effect on the status.
    const { type, ...facts } = event ?? { type: recorded.type, ...recorded.data };
    const toStatus = event === null ? 'unknown' : statusAfter(event, fromStatus);
    status = toStatus;
    if (event !== null && 'attempt' in event) job = { id: event.jobId, attempt: event.attempt };
    const jobId = event !== null && 'jobId' in event ? event.jobId : null;
    return {
      revision,
      position,
      type,
      recordedAt: recorded.recordedAt,
      actor: metadata.actor,
      jobId,
      attempt: jobId !== null && job?.id === jobId ? job.attempt : null,
      fromStatus,
      toStatus,
      data: snakeKeys(facts) as object,
      traceId: traceIdOf(metadata.traceparent),
    };
  };
};
