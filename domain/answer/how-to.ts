import { MOST_CHARACTERS } from './belonging.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** Pieces behind the best sentence that may be steps: with six, commands below were cut off; ten gave no more. */
const STEPS = 8;
/** Of a step, in characters: an example in code is longer than a sentence. */
const LONGEST = 600;

/**
 * These sentences, where it is asked how to do something, with what follows the best of them in its section, as the command
 * often stands in an example below. As long as there is room, so that none takes the place of a sentence.
 */
export function withSteps(
  ranking: Ranking,
  best: RankedSentence,
  sentences: readonly RankedSentence[],
): readonly RankedSentence[] {
  const { texts, asked } = ranking;
  if (!asked.isHow) return sentences;
  const said = new Set(sentences);
  let room = MOST_CHARACTERS - sentences.reduce((sum, { text }) => sum + text.length, 0);
  const fits = (one: RankedSentence): boolean => {
    const more = said.has(one) ? 0 : one.text.length;
    if (more > room) return false;
    room -= more;
    return true;
  };
  const section = texts[best.passage]!.filter((one) => one.section === best.section);
  const behind = section.filter(({ place }) => place > best.place).slice(0, STEPS);
  const end = behind.findIndex((one) => one.text.length > LONGEST || !fits(one));
  const steps = end === -1 ? behind : behind.slice(0, end);
  const others = sentences.filter((one) => !steps.includes(one));
  return others.flatMap((one) => (one === best ? [one, ...steps] : [one]));
}
