import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog-scope.ts';
import type { SearchIndex, Ranking, RankRequest } from '../../../application/ports/search-index.ts';
import { countWords, wordsOf } from '../../../domain/shared/words.ts';
import { unpackedNumbers } from '../packed-numbers.ts';
import { readSnapshot } from '../read-snapshot.ts';
import type { Sql } from '../sql.ts';
import { eventLoopTurns } from '../turns.ts';
import { contentCondition, seenContent } from '../catalog/content-condition.ts';
import { createPostingCache } from '../../../domain/ranking/posting-cache.ts';
import {
  type Beginning,
  beginning,
  type Candidates,
  feedbackContents,
  feedbackTerms,
  identified,
} from './ranking-queries.ts';
import { readPostings } from './read-postings.ts';
import { createStems } from './stems.ts';
import {
  FEEDBACK_CONTENTS,
  feedbackReach,
  feedbackTermWeights,
  lengthNormalisation,
  queryTermWeights,
} from '../../../domain/ranking/term-weights.ts';
import { createTwoPassScoring, type ScoreRequest } from '../../../domain/ranking/two-pass-scoring.ts';
import { feedbackWords } from '../../../domain/ranking/vocabulary.ts';

export interface SearchIndexOptions {
  /** Memory for postings, default 256 MiB: what does not fit is read from the database in every search. */
  readonly cacheBytes?: number;
}

/**
 * BM25 over segments of postings in two passes: the first finds the five best contents, the second scores every
 * candidate by the query and by what those five have in common.
 *
 * Which contents may be ranked, what terms are called and how many contents have them is asked of the database, in one
 * snapshot; postings, which never change, are kept in memory and added up here. In SQL the same takes ten times as long.
 */
export const createSearchIndex = (
  db: Sql,
  { cacheBytes = 256 * 1024 ** 2 }: SearchIndexOptions = {},
): SearchIndex => {
  const cache = createPostingCache(cacheBytes);
  const stems = createStems();
  const beginScoring = createTwoPassScoring(eventLoopTurns);
  return {
    terms: (words) => stems(db, words),
    rank: async (scope, request) => {
      const words = countWords(wordsOf(request.query));
      if (words.size === 0) return NOTHING;
      return readSnapshot(db, async (trx) => {
        const begun = await beginning(trx, scope.tenant, words, candidatesOf(scope, request));
        if (begun === null || begun.terms.length === 0) return NOTHING;
        const terms = begun.terms.map(({ term }) => term);
        const postings = await readPostings(trx, cache, begun, terms);
        const passes = await beginScoring({ ...requestOf(begun), postings });
        const best = await feedbackContents(trx, passes.nearest(FEEDBACK_CONTENTS));
        if (best.length === 0) return NOTHING;
        // The statement is on its way when the turn ends.
        const [fed] = await Promise.all([
          feedbackTerms(trx, scope.tenant, feedbackWords(best), feedbackReach(begun.contents)),
          nextTurn().then(passes.prepare),
        ]);
        const weights = feedbackTermWeights(begun.contents, fed);
        const added = await readPostings(
          trx,
          cache,
          begun,
          weights.map(({ term }) => term),
        );
        const { total, top } = await passes.best(weights, added, request.limit);
        return { totalCandidates: total, ranked: await identified(trx, top, request) };
      });
    },
  };
};

const NOTHING: Ranking = { ranked: [], totalCandidates: 0 };

const requestOf = (begun: Beginning): Omit<ScoreRequest, 'postings'> => ({
  segments: begun.segments,
  lengths: lengthNormalisation(begun.contents, begun.textLength, begun.titleLength),
  weights: queryTermWeights(begun.contents, begun.terms),
  feedbackWeight: 1 / (begun.mostN ?? 1),
  allowed: begun.allowed === null ? null : unpackedNumbers(begun.allowed),
  dead: unpackedNumbers(begun.dead),
  shown: begun.shown === null ? null : unpackedNumbers(begun.shown),
});

/** Which contents are ranked, and which of the ranked are then shown. */
const candidatesOf = (scope: CatalogScope, { filter, usePostfilter }: RankRequest): Candidates => {
  const condition = contentCondition(scope, filter);
  const before = usePostfilter === true ? null : condition;
  const restricted = scope.only !== null || scope.access !== null || before !== null;
  return {
    allowed: restricted ? sql<boolean>`(${seenContent(scope)} and ${before ?? ALL})` : null,
    shown: usePostfilter === true ? condition : null,
  };
};

const ALL: RawBuilder<boolean> = sql<boolean>`true`;
