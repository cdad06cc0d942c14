import type { ReadTextOf } from '../../domain/answer/read-text.ts';
import { LOOKED_AT } from '../../domain/ranking/closer-look.ts';
import { weightOfLength } from '../../domain/ranking/link-lists.ts';
import { isTitle } from '../../domain/ranking/titled.ts';
import type { SearchHit } from './search-request.ts';

/** What a list falls behind by: an entry is short and has the whole name, so its best sentence is the best of all. */
const BEHIND = 0.3;

/**
 * Puts lists of entries back, such as an index: they lead to what explains a name, and do not explain it. Not those of a page that is
 * called like the query, and not where nothing but lists was found. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param read reads their texts
 */
export const byLists = (
  query: string,
  hits: readonly SearchHit[],
  read: ReadTextOf,
): readonly SearchHit[] => {
  const lists = hits
    .slice(0, LOOKED_AT)
    .map(({ content }) => isList(content.text, read) && !isTitle(query, content.title));
  if (!lists.includes(true) || !lists.includes(false)) return hits;
  return hits
    .map((hit, i) => (lists[i] === true ? { ...hit, score: Math.max(0, hit.score - BEHIND) } : hit))
    .toSorted((a, b) => b.score - a.score);
};

/** What of a text is kept under this. */
const LIST = {};
const isList = (text: string, read: ReadTextOf): boolean =>
  read(text).once(LIST, () => ({ weight: weightOfLength(text) })).weight > 1;
