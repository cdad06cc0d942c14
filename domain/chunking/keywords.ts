import type { TextUnit } from './chunk.ts';

export const MAX_KEYWORDS = 8;
const TITLE_WEIGHT = 6;
const HEADING_WEIGHT = 3;
const MAX_SCANNED_CHARACTERS = 50_000;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}_'’.-]*[\p{L}\p{N}_]/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Up to eight keywords of a document, lower case, best first: words weighted by their frequency in the text
 * (damped by a square root, so that one repeated word does not win over a title), three for each heading they
 * stand in and six for the title; equal scores in order of appearance. Numbers, English stop words and words
 * under three letters (two in scripts without spaces) are left out.
 */
export function documentKeywords(title: string, units: readonly TextUnit[]): string[] {
  const frequency = new Map<string, number>();
  let budget = MAX_SCANNED_CHARACTERS;
  for (const unit of units) {
    if (budget <= 0) break;
    countWords(unit.text.slice(0, budget), 1, frequency);
    budget -= unit.text.length;
  }
  const scores = new Map<string, number>();
  countWords(title, TITLE_WEIGHT, scores, 1);
  for (const heading of headings(units)) countWords(heading, HEADING_WEIGHT, scores);
  for (const [word, count] of frequency) scores.set(word, (scores.get(word) ?? 0) + Math.sqrt(count));
  return [...scores]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, MAX_KEYWORDS)
    .map(([word]) => word);
}

function headings(units: readonly TextUnit[]): Set<string> {
  return new Set(units.flatMap((unit) => unit.heading_path));
}

function countWords(text: string, weight: number, into: Map<string, number>, limit = Infinity): void {
  for (const word of words(text)) {
    const known = into.get(word) ?? 0;
    if (known < limit) into.set(word, known + weight);
  }
}

function* words(text: string): Generator<string> {
  for (const [match] of text.matchAll(WORD)) {
    if (UNSPACED.test(match)) yield* unspacedWords(match);
    else if (isKeyword(match, 3)) yield match.toLowerCase();
  }
}

function* unspacedWords(run: string): Generator<string> {
  for (const { segment, isWordLike } of WORDS.segment(run)) {
    if (isWordLike === true && isKeyword(segment, 2)) yield segment.toLowerCase();
  }
}

function isKeyword(word: string, shortest: number): boolean {
  if (word.length < shortest || word.length > 40) return false;
  return /\p{L}/u.test(word) && !STOP_WORDS.has(word.toLowerCase());
}

const STOP_WORDS = new Set(
  `about above after again against all also although always among and any are aren't because been before being
  below between both but can can't cannot could did does doesn't doing don't down during each either else even
  every few for from further get given had has have having her here hers him his how however into isn't it's
  its itself just less like made make many may might more most much must neither nor not now off often once
  one only onto other others our out over own per rather same see several shall she should since some such than
  that that's the their them then there therefore these they this those though through thus too under until
  upon use used uses using very via was wasn't were what when where whether which while who whom whose why will
  with within without would yet you your`.split(/\s+/),
);
