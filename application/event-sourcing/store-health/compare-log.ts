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
  /** Asked with a place that this process has seen or written to; BEGINNING: none yet. */
  readonly look: (seen: Position) => Promise<LogProbeAnswer>;
  readonly known: KnownLog;
  /** Only to give a log its identity. */
  readonly store: EventStore;
  readonly ids: IdSource;
}

const LESS =
  'it does not hold what was read of it: it was lost, restored from an older backup, or is another one';
const OTHER = 'it has another identity than the one that this database was used with';
const EXCHANGED = 'it has another identity than the one that this process has worked with';

export interface CompareLog {
  /**
   * Asks a log whether it is the one that is known: by its identity, and by its end, which stays and never moves back. A
   * log without an identity is given one, where nothing speaks against it. While what is known cannot be read, what was
   * read of it last counts.
   *
   * @throws EventLogChanged when it is another one; what `look` throws when it cannot be asked
   */
  readonly compare: () => Promise<void>;
  /** This process has had an append acknowledged, whose last event lies there: it is to be found there ever after. */
  readonly appended: (position: Position) => void;
}

export const createCompareLog = ({ look, known, store, ids }: CompareLogDeps): CompareLog => {
  /** As far as this process has seen the log, and which. */
  let seen: { readonly end: Position; readonly identity: string | null } = { end: BEGINNING, identity: null };
  let acknowledged: Position = BEGINNING;
  let last: LogProbe | null = null;
  const identityOf = async (found: LogProbe): Promise<string> => {
    const identity = found.identity ?? (await giveIdentity(store, ids));
    await known.keep(identity);
    return identity;
  };
  const compare = async (): Promise<void> => {
    // Before the log: a checkpoint that moves meanwhile moves to a place that the end then has passed.
    last = await known.read().catch(() => last);
    const found = await look(acknowledged > seen.end ? acknowledged : seen.end);
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
 * Tells one log from every other: an event that the log was given once, in a stream of its own, by the first process that
 * found none. It belongs to no tenant.
 */
export const LOG_IDENTITY = 'eventLog-identity';

/** Gives a log that has none an identity. Answers the one that it then has: another process may have been faster. */
export const giveIdentity = async (store: EventStore, ids: IdSource): Promise<string> => {
  const identity = ids.newId();
  const event: NewEvent = {
    id: ids.newId(),
    type: 'EventLogIdentified',
    data: { identity },
    metadata: { actor: { kind: 'system', id: 'event log' }, schemaVersion: 1 },
  };
  try {
    await store.append(LOG_IDENTITY, 'none', [event]);
    return identity;
  } catch (error) {
    if (!(error instanceof ConcurrencyConflict)) throw error;
    const [given] = await store.readStream(LOG_IDENTITY, 0n, 1);
    if (given === undefined) throw error;
    return given.data['identity'] as string;
  }
};

/**
 * The store answers, and what it holds is not the log that was known: lost, restored from an older backup, or another
 * one. Nothing is written to it. Whoever waits for a store that is away waits for the right log too.
 */
export class EventLogChanged extends EventStoreUnavailable {}
