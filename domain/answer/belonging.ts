import type { Passage } from './passage.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';
import { quoted } from './sentences.ts';
import { termOfRow } from './term-of-row.ts';

/** Of an answer in all. */
export const MAX_CHARACTERS = 1_600;
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
      next.text.length > (text.endsWith(':') ? MAX_CHARACTERS / 2 : SHORT) ||
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
    if (characters + length > MAX_CHARACTERS) return [sentence];
    characters += length;
    for (const one of more) said.add(one);
    return [...before!, sentence, ...behind!];
  });
}

/** Of an answer, in characters, where no neighbour is added any more. */
const FULL = 1_350;
/** Of the best score, what a sentence has whose neighbours come along. */
const MIN_SCORE = 0.7;
/** Of a neighbour, in characters. */
const LONGEST = 220;

/**
 * These sentences, each of the best with the one behind it and the one before it in its section, as long as there is room:
 * where a fact is not in the sentence that is most like the question, it often stands next to that one, and several
 * sentences in a row are read more easily than as many that lie apart. The best first. What stands before the first
 * statement of a section are its headings; nothing comes before a definition.
 */
export function withNeighbours(
  { texts }: Ranking,
  best: RankedSentence,
  sentences: readonly RankedSentence[],
): readonly RankedSentence[] {
  const said = new Set(sentences);
  let room = FULL - sentences.reduce((sum, { text }) => sum + text.length, 0);
  const take = (one: RankedSentence | undefined, section: number): RankedSentence[] => {
    if (one?.section !== section || said.has(one)) return [];
    if (one.text.length > Math.min(room, LONGEST)) return [];
    said.add(one);
    room -= one.text.length;
    return [one];
  };
  const around = new Map<RankedSentence, readonly [RankedSentence[], RankedSentence[]]>();
  const cores = sentences.filter(({ level }) => level >= MIN_SCORE * best.level);
  for (const core of cores.toSorted((a, b) => b.level - a.level)) {
    const { passage, place, section, isDefinition } = core;
    const text = texts[passage]!;
    const behind = take(text[place + 1], section);
    const opening = text.findIndex((one) => one.section === section && one.isStatement);
    const isLed = isDefinition || opening === -1 || place <= opening;
    around.set(core, [isLed ? [] : take(text[place - 1], section), behind]);
  }
  return sentences.flatMap((one) => {
    const [before, behind] = around.get(one) ?? [[], []];
    return [...before, one, ...behind];
  });
}

const PAGES = 3;

/**
 * A paragraph for an answer that has none: the titles and addresses of the three pages that the passages, nearest first,
 * stand on; empty where these name none. It holds no mark of a citation, as nothing rests on these pages.
 */
export function nearestPages(passages: readonly Passage[]): string {
  const lines = new Set(passages.map(lineOf).filter((line) => line !== ''));
  if (lines.size === 0) return '';
  const listed = [...lines].slice(0, PAGES).map((line) => `\n- ${line}`);
  return `\n\nThe nearest pages:${listed.join('')}`;
}

function lineOf({ title, url = '' }: Passage): string {
  const address = url.replaceAll(/[\s[\]`]/g, (sign) => encodeURIComponent(sign));
  return [quoted(title)?.text ?? '', address].filter((part) => part !== '').join(' ');
}

/** Whether it stands in the definition of a signed term that is what the question is about. */
const isDefining = ({ isOfTerm, defines }: RankedSentence): boolean => isOfTerm === true && defines;

/**
 * The sentence that an answer begins with: the best of all. But the default of a thing is what its own definition says: of
 * that the best sentence which tells a default, or the best where its term tells it, or none does.
 */
export const beginningOf = (ranking: Ranking): RankedSentence | undefined => {
  const { sentences, asked } = ranking;
  if (asked.kind !== 'default') return sentences[0];
  const own = sentences.filter((one) => isDefining(one) && one.isStatement);
  const first = own[0];
  if (first === undefined) return sentences[0];
  return termsTelling(ranking, first).length > 0 ? first : (own.find(({ isOfKind }) => isOfKind) ?? first);
};

/** The terms of a sentence's definition that tell the default that is asked for: `tape_size (default: 4)`. */
export const termsTelling = ({ texts, asked }: Ranking, best: RankedSentence): readonly RankedSentence[] =>
  asked.kind === 'default' && isDefining(best)
    ? texts[best.passage]!.filter(
        ({ section, isStatement, isOfKind, place }) =>
          section === best.section && place < best.place && !isStatement && isOfKind,
      ).slice(0, 1)
    : [];

/** Those sentences that may stand with this one: of other definitions none, where the default of a thing is asked for. */
export const standingWith = (
  { sentences, asked }: Ranking,
  best: RankedSentence,
): readonly RankedSentence[] =>
  asked.kind === 'default' && isDefining(best) ? sentences.filter(isDefining) : sentences;
