import type { RankedSentence, Ranking } from './rank-sentences.ts';
import { termOfRow } from './term-of-row.ts';

/** Of an answer in all. */
export const MOST_CHARACTERS = 1_600;
/** Sentences that follow the best one, each as long at most, in characters; pieces that follow a colon. */
const FOLLOWING = 2;
const SHORT = 220;
const ANNOUNCED = 4;
/** What begins like this goes on about what was said. */
const REFERS = /^(?:this|these|it|its|they|such|that is|here|thus|in other words|the former|the latter)\b/i;
/** A name of something in code or on a command line. */
const SIGNATURE =
  /^(?:\w+ )?(?:--?\w|(?!\d)\w+(?:\.|::|_)\w|\w+\s?\()|^(?:exception|class|function|method|property|attribute|type|macro|command|variable) \w+\W*$/;

/** How a statement begins that speaks of what it stands under. */
const OF_HEADING =
  /^(?:this (?:module|package|library|class|function|method|command|program|tool|option|parameter|setting|utility|type|view|page|chapter|section)\b|it (?:is|can|does|has)\b)/i;

/**
 * What a sentence stands under, where nobody would know without it what is described: the name of something in code, the
 * heading of a sentence about "this module", or the row of a table that it explains, which has the default.
 */
export function termOf(
  { texts, asked }: Ranking,
  { passage, place, section, defines, text }: RankedSentence,
  isBest = false,
): RankedSentence[] {
  const before = texts[passage]!.slice(0, place);
  const above = before.findLast(({ isStatement }) => !isStatement);
  if (above?.section !== section) return [];
  const isRow = termOfRow(above.text) !== null;
  if (defines ? isRow && asked.kind !== 'other' : isRow || SIGNATURE.test(above.text)) return [above];
  const isNamed = isBest && asked.sort.size > 0 && !defines;
  if (!isNamed && (!OF_HEADING.test(text) || above !== before.at(-1))) return [];
  const last = isNamed ? before.indexOf(above) : before.length;
  const heading = before.slice(before.slice(0, last).findLastIndex(({ isStatement }) => isStatement) + 1)[0]!;
  return heading.text.length <= SHORT ? [heading] : [];
}

/**
 * What goes on from a sentence in its section and belongs to it: what a colon announces, and short sentences right
 * behind it, as the value often stands there.
 */
export function goingOn({ texts, asked }: Ranking, best: RankedSentence): RankedSentence[] {
  const { passage, place, section, text, defines } = best;
  const behind = texts[passage]!.slice(place + 1, place + 1 + (text.endsWith(':') ? ANNOUNCED : FOLLOWING));
  const end = behind.findIndex(
    (next) =>
      next.section !== section ||
      next.text.length > (text.endsWith(':') ? MOST_CHARACTERS / 2 : SHORT) ||
      !(next.isStatement || text.endsWith(':')),
  );
  const near = end === -1 ? behind : behind.slice(0, end);
  if (text.endsWith(':') || defines || asked.isHow) return near;
  const value = asked.kind === 'other' ? -1 : near.findIndex(({ isOfKind }) => isOfKind);
  const explained = near.findIndex((next) => !REFERS.test(next.text));
  return near.slice(0, Math.max(value + 1, explained === -1 ? near.length : explained));
}

/**
 * What stands before a sentence that begins with "this" or "it", as nobody would know what is meant without it: a short
 * sentence, or a line such as a command.
 */
function saidBefore({ texts }: Ranking, { passage, place, section, text }: RankedSentence): RankedSentence[] {
  if (!REFERS.test(text)) return [];
  const before = texts[passage]![place - 1];
  const mayBeLine = !OF_HEADING.test(text);
  const isSaid =
    before?.section === section && (before.isStatement || mayBeLine) && before.text.length <= SHORT;
  return isSaid ? [before] : [];
}

/**
 * What stands right behind a sentence and belongs to it: what a colon announces, and where it is asked how to do
 * something, a short sentence that goes on about it.
 */
const saidNext = (
  { texts, asked }: Ranking,
  { passage, place, section, text, isStatement }: RankedSentence,
): RankedSentence[] => {
  const next = texts[passage]![place + 1];
  if (next?.section !== section) return [];
  if (text.endsWith(':')) return [next];
  const goesOn = asked.isHow && isStatement && next.text.length <= SHORT && GOES_ON.test(next.text);
  return goesOn ? [next] : [];
};
const GOES_ON = new RegExp(`${REFERS.source}|^the\\b`, 'i');

/** These sentences, each with what it refers to and what goes on from it, as long as there is room. */
export const withReferences = (
  ranking: Ranking,
  sentences: readonly RankedSentence[],
): readonly RankedSentence[] =>
  accompanied(sentences, (one) => [saidBefore(ranking, one), saidNext(ranking, one)]);

/**
 * These sentences, each with what belongs before it and behind it and is not said yet, all of it or none, as long as there is
 * room in the answer.
 */
export function accompanied(
  sentences: readonly RankedSentence[],
  companionsOf: (
    sentence: RankedSentence,
  ) => readonly [before: readonly RankedSentence[], behind: readonly RankedSentence[]],
): readonly RankedSentence[] {
  let characters = sentences.reduce((sum, { text }) => sum + text.length, 0);
  const said = new Set(sentences);
  return sentences.flatMap((sentence) => {
    const [before, behind] = companionsOf(sentence).map((all) => all.filter((one) => !said.has(one)));
    const more = [...before!, ...behind!];
    const length = more.reduce((sum, { text }) => sum + text.length, 0);
    if (characters + length > MOST_CHARACTERS) return [sentence];
    characters += length;
    for (const one of more) said.add(one);
    return [...before!, sentence, ...behind!];
  });
}
