import type { TextUnit } from './chunk.ts';

export const MAX_KEYWORDS = 8;
const TITLE_WEIGHT = 6;
const HEADING_WEIGHT = 3;
const MAX_SCANNED_CHARACTERS = 20_000;
const MAX_WORD_CHARACTERS = 40;

// Two spellings of one rule: 3 to 40 letters, digits and inner signs, starting with a letter. The first is much
// faster.
const ASCII_WORD = /\b[a-z][\w'.-]{1,38}\w\b/g;
const WORD =
  /(?<![\p{L}\p{M}\p{N}_])\p{L}[\p{L}\p{M}\p{N}_'’.-]{1,38}[\p{L}\p{M}\p{N}_](?![\p{L}\p{M}\p{N}_])/gu;
const BEYOND_ASCII = /\P{ASCII}/u;
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const WORDS = new Intl.Segmenter('und', { granularity: 'word' });

/**
 * Extracts up to eight keywords of a document, lower case, best first. A word scores the square root of its frequency
 * in the text (so that one repeated word does not outrank the title), plus three for each heading that contains it,
 * plus six if the title contains it; equal scores are in order of appearance. English stop words, words that start
 * with a digit, and words of fewer than three letters (two in scripts without spaces) are ignored. Reads the first
 * 20,000 characters.
 */
export function documentKeywords(title: string, units: readonly TextUnit[]): string[] {
  const frequency = new Map<string, number>();
  let budget = MAX_SCANNED_CHARACTERS;
  for (const unit of units) {
    if (budget <= 0) break;
    for (const word of words(unit.text.slice(0, budget))) add(frequency, word, 1);
    budget -= unit.text.length;
  }
  const scores = new Map<string, number>();
  for (const word of new Set(words(title))) add(scores, word, TITLE_WEIGHT);
  for (const heading of headings(units)) {
    for (const word of words(heading)) add(scores, word, HEADING_WEIGHT);
  }
  for (const [word, count] of frequency) add(scores, word, Math.sqrt(count));
  return [...scores]
    .toSorted(([, a], [, b]) => b - a)
    .map(([word]) => word)
    .filter((word) => !STOP_WORDS.has(word))
    .slice(0, MAX_KEYWORDS);
}

function add(scores: Map<string, number>, word: string, weight: number): void {
  scores.set(word, (scores.get(word) ?? 0) + weight);
}

function headings(units: readonly TextUnit[]): Set<string> {
  const found = new Set<string>();
  for (const { headingPath } of units) for (const heading of headingPath) found.add(heading);
  return found;
}

function words(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (!BEYOND_ASCII.test(lower)) return lower.match(ASCII_WORD) ?? [];
  if (!UNSPACED.test(lower)) return lower.match(WORD) ?? [];
  const found: string[] = [];
  for (const { segment, isWordLike } of WORDS.segment(lower)) {
    const shortest = UNSPACED.test(segment) ? 2 : 3;
    const fits = segment.length >= shortest && segment.length <= MAX_WORD_CHARACTERS;
    if (isWordLike === true && fits && /^\p{L}/u.test(segment)) found.push(segment);
  }
  return found;
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
