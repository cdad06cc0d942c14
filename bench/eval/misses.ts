import type { Asked } from './ask.ts';
import type { Question } from './questions.ts';

/** Pages that are named of a search: whoever looks further down has not found. */
const PAGES = 5;

/**
 * What a reader would have met where a question went wrong: the pages that came before the right one, and the answer. Empty
 * where all was right.
 */
export const missOf = ({ facts, urls }: Question, { outcome, seen }: Asked): readonly string[] => {
  const { question, answerable, places = {}, answer } = outcome;
  const found = Object.entries(places).flatMap(([mode, place]) => {
    if (place === 1) return [];
    const where = place === null ? `no right page (${urls.join(', ')})` : `the right page at place ${place}`;
    return [
      `${mode}: ${where}; found`,
      ...(seen.pages[mode] ?? []).slice(0, PAGES).map((page) => `  ${page}`),
    ];
  });
  const missing = facts.flatMap((wordings, i) => (answer?.facts[i] === false ? [wordings.join(' | ')] : []));
  const wrong = (): string | null => {
    if (answer === undefined) return null;
    if (!answerable) return answer.weak ? null : 'not told as weak, although it is not answerable';
    if (answer.weak) return 'told as weak, although it is answerable';
    return missing.length > 0 ? `the answer lacks ${missing.join(', and ')}` : null;
  };
  const why = wrong();
  const answered =
    why === null ? [] : [`${why}:`, ...(seen.answer ?? '').split('\n').map((line) => `  ${line}`)];
  const lines = [...found, ...answered];
  return lines.length === 0 ? [] : [question, ...lines.map((line) => `  ${line}`.trimEnd()), ''];
};
