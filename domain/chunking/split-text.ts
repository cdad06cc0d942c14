import { GOES_ON, isTerm } from '../shared/words.ts';
import type { ChunkLimits, CountTokens } from './chunk.ts';
import { textAtoms, type TextAtom } from './text-atoms.ts';

/** One or several consecutive terms and their definition, up to the next term, as a range of atoms. */
type Definition = {
  readonly start: number;
  /** End of the terms. */
  readonly body: number;
  /** Tokens of terms and definition. */
  readonly tokens: number;
};

/** The definitions of a text by their first atom. */
type Definitions = {
  readonly startingAt: (atom: number) => Definition | undefined;
  /** The definition that contains an atom. */
  readonly around: (atom: number) => Definition | undefined;
};

function definitionsOf(text: string, atoms: readonly TextAtom[]): Definitions {
  const all = text.includes('¶') ? [...findDefinitions(text, atoms)] : [];
  const starting = new Map(all.map((one) => [one.start, one]));
  return {
    startingAt: (atom) => starting.get(atom),
    around: (atom) => {
      let [low, high] = [0, all.length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (all[middle]!.start <= atom) low = middle + 1;
        else high = middle;
      }
      return all[low - 1];
    },
  };
}

function* findDefinitions(text: string, atoms: readonly TextAtom[]): Generator<Definition> {
  let open = null as { start: number; body: number; tokens: number } | null;
  let paragraph = 0;
  for (let at = 0; at < atoms.length; at = paragraph) {
    paragraph = at + 1;
    while (paragraph < atoms.length && !text.startsWith('\n\n', atoms[paragraph]!.start)) paragraph += 1;
    const { start, paragraphTokens: tokens } = atoms[at]!;
    if (!isTerm(text.slice(start, atoms[paragraph - 1]!.end))) {
      if (open !== null) open.tokens += tokens;
    } else if (open?.body === at) [open.body, open.tokens] = [paragraph, open.tokens + tokens];
    else {
      if (open !== null) yield open;
      open = { start: at, body: paragraph, tokens };
    }
  }
  if (open !== null) yield open;
}

/**
 * A slice of a text. The consecutive pieces, each without its first `overlap` characters, make up the text, except for
 * whitespace between them.
 */
export type TextPiece = { readonly text: string; readonly tokens: number; readonly overlap: number };

/** Most sections are shorter and fit in one piece, so they need no sentence segmentation. */
const SHORT_CHARACTERS = 1_000;

/**
 * Splits normalised text into pieces of at most `maxTokens`, filled sentence by sentence. A piece that is at least
 * half full ends before a paragraph that would not fit, so that paragraphs stay whole where possible. The tokens of a
 * piece are the sum over its sentences; the whole text is never counted at once.
 */
export function splitText(text: string, count: CountTokens, limits: ChunkLimits): TextPiece[] {
  if (text === '') return [];
  const tokens = text.length <= SHORT_CHARACTERS ? count(text) : Infinity;
  if (tokens <= limits.maxTokens) return [{ text, tokens, overlap: 0 }];
  const atoms = textAtoms(text, count, Math.max(1, Math.floor(limits.maxTokens / 2)));
  const source = { text, atoms, count, limits, definitions: definitionsOf(text, atoms) };
  const pieces: TextPiece[] = [];
  let start = 0;
  let from = 0;
  while (start < atoms.length) {
    const terms = termsFor(source, start);
    if (terms !== null) from = Math.max(from, terms.body);
    let taken = fillPiece(source, from, start, terms);
    while (taken.end === start) taken = fillPiece(source, (from += 1), start, terms);
    const piece = pieceOf(source, { from, start, end: taken.end }, taken.tokens, terms);
    if (piece.text !== '') pieces.push(piece);
    from = overlapStart(source, from, taken.end);
    start = taken.end;
  }
  return pieces;
}

type Source = {
  readonly text: string;
  readonly atoms: readonly TextAtom[];
  readonly count: CountTokens;
  readonly limits: ChunkLimits;
  readonly definitions: Definitions;
};

/** The repeated terms at the start of a piece that continues a definition; null when they exceed the overlap limit. */
type Terms = { readonly body: number; readonly text: string; readonly tokens: number };

function termsFor({ text, atoms, count, limits, definitions }: Source, start: number): Terms | null {
  const around = definitions.around(start);
  if (around === undefined || around.body > start) return null;
  const own = text.slice(atoms[around.start]!.start, atoms[around.body]!.start).trim();
  const repeated = `${own}\n\n${GOES_ON}\n\n`;
  const tokens = count(repeated);
  if (tokens > limits.overlapTokens || 2 * tokens > limits.maxTokens - 1) return null;
  return { body: around.body, text: repeated, tokens };
}

/** Atoms [from, start) repeat the predecessor, [start, end) are new. */
type Span = { readonly from: number; readonly start: number; readonly end: number };

/** Fills a piece after the overlap [from, start). Adds nothing if the overlap leaves room only for an introduction. */
function fillPiece(
  source: Source,
  from: number,
  start: number,
  terms: Terms | null,
): { end: number; tokens: number } {
  const { atoms, definitions } = source;
  let tokens = (terms?.tokens ?? 0) + openingTokens(source, atoms[from]!);
  let end = from + 1;
  while (end < start) tokens += atoms[end++]!.tokens;
  while (
    end < atoms.length &&
    !breaks(definitions.startingAt(end), tokens, source.limits) &&
    accepts(atoms[end]!, tokens, source.limits)
  )
    tokens += atoms[end++]!.tokens;
  const keptEnd = beforeIntroduction(source, { from, start, end });
  for (; end > keptEnd; end -= 1) tokens -= atoms[end - 1]!.tokens;
  return { end, tokens };
}

/**
 * A piece must not end with an introduction of the next text: terms, headings, lines that end in a colon. These start
 * the next piece instead, unless the piece contains nothing else or they exceed the overlap limit. A piece that would
 * add nothing else to its overlap must repeat less.
 */
function beforeIntroduction({ text, atoms, limits }: Source, { from, start, end }: Span): number {
  let keptEnd = end;
  let tokens = 0;
  while (keptEnd > start && introduces(text, atoms[keptEnd - 1]!)) {
    keptEnd -= 1;
    tokens += atoms[keptEnd]!.tokens;
  }
  return keptEnd === from || tokens > limits.overlapTokens ? end : keptEnd;
}

const MAX_INTRODUCTION = 100;
const INTRODUCTION = /^\n\n(?=[^\n]*\p{L})[^\n]*[^\n.!?;,。！？．]$/u;

/** Whether this is a short paragraph of one line that does not end like a sentence and is followed by a paragraph. */
function introduces(text: string, { start, end }: TextAtom): boolean {
  if (end - start > MAX_INTRODUCTION || !text.startsWith('\n\n', end)) return false;
  return INTRODUCTION.test(text.slice(start, end));
}

/** Whether this definition would be cut although it could stay whole or start its own piece. */
function breaks(definition: Definition | undefined, tokens: number, limits: ChunkLimits): boolean {
  if (definition === undefined || tokens + definition.tokens <= limits.maxTokens) return false;
  return definition.tokens <= limits.maxTokens || tokens >= limits.minTokens;
}

function accepts(atom: TextAtom, tokens: number, limits: ChunkLimits): boolean {
  if (tokens + atom.tokens > limits.maxTokens) return false;
  const breaksParagraph = tokens + atom.paragraphTokens > limits.maxTokens;
  const couldStayWhole = atom.paragraphTokens <= limits.maxTokens;
  return !(breaksParagraph && couldStayWhole && tokens >= limits.maxTokens / 2);
}

/** Counts the first atom without its leading whitespace, which may change the number of tokens by one. */
function openingTokens(source: Source, atom: TextAtom): number {
  const slice = source.text.slice(atom.start, atom.end);
  const trimmed = slice.trimStart();
  return trimmed.length === slice.length ? atom.tokens : source.count(trimmed);
}

function pieceOf(source: Source, span: Span, tokens: number, terms: Terms | null): TextPiece {
  const { text, atoms } = source;
  const [begin, fresh] = [atoms[span.from]!.start, atoms[span.start]!.start];
  const slice = text.slice(begin, atoms[span.end - 1]!.end);
  const leading = slice.length - slice.trimStart().length;
  const overlap = Math.max(0, fresh - begin - leading);
  if (terms === null) return { text: slice.trim(), tokens, overlap };
  return { text: `${terms.text}${slice.trim()}`, tokens, overlap: terms.text.length + overlap };
}

/** The start of the overlap. A piece that starts with a definition repeats nothing of the previous definition. */
function overlapStart(source: Source, from: number, end: number): number {
  if (source.definitions.startingAt(end) !== undefined) return end;
  let start = end;
  let tokens = 0;
  while (start - 1 > from) {
    tokens += source.atoms[start - 1]!.tokens;
    if (tokens > source.limits.overlapTokens) break;
    start -= 1;
  }
  return start;
}
