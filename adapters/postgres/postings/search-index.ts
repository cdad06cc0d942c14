import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog-scope.ts';
import type { SearchIndex, Ranking, RankRequest } from '../../../application/ports/search-index.ts';
import { unpackedNumbers } from '../packed-numbers.ts';
import { readSnapshot } from '../read-snapshot.ts';
import type { Sql } from '../sql.ts';
import { eventLoopTurns } from '../turns.ts';
import { contentCondition, seenContent } from '../catalog/content-condition.ts';
import { createPostingCache } from '../../../domain/ranking/posting-cache.ts';
import {
  type AskedWord,
  askedWords,
  mostAsked,
  termCounts,
  type TermsOf,
} from '../../../domain/ranking/asked-terms.ts';
import { unknownWords } from '../../../domain/ranking/spelling.ts';
import { queryWords } from '../../../domain/ranking/query-words.ts';
import {
  type Beginning,
  beginning,
  type BestContent,
  type Candidates,
  feedbackContents,
  identified,
  languagesOf,
} from './ranking-queries.ts';
import { createReadCounts } from './count-cache.ts';
import { readPostings } from './read-postings.ts';
import { createSpelling } from './spelling.ts';
import { createStems } from './stems.ts';
import {
  FEEDBACK_CONTENTS,
  feedbackTermWeights,
  lengthNormalisation,
  queryTermWeights,
} from '../../../domain/ranking/term-weights.ts';
import { createTwoPassScoring, type ScoreRequest } from '../../../domain/ranking/two-pass-scoring.ts';
import { feedbackWords } from '../../../domain/ranking/vocabulary.ts';

export interface SearchIndexOptions {
  /**
   * Memory for postings, default 256 MiB, and a quarter of it beside for the counts of terms: what does not fit is read
   * from the database in every search.
   */
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
  const readCounts = createReadCounts(cacheBytes / 4);
  const correctSpelling = createSpelling(cache, readCounts);
  /** Null for a query of stop words alone, and where nothing is indexed. */
  const start = async (
    trx: Sql,
    scope: CatalogScope,
    request: RankRequest,
    languages: readonly string[],
  ): Promise<Started | null> => {
    const asked = await askedWords(queryWords(request.query), languages, (of) => stems(trx, of));
    const counts = termCounts(asked);
    if (counts.size === 0) return null;
    const begun = await beginning(trx, scope.tenant, counts, candidatesOf(scope, request));
    return begun && { asked, counts, begun };
  };
  const score = async (trx: Sql, request: RankRequest, { counts, begun }: Started): Promise<Ranking> => {
    if (begun.terms.length === 0) return NOTHING;
    const terms = begun.terms.map(({ term }) => term);
    const postings = await readPostings(trx, cache, begun, terms);
    const passes = await beginScoring({ ...requestOf(begun, counts), postings });
    const best = await feedbackContents(trx, passes.nearest(FEEDBACK_CONTENTS));
    if (best.length === 0) return NOTHING;
    const feedback = await countFeedback(best, (of) => stems(trx, of));
    // The statement is on its way when the turn ends.
    const [found] = await Promise.all([
      readCounts(trx, begun, [...feedback.keys()]),
      nextTurn().then(passes.prepare),
    ]);
    const fed = [...found].map(([term, of]) => ({ ...of, term, n: feedback.get(term) ?? 0 }));
    const weights = feedbackTermWeights(begun.contents, fed);
    const added = await readPostings(
      trx,
      cache,
      begun,
      weights.map(({ term }) => term),
    );
    const { total, top } = await passes.best(weights, added, request.limit);
    return { totalCandidates: total, ranked: await identified(trx, top, request) };
  };
  return {
    terms: async (words) =>
      (
        await stems(
          db,
          words.map((word) => ({ word, language: '' })),
        )
      ).map(([term]) => term ?? ''),
    rank: async (scope, request) => {
      if (queryWords(request.query).size === 0) return NOTHING;
      return readSnapshot(db, async (trx) => {
        const languages = await languagesOf(trx, scope.tenant);
        if (languages === null) return NOTHING;
        const started = await start(trx, scope, request, languages);
        if (started === null) return NOTHING;
        const { asked, begun } = started;
        const known = new Set(begun.terms.map(({ term }) => term));
        const unknown = unknownWords(asked, (term) => known.has(term));
        const correctedQuery = await correctSpelling(trx, begun, request.query, unknown);
        if (correctedQuery === null) return score(trx, request, started);
        const again = await start(trx, scope, { ...request, query: correctedQuery }, languages);
        return again === null ? NOTHING : { ...(await score(trx, request, again)), correctedQuery };
      });
    },
  };
};

/** A query, and what the index knows of its terms. */
interface Started {
  readonly asked: readonly AskedWord[];
  readonly counts: ReadonlyMap<string, number>;
  readonly begun: Beginning;
}

const NOTHING: Ranking = { ranked: [], totalCandidates: 0 };

const requestOf = (begun: Beginning, asked: ReadonlyMap<string, number>): Omit<ScoreRequest, 'postings'> => ({
  segments: begun.segments,
  lengths: lengthNormalisation(begun.contents, begun.textLength, begun.titleLength),
  weights: queryTermWeights(begun.contents, begun.terms),
  feedbackWeight: 1 / mostAsked(asked),
  allowed: begun.allowed === null ? null : unpackedNumbers(begun.allowed),
  dead: unpackedNumbers(begun.dead),
  shown: begun.shown === null ? null : unpackedNumbers(begun.shown),
});

/** How often the feedback has each term; other ways to write a word are not the feedback's. */
const countFeedback = async (
  best: readonly BestContent[],
  termsOf: TermsOf,
): Promise<ReadonlyMap<string, number>> => {
  const words = feedbackWords(best);
  const terms = await termsOf(words);
  return termCounts(words.map(({ n }, i) => ({ n, terms: terms[i]?.slice(0, 1) ?? [] })));
};

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
