import type { Container } from 'inversify';
import { createCheckpointMoves } from '../../adapters/postgres/projections/checkpoint-moves.ts';
import { runProjector } from '../../adapters/postgres/projections/projector.ts';
import { sleep } from '../../adapters/system/timing.ts';
import type { Position } from '../../application/ports/event-store.ts';
import type { ReadGate } from '../../application/ports/read-gate.ts';
import { TOKENS as T } from '../tokens.ts';

/** How long a new key may take to work before it is shown all the same. */
const PATIENCE_MS = 10_000;

export interface TakeUpDeps {
  readonly gate: ReadGate;
  /** Projects the view of keys until the signal aborts, unless another process does. */
  readonly project: (signal: AbortSignal) => Promise<void>;
}

/**
 * Waits until a key that was just issued works on every process: all let requests in by the view of keys, and none
 * remembers that a key is unknown. Where no process projects, this one does meanwhile. Answers what to say beside the
 * key: nothing when it works.
 */
export const takeUp = async (
  { gate, project }: TakeUpDeps,
  position: Position,
  patienceMs = PATIENCE_MS,
): Promise<string> => {
  const over = new AbortController();
  const projecting = project(over.signal);
  try {
    const works = await gate.reached(['api_key'], position, patienceMs);
    return works ? '' : NOT_YET;
  } finally {
    over.abort();
    await projecting;
  }
};

const NOT_YET =
  '\nIt does not work yet: the view of keys stands still. It will as soon as a process with the role projector has ' +
  'taken it up; see /readyz and the log of that process.';

export const takeUpDeps = (container: Container): TakeUpDeps => {
  const projection = container.get(T.Projections).find(({ view }) => view === 'api_key')!;
  const { db, transact } = container.get(T.Database);
  const deps = {
    db,
    transact,
    moves: createCheckpointMoves(db),
    feed: container.get(T.EventFeed),
    codec: container.get(T.EventCodec),
    log: container.get(T.Logger),
    leadership: container.get(T.Leadership),
    sleep,
  };
  return { gate: container.get(T.ReadGate), project: (signal) => runProjector(deps, projection, signal) };
};
