import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { Position } from '../../../application/ports/event-store.ts';
import { PREPARED } from '../prepared-statements.ts';
import { moveCheckpoint, type Version } from './versions.ts';

/**
 * Moves of checkpoints without rows, gathered: those that are asked for at the same time are one transaction, and so are
 * those that come soon after.
 */
export interface CheckpointMoves {
  /**
   * By compare-and-set, as `moveCheckpoint`. None fails or waits because of another.
   *
   * @throws LostRace
   */
  readonly move: (version: Version, from: Position, to: Position) => Promise<void>;
}

interface Move {
  readonly version: Version;
  readonly from: Position;
  readonly to: Position;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** From one transaction to the next, so that moves over many small pages become one. */
const PAUSE_MS = 30;

/** One per process. */
export const createCheckpointMoves = (db: Sql): CheckpointMoves => {
  let waiting: Move[] = [];
  let mayGoAt = 0;

  const alone = ({ version, from, to, resolve, reject }: Move): void =>
    void moveCheckpoint(db, version, from, to).then(resolve, reject);

  const send = async (): Promise<void> => {
    const moves = waiting;
    waiting = [];
    mayGoAt = performance.now() + PAUSE_MS;
    const [first, ...others] = moves;
    if (first === undefined) return;
    if (others.length === 0) return alone(first);
    try {
      const moved = await moveTogether(db, moves);
      for (const move of moves) {
        // Held by somebody, or lost: what it is comes out where it is moved alone.
        if (moved.has(keyOf(move.version))) move.resolve();
        else alone(move);
      }
    } catch (error) {
      for (const { reject } of moves) reject(error);
    }
  };

  const soon = (run: () => void): void => {
    const ms = mayGoAt - performance.now();
    if (ms > 0) setTimeout(run, ms);
    // After everything that is ready to run has run: those who are given one page move together.
    else setImmediate(run);
  };

  return {
    move: (version, from, to) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) soon(() => void send());
        waiting.push({ version, from, to, resolve, reject });
      }),
  };
};

const keyOf = ({ view, version }: Pick<Version, 'view' | 'version'>): string => `${version} ${view}`;

/** Those that could be moved at once. A row that somebody holds is passed over, so that nobody is waited for. */
const moveTogether = async (db: Sql, moves: readonly Move[]): Promise<ReadonlySet<string>> => {
  const wanted = moves.map(({ version: { view, version, live }, from, to }) => ({
    view,
    version,
    live,
    from,
    to,
  }));
  const { rows } = await sql<Pick<Version, 'view' | 'version'>>`
    with wanted as (
      select * from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        as w(view text, version integer, live boolean, "from" text, "to" text)),
    free as (
      select p.view, p.version, w."to" from projection_version p join wanted w using (view, version, live)
      where p.position = w."from" for no key update of p skip locked)
    update projection_version p
    set position = free."to", moved_at = ${new Date()}, halted_at_position = null,
      halted_because = null
    from free where p.view = free.view and p.version = free.version
    returning p.view, p.version ${PREPARED}`.execute(db);
  return new Set(rows.map(keyOf));
};
