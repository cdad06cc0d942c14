import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Sql } from '../sql.ts';
import { type IndexState, isLive, OutdatedState } from './index-state.ts';

/** Characters of a piece: a few milliseconds to look through. */
const PIECE = 200_000;

/** Hands over the words of all segments, as `spelledLines` has them, piece by piece; other work gets a turn between two. */
export type ReadVocabularies = (trx: Sql, state: IndexState, look: (lines: string) => void) => Promise<void>;

/**
 * The words of a segment never change. Those last used are kept in memory, up to so many characters together; what does
 * not fit is read again, a segment at a time.
 */
export const createVocabularies = (capacity = 32 * 1024 ** 2): ReadVocabularies => {
  const kept = new Map<string, string>();
  let size = 0;
  const keep = (key: string, lines: string): void => {
    kept.set(key, lines);
    size += lines.length;
    for (const [oldest, { length }] of kept) {
      if (size <= capacity) break;
      kept.delete(oldest);
      size -= length;
    }
  };
  return async (trx, state, look) => {
    const { version, tenantNo, segments } = state;
    for (const { segment } of segments) {
      const key = `${version} ${tenantNo} ${segment}`;
      const known = kept.get(key);
      const lines = known ?? (await stored(trx, state, segment));
      if (known !== undefined) {
        kept.delete(key);
        size -= known.length;
      }
      keep(key, lines);
      for (const piece of piecesOf(lines)) {
        look(piece);
        if (piece.length >= PIECE) await nextTurn();
      }
    }
  };
};

const stored = async (trx: Sql, { version, tenantNo }: IndexState, segment: number): Promise<string> => {
  const { rows } = await sql<{ words: string }>`
    select words from read.lexical_vocabulary
    where tenant_no = ${tenantNo} and segment = ${segment} and ${isLive(version)}`.execute(trx);
  const [row] = rows;
  if (row === undefined) throw new OutdatedState();
  return row.words;
};

const piecesOf = function* (lines: string): Generator<string> {
  for (let start = 0; start < lines.length;) {
    const end = lines.indexOf('\n', start + PIECE);
    yield lines.slice(start, end < 0 ? lines.length : end);
    start = end < 0 ? lines.length : end + 1;
  }
};
