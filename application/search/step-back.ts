import type { ReadTextOf } from '../../domain/answer/read-text.ts';
import { LOOKED_AT } from '../../domain/ranking/closer-look.ts';
import { REACH, repeatedIn } from '../../domain/ranking/repeated.ts';
import type { SearchHit } from './search-request.ts';

/**
 * Puts hits back whose text stands in several pages before them: twelve that are looked at more closely are to be twelve
 * texts. Scores stay 0 to 1, and fall from one hit to the next.
 *
 * @param hits best first
 * @param read reads their texts
 */
export const stepBack = (hits: readonly SearchHit[], read: ReadTextOf): readonly SearchHit[] => {
  const isRepeated = repeatedIn(({ content }: SearchHit) => ({
    page: content.sourceId,
    pieces: read(content.text).units,
  }));
  let others = 0;
  let anyRepeated = false;
  const scored = hits.map((hit, i) => {
    if (others >= LOOKED_AT || i >= REACH) return hit;
    if (!isRepeated(hit)) {
      others += 1;
      return hit;
    }
    anyRepeated = true;
    return { ...hit, score: hit.score / 2 };
  });
  return anyRepeated ? scored.toSorted((a, b) => b.score - a.score) : hits;
};
