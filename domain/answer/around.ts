import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** Of an answer, in characters, where no neighbour is added any more. */
const FULL = 1_350;
/** Of the best score, what a sentence has whose neighbours come along. */
const LEAST_SCORE = 0.7;
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
  const cores = sentences.filter(({ level }) => level >= LEAST_SCORE * best.level);
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
