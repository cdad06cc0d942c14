import {
  BEGINNING,
  ConcurrencyConflict,
  type EventStore,
  EventStoreUnavailable,
  type NewEvent,
  type Position,
} from '../../ports/event-store.ts';
import type { IdSource } from '../../ports/identity.ts';
import type { KnownLog, LogProbeAnswer, LogProbe } from '../../ports/read-gate.ts';

export interface CompareLogDeps {
  /** Probes the log at a position that this process has seen or written; BEGINNING: none yet. */
  readonly probe: (seen: Position) => Promise<LogProbeAnswer>;
  readonly known: KnownLog;
  /** Used only to assign an identity to a log. */
  readonly store: EventStore;
  readonly ids: IdSource;
}

const LESS =
  'events that were read from it are missing: it was lost, restored from an older backup, or replaced by another log';
const OTHER = 'its identity differs from that of the log which this database was used with';
const EXCHANGED = 'its identity differs from that of the log which this process has used';

export interface CompareLog {
  /**
   * Checks that the log is the known one: it must have the same identity, and its end never moves back. Assigns an
   * identity to a log without one, if the check passes. While the stored identity is unreadable, the last one read
   * counts.
   *
   * @throws EventLogChanged when it is another log; what the probe throws when it fails
   */
  readonly compare: () => Promise<void>;
  /** Records the position of the last event of an acknowledged append: the log must contain it from now on. */
  readonly appended: (position: Position) => void;
}

export const createCompareLog = ({ probe, known, store, ids }: CompareLogDeps): CompareLog => {
  /** The farthest end and the identity that this process has seen. */
  let seen: { readonly end: Position; readonly identity: string | null } = { end: BEGINNING, identity: null };
  let acknowledged: Position = BEGINNING;
  let last: LogProbe | null = null;
  const identityOf = async (found: LogProbe): Promise<string> => {
    const identity = found.identity ?? (await assignIdentity(store, ids));
    await known.keep(identity);
    return identity;
  };
  const compare = async (): Promise<void> => {
    // Read before the log: if a checkpoint advances meanwhile, the end of the log has already passed it.
    last = await known.read().catch(() => last);
    const found = await probe(acknowledged > seen.end ? acknowledged : seen.end);
    const farthest = last !== null && last.end > seen.end ? last.end : seen.end;
    if (found.end < farthest || !found.holds) throw new EventLogChanged(LESS);
    if (seen.identity !== null && found.identity !== seen.identity) throw new EventLogChanged(EXCHANGED);
    if (last === null) return;
    if (last.identity !== null && last.identity !== found.identity) throw new EventLogChanged(OTHER);
    seen = { end: found.end, identity: last.identity ?? (await identityOf(found)) };
  };
  return {
    compare,
    appended: (position) => {
      if (position > acknowledged) acknowledged = position;
    },
  };
};

/**
 * The stream with the identity of the log. The first process that finds the stream empty writes its only event. It
 * belongs to no tenant.
 */
export const LOG_IDENTITY_STREAM = 'eventLog-identity';

/**
 * Assigns an identity to a log without one. Returns the identity that the log then has, because another process may
 * have been faster.
 */
export const assignIdentity = async (store: EventStore, ids: IdSource): Promise<string> => {
  const identity = ids.newId();
  const event: NewEvent = {
    id: ids.newId(),
    type: 'EventLogIdentified',
    data: { identity },
    metadata: { actor: { kind: 'system', id: 'event log' }, schemaVersion: 1 },
  };
  try {
    await store.append(LOG_IDENTITY_STREAM, 'none', [event]);
    return identity;
  } catch (error) {
    if (!(error instanceof ConcurrencyConflict)) throw error;
    const [given] = await store.readStream(LOG_IDENTITY_STREAM, 0n, 1);
    if (given === undefined) throw error;
    return given.data['identity'] as string;
  }
};

/**
 * The store answers, but its log is not the known one: it was lost, restored from an older backup, or replaced. Nothing
 * is written to it. Whatever waits for an unavailable store also waits for the right log.
 */
export class EventLogChanged extends EventStoreUnavailable {}
