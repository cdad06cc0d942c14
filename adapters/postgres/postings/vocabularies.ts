import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { bytesOfWords, type SpelledWords, spelledWords } from '../../../domain/ranking/near-words.ts';
import type { Sql } from '../sql.ts';
import { type IndexState, isLive, OutdatedState } from './index-state.ts';

/** Characters of a piece: a few milliseconds to make it ready, a tenth of one to look through it. */
const PIECE = 200_000;
/** Pieces that are looked through between two turns of the event loop. */
const AT_ONCE = 16;

/** Hands over the words of all segments, piece by piece; other work gets a turn now and then. */
export type ReadVocabularies = (
  trx: Sql,
  state: IndexState,
  look: (words: SpelledWords) => void,
) => Promise<void>;

/**
 * The words of a segment never change. Those last used are kept in memory, made ready, up to so many bytes together; what
 * does not fit is read again, a segment at a time.
 */
export const createVocabularies = (capacity = 64 * 1024 ** 2): ReadVocabularies => {
  const kept = new Map<string, readonly SpelledWords[]>();
  let size = 0;
  const forget = (key: string): void => {
    size -= bytesOf(kept.get(key) ?? []);
    kept.delete(key);
  };
  const keep = (key: string, pieces: readonly SpelledWords[]): void => {
    forget(key);
    kept.set(key, pieces);
    size += bytesOf(pieces);
    for (const oldest of kept.keys()) {
      if (size <= capacity) break;
      forget(oldest);
    }
  };
  return async (trx, state, look) => {
    const { version, tenantNo, segments } = state;
    let looked = 0;
    for (const { segment } of segments) {
      const key = `${version} ${tenantNo} ${segment}`;
      const pieces = kept.get(key) ?? (await made(await stored(trx, state, segment)));
      keep(key, pieces);
      for (const piece of pieces) {
        look(piece);
        if ((looked += 1) % AT_ONCE === 0) await nextTurn();
      }
    }
  };
};

const bytesOf = (pieces: readonly SpelledWords[]): number =>
  pieces.reduce((sum, piece) => sum + bytesOfWords(piece), 0);

const made = async (lines: string): Promise<readonly SpelledWords[]> => {
  const pieces: SpelledWords[] = [];
  for (const piece of piecesOf(lines)) {
    pieces.push(spelledWords(piece));
    if (piece.length >= PIECE) await nextTurn();
  }
  return pieces;
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
