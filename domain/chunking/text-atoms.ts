import type { CountTokens } from './chunk.ts';

/** A range of text that is never cut by packing: usually one sentence with its leading whitespace. */
export type TextAtom = {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  /** Tokens of the whole paragraph if this is its first atom, otherwise 0. */
  readonly paragraphTokens: number;
};

/** Maximum length for counting and segmenting at once: the cost of the tokenizer is quadratic in one long piece. */
const MAX_ATOM_CHARACTERS = 1_000;
const WORD_GROUP_CHARACTERS = 200;
const MAX_WORD_CHARACTERS = 200;

// The root locale keeps boundaries independent of the machine's locale (UAX #29).
const SENTENCES = new Intl.Segmenter('und', { granularity: 'sentence' });
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Cuts normalised text at paragraphs, then sentences, then words, and finally inside of words over 200 characters. The
 * atoms cover the text in order, without gaps. No atom has more than `maxTokens` tokens, unless a single character
 * does.
 */
export function textAtoms(text: string, count: CountTokens, maxTokens: number): TextAtom[] {
  const atoms: TextAtom[] = [];
  let start = 0;
  while (start < text.length) {
    const breakAt = text.indexOf('\n\n', start + 1);
    const end = breakAt === -1 ? text.length : breakAt;
    addParagraph(atoms, text, start, end, { count, maxTokens });
    start = end;
  }
  return atoms;
}

type Limits = { readonly count: CountTokens; readonly maxTokens: number };

function addParagraph(atoms: TextAtom[], text: string, start: number, end: number, limits: Limits): void {
  const first = atoms.length;
  for (const [from, to] of pieces(text, start, end)) addPiece(atoms, text, from, to, limits);
  const opening = atoms[first]!;
  let paragraphTokens = 0;
  for (let index = first; index < atoms.length; index += 1) paragraphTokens += atoms[index]!.tokens;
  atoms[first] = { ...opening, paragraphTokens };
}

function addPiece(atoms: TextAtom[], text: string, start: number, end: number, limits: Limits): void {
  const tokens = limits.count(text.slice(start, end));
  const middle = tokens > limits.maxTokens ? cutPoint(text, start, end) : start;
  if (middle > start && middle < end) {
    addPiece(atoms, text, start, middle, limits);
    addPiece(atoms, text, middle, end, limits);
    return;
  }
  atoms.push({ start, end, tokens, paragraphTokens: 0 });
}

/**
 * The sentences of a paragraph, each with its leading whitespace; a sentence that is too long is split into word
 * groups.
 */
function* pieces(text: string, start: number, end: number): Generator<[number, number]> {
  for (const [from, to] of sentences(text, start, end)) {
    if (to - from <= MAX_ATOM_CHARACTERS) yield [from, to];
    else yield* wordGroups(text, from, to);
  }
}

function* sentences(text: string, start: number, end: number): Generator<[number, number]> {
  let from = start;
  for (const { index } of SENTENCES.segment(text.slice(start, end))) {
    const boundary = beforeWhitespace(text, from, start + index);
    if (boundary <= from) continue;
    yield [from, boundary];
    from = boundary;
  }
  yield [from, end];
}

/** Stops at `from`: otherwise a run of line breaks would be scanned again for each of them, in quadratic time. */
function beforeWhitespace(text: string, from: number, boundary: number): number {
  let index = boundary;
  while (index > from && isSpace(text.charCodeAt(index - 1))) index -= 1;
  return index;
}

function* wordGroups(text: string, start: number, end: number): Generator<[number, number]> {
  let from = start;
  while (end - from > WORD_GROUP_CHARACTERS) {
    const cut = lastSpace(text, from, from + WORD_GROUP_CHARACTERS);
    const to = cut > from ? cut : wordCut(text, from, Math.min(end, from + MAX_WORD_CHARACTERS));
    yield [from, to];
    from = to;
  }
  if (from < end) yield [from, end];
}

function lastSpace(text: string, from: number, to: number): number {
  for (let index = to; index > from; index -= 1) if (isSpace(text.charCodeAt(index))) return index;
  return from;
}

/** Scripts without spaces still have words: cuts at the last word that starts in the second half. */
function wordCut(text: string, from: number, to: number): number {
  let cut = 0;
  for (const { index } of WORDS.segment(text.slice(from, to))) cut = index;
  return from + cut > from + (to - from) / 2 ? from + cut : outsidePair(text, to);
}

function cutPoint(text: string, start: number, end: number): number {
  return outsidePair(text, start + Math.ceil((end - start) / 2));
}

/** Moves an index out of the middle of a surrogate pair. */
function outsidePair(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff ? index + 1 : index;
}

function isSpace(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a;
}
