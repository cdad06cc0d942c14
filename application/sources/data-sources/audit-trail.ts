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

/** One line of the audit trail: what happened, who caused it, and what it did to the status. */
export interface AuditEntry {
  /** From 0, without gaps. */
  readonly revision: bigint;
  /** Where it stands in the log. */
  readonly position: Position;
  readonly type: string;
  /** When the store accepted it: Unix milliseconds. */
  readonly recordedAt: number;
  readonly actor: Actor;
  readonly jobId: string | null;
  readonly attempt: number | null;
  readonly fromStatus: StreamStatus | null;
  readonly toStatus: StreamStatus;
  /** The event's data as it was decided, without its type. */
  readonly data: object;
  readonly traceId: string | null;
}

export interface AuditTrailDeps {
  readonly store: EventStore;
  readonly feed: EventFeed;
  readonly codec: EventCodec;
}

/** The audit trail of one data source: its stream, told with the statuses. Works after deletion too. */
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
      mustHold(past, after);
      const narrate = narrator(codec);
      const entries = past.map(narrate);
      const rest = entries.slice(after === undefined ? 0 : Number(after) + 1);
      return { rows: rest.slice(0, limit), hasMore: rest.length > limit, total: entries.length };
    },

    /** Entries after revision `after`, then those to come, until `signal` aborts. Refusals come before the first entry. */
    follow: async (
      caller: Caller,
      kind: DataSourceKind,
      id: string,
      { after, signal }: { readonly after?: bigint; readonly signal: AbortSignal },
    ): Promise<AsyncIterable<AuditEntry>> => {
      const past = await load(caller, kind, id);
      mustHold(past, after);
      return followed(feed, narrator(codec), past, dataSourceStream(id), after ?? -1n, signal);
    },
  };
};
const mustHold = (past: readonly RecordedEvent[], after: bigint | undefined): void => {
  const last = past.at(-1)?.revision ?? -1n;
  if (after !== undefined && after > last) {
    throw new DomainError('invalid_cursor', `there is no event ${after} in this trail: the last is ${last}`);
  }
};

export type AuditTrail = ReturnType<typeof createAuditTrail>;

async function* followed(
  feed: EventFeed,
  narrate: (recorded: RecordedEvent) => AuditEntry,
  past: readonly RecordedEvent[],
  stream: string,
  after: bigint,
  signal: AbortSignal,
): AsyncGenerator<AuditEntry> {
  for (const recorded of past) {
    const entry = narrate(recorded);
    if (entry.revision > after) yield entry;
  }
  const position = past.at(-1)?.position ?? '';
  for await (const message of feed.follow(position, { stream }, { signal })) {
    if (message.kind !== 'events') continue;
    for (const recorded of message.events) {
      const entry = narrate(recorded);
      if (entry.revision > after) yield entry;
    }
  }
}

/** Tells events in order: it remembers the status and the attempt that the events before led to. */
const narrator = (codec: EventCodec): ((recorded: RecordedEvent) => AuditEntry) => {
  let status: StreamStatus | null = null;
  let job: { readonly id: string; readonly attempt: number } | null = null;
  return (recorded) => {
    const metadata = readMetadata(recorded.metadata);
    const { revision, position } = recorded;
    const event = decodeKnown(codec, recorded) as DataSourceEvent | null;
    const fromStatus = status;
    // An event of a newer version is told as it was stored; what it did to the status this version cannot say.
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
