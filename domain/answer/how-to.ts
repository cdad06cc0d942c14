import { MOST_CHARACTERS } from './belonging.ts';
import { saysNothing } from './empty-headings.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** Pieces behind the best sentence that may be steps: with six, commands below were cut off; ten gave no more. */
const STEPS = 8;
/** Of a step, and of a heading, in characters: an example in code is longer than a sentence. */
const LONGEST = 600;
const HEADING_MOST = 100;

/**
 * These sentences, where it is asked how to do something, with the heading that the best of them stands under where none is
 * among them and it says something, and with what follows it in its section: the name of what does it often stands above
 * alone, and the command in an example below. As long as there is room, so that neither takes the place of a sentence.
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
  const above = section.filter(({ place, isStatement }) => place < best.place && !isStatement);
  const isNamed = above.some((one) => said.has(one));
  const heading = isNamed
    ? []
    : section
        .slice(0, 1)
        .filter((one) => one !== best && isHeading(one) && !saysNothing(ranking, one) && fits(one));
  const behind = section.filter(({ place }) => place > best.place).slice(0, STEPS);
  const end = behind.findIndex((one) => one.text.length > LONGEST || !fits(one));
  const steps = end === -1 ? behind : behind.slice(0, end);
  const others = sentences.filter((one) => !steps.includes(one));
  const first = others.find((one) => section.includes(one));
  return others.flatMap((one) => [...(one === first ? heading : []), one, ...(one === best ? steps : [])]);
}

/** A question above an answer is the one that was asked. */
const isHeading = ({ text, isStatement }: RankedSentence): boolean =>
  !isStatement && text.length <= HEADING_MOST && !/[?？؟]$/u.test(text);
