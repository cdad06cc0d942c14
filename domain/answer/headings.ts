import { accompanied, termOf } from './belonging.ts';
import { saysNothing } from './empty-headings.ts';
import type { RankedSentence, Ranking } from './rank-sentences.ts';

/** Above one section: several are the names of one option. Longer ones are no names. */
const HEADINGS = 3;
const HEADING_MOST = 100;

/**
 * The headings or terms right above the section that a sentence stands in, where they say something: often the name of what is
 * asked for stands there alone, above what it does. None above what defines the subject, as the question names it, and no
 * question, which is the one that was asked.
 */
function headingsOf(
  ranking: Ranking,
  { passage, place, section, defines, isStatement }: RankedSentence,
): readonly RankedSentence[] {
  if (defines) return [];
  const above = ranking.texts[passage]!.filter((one) => one.section === section && one.place < place);
  const end = above.findIndex((one) => one.isStatement);
  if (end === -1 && !isStatement) return [];
  return (end === -1 ? above : above.slice(0, end))
    .filter((one) => isHeading(one) && !saysNothing(ranking, one))
    .slice(0, HEADINGS);
}

/** A question above an answer is the one that was asked; a label and a row of a table are no headings. */
const isHeading = ({ text, isStatement }: RankedSentence): boolean =>
  !isStatement && text.length <= HEADING_MOST && !/[:?？؟]$| \| /u.test(text);

/**
 * These sentences with the headings that they stand under and the names that they describe, each before the first that does,
 * as long as there is room.
 */
export const withHeadings = (
  ranking: Ranking,
  sentences: readonly RankedSentence[],
): readonly RankedSentence[] =>
  accompanied(sentences, (sentence) => {
    const names = termOf(ranking, sentence);
    return [names.length > 0 ? names : headingsOf(ranking, sentence), []];
  });
