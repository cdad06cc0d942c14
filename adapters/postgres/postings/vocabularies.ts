import { type SpelledWords, bytesOfWords, spelledWords } from '../../../domain/ranking/near-words.ts';
import type { Segment } from '../../../domain/ranking/postings.ts';
import { type CacheBudget, createSegmentCache } from '../../../domain/ranking/segment-cache.ts';
import { createSingleFlight } from '../batching.ts';
import type { Sql } from '../database-schema.ts';
import { type IndexState, OutdatedState, isLive, keyOf, retainState } from './index-state.ts';
import { sql } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Characters of a piece: a few milliseconds to make it ready, a tenth of one to look through it. */
const PIECE = 200_000;
/** Pieces that are looked through between two turns of the event loop. */
const AT_ONCE = 16;

/** Numbers from which on a segment is large: hardly ever is it merged again. */
const LARGE = 16_384;

/**
 * Hands over the words of all segments, piece by piece; those of large ones once, though most of them are in each. Other
 * work gets a turn now and then.
 */
export type ReadVocabularies = (
  trx: Sql,
  state: IndexState,
  look: (words: SpelledWords) => void,
) => Promise<void>;

/** Words that are made ready, and of which segments they are. */
interface ReadyWords {
  readonly of: readonly number[];
  readonly pieces: readonly SpelledWords[];
}

/**
 * The words of a segment never change. Those last used are kept in memory, made ready; what does not fit is read again. Those of large segments are kept as one list, for as long as all of them are there: a large
 * tenant has dozens, which have most words in common.
 */
export const createVocabularies = (budget: CacheBudget): ReadVocabularies => {
  const cache = createSegmentCache<ReadyWords>(budget, ({ pieces }) => bytesOf(pieces));
  const cached = (key: string): ReadyWords | undefined => cache.get(key, [WORDS]).get(WORDS);
  const share = createSingleFlight<ReadyWords>();
  /** Of everyone who wants it, one reads it and makes it ready. */
  const shared = async (trx: Sql, key: string, make: () => Promise<ReadyWords>): Promise<ReadyWords> => {
    if (trx.isTransaction) return make();
    const found = await share([key], async () => new Map([[key, await make()]]));
    return found.get(key) ?? NOTHING;
  };
  const ofLarge = async (trx: Sql, state: IndexState, large: readonly Segment[]): Promise<ReadyWords> => {
    const known = cached(keyOfLarge(state));
    const there = new Set(large.map(({ segment }) => segment));
    const before = known?.of.every((segment) => there.has(segment)) === true ? known : NOTHING;
    const lacking = large.filter(({ segment }) => !before.of.includes(segment));
    if (lacking.length === 0) return before;
    const seen = new Set(before.pieces.flatMap(({ lines }) => lines.split('\n')));
    const pieces = [...before.pieces];
    for (const { segment } of lacking)
      pieces.push(...(await made(await newLines(await stored(trx, state, segment), seen))));
    return { of: [...there], pieces };
  };
  const ofSmall = async (trx: Sql, state: IndexState, { segment }: Segment): Promise<ReadyWords> =>
    cached(keyOf(state, { segment })) ?? {
      of: [segment],
      pieces: await made(await stored(trx, state, segment)),
    };
  return async (trx, state, look) => {
    retainState(cache, state, keysOf);
    let looked = 0;
    const lookAt = async (key: string, words: ReadyWords): Promise<void> => {
      cache.add(key, WORDS, words);
      for (const piece of words.pieces) {
        look(piece);
        if ((looked += 1) % AT_ONCE === 0) await nextTurn();
      }
    };
    const [large = [], small = []] = [true, false].map((is) =>
      state.segments.filter((of) => isLarge(of) === is),
    );
    if (large.length > 0) {
      const key = `${keyOfLarge(state)} ${large.map(({ segment }) => segment).join()}`;
      await lookAt(keyOfLarge(state), await shared(trx, key, () => ofLarge(trx, state, large)));
    }
    for (const of of small) {
      const key = keyOf(state, of);
      await lookAt(key, await shared(trx, key, () => ofSmall(trx, state, of)));
    }
  };
};

const NOTHING: ReadyWords = { of: [], pieces: [] };

const WORDS = '';

const keyOfLarge = ({ version, tenantNo }: IndexState): string => `${version} ${tenantNo} large`;

const keysOf = (state: IndexState): readonly string[] => [
  keyOfLarge(state),
  ...state.segments.map((of) => keyOf(state, of)),
];

const isLarge = ({ firstNo, lastNo }: Segment): boolean => lastNo - firstNo >= LARGE;

const bytesOf = (pieces: readonly SpelledWords[]): number =>
  pieces.reduce((sum, piece) => sum + bytesOfWords(piece), 0);

/** Those that have not been seen; they are from now on. */
const newLines = async (lines: string, seen: Set<string>): Promise<string> => {
  const fresh: string[] = [];
  for (const piece of piecesOf(lines)) {
    for (const line of piece.split('\n')) {
      if (seen.has(line)) continue;
      seen.add(line);
      fresh.push(line);
    }
    if (piece.length >= PIECE) await nextTurn();
  }
  return fresh.join('\n');
};

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

/** Dictionaries that every Postgres ships, by language (BCP 47, its first part); their names end in `_stem`. */
const DICTIONARIES: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** English for what is not known, and for languages without one: names and English words stand in all of them. */
const USUAL = 'english';

/** The dictionary by which the words of a text become terms. */
export const dictionaryOf = (language: string): string => `${DICTIONARIES[primary(language)] ?? USUAL}_stem`;

/** The language by whose dictionary a text is indexed; empty for the usual one. */
export const stemmedLanguage = (language: string): string =>
  primary(language) in DICTIONARIES ? primary(language) : '';

const primary = (language: string): string => language.split('-')[0]?.toLowerCase() ?? '';
