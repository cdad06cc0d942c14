import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import type { Position } from '../../../application/ports/event-store.ts';
import { PREPARED } from '../prepared-statements.ts';
import { moveCheckpoint, type Version } from './versions.ts';

/**
 * Batches checkpoint moves without rows: moves that are requested together, or soon after each other, share
 * one transaction.
 */
export interface CheckpointMoves {
  /**
   * Compare-and-set, like `moveCheckpoint`. No move fails or waits because of another.
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

/** Pause between two transactions, so that moves over many small pages are merged. */
const PAUSE_MS = 30;

/** Create one per process. */
export const createCheckpointMoves = (db: Sql): CheckpointMoves => {
  let queue: Move[] = [];
  let nextSendAt = 0;

  const moveAlone = ({ version, from, to, resolve, reject }: Move): void =>
    void moveCheckpoint(db, version, from, to).then(resolve, reject);

  const send = async (): Promise<void> => {
    const moves = queue;
    queue = [];
    nextSendAt = performance.now() + PAUSE_MS;
    const [first, ...others] = moves;
    if (first === undefined) return;
    if (others.length === 0) return moveAlone(first);
    try {
      const moved = await moveTogether(db, moves);
      for (const move of moves) {
        // The row is locked, or the race is lost: moving it alone tells which.
        if (moved.has(keyOf(move.version))) move.resolve();
        else moveAlone(move);
      }
    } catch (error) {
      for (const { reject } of moves) reject(error);
    }
  };

  const schedule = (run: () => void): void => {
    const ms = nextSendAt - performance.now();
    if (ms > 0) setTimeout(run, ms);
    // After all ready tasks have run, so that views which received the same page move together.
    else setImmediate(run);
  };

  return {
    move: (version, from, to) =>
      new Promise((resolve, reject) => {
        if (queue.length === 0) schedule(() => void send());
        queue.push({ version, from, to, resolve, reject });
      }),
  };
};

const keyOf = ({ view, version }: Pick<Version, 'view' | 'version'>): string => `${version} ${view}`;

/** Moves the checkpoints whose rows are not locked. Skips locked rows instead of waiting for them. */
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
