import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { LexicalIndex, Ranking, RankRequest } from '../../../application/ports/lexical-index.ts';
import { countWords, wordsOf } from '../../../domain/shared/words.ts';
import { unpackedNumbers } from '../packed-numbers.ts';
import type { Sql } from '../sql.ts';
import { contentCondition, seenContent } from './content-condition.ts';
import type { TermWeight } from './impact.ts';
import { createPostingCache, type PostingCache } from './postings.ts';
import {
  type Beginning,
  beginning,
  type Candidates,
  FEEDBACK_CONTENTS,
  feedbackContents,
  identified,
  widenedWeights,
} from './ranking-queries.ts';
import { readPostings } from './read-postings.ts';
import { createScoring, type ScoreContents, type Scored } from './score.ts';
import { bodyOf } from './vocabulary.ts';

/** Characters of a feedback document that are read. */
const FEEDBACK_LENGTH = 20_000;

export interface LexicalIndexOptions {
  /** Memory for postings, default 256 MiB: what does not fit is read from the database in every search. */
  readonly cacheBytes?: number;
}

/**
 * BM25 over segments of postings in two passes: the first finds the five best contents, the second scores every
 * candidate by the query and by what those five have in common.
 *
 * Which contents may be ranked, how terms are weighed and what they are called is asked of the database, in one
 * snapshot; postings, which never change, are kept in memory and added up here. In SQL the same takes ten times as long.
 */
export const createLexicalIndex = (
  db: Sql,
  { cacheBytes = 256 * 1024 ** 2 }: LexicalIndexOptions = {},
): LexicalIndex => {
  const cache = createPostingCache(cacheBytes);
  const scoreContents = createScoring();
  return {
    rank: async (scope, request) => {
      const words = countWords(wordsOf(request.query));
      if (words.size === 0) return NOTHING;
      return db
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute(async (trx) => {
          const begun = await beginning(trx, scope.tenant, words, candidatesOf(scope, request));
          if (begun === null || begun.weights.length === 0) return NOTHING;
          const score = scorer(trx, cache, scoreContents, begun);
          const byText = begun.weights.map((of) => ({ ...of, title: 0, feedback: 0 }));
          const nearest = await score(byText, FEEDBACK_CONTENTS, null);
          const best = await feedbackContents(trx, nearest.best);
          if (best.length === 0) return NOTHING;
          const feedback = countWords(
            best.flatMap(({ title, headings, text }) =>
              wordsOf(`${title}\n${bodyOf(headings, text)}`.slice(0, FEEDBACK_LENGTH)),
            ),
          );
          const weights = await widenedWeights(trx, scope.tenant, words, feedback);
          const { total, best: found } = await score(weights, request.limit, begun.shown);
          return { total_candidates: total, ranked: await identified(trx, found, request) };
        });
    },
  };
};

const NOTHING: Ranking = { ranked: [], total_candidates: 0 };

const scorer = (trx: Sql, cache: PostingCache, scoreContents: ScoreContents, begun: Beginning) => {
  const allowed = begun.allowed === null ? null : unpackedNumbers(begun.allowed);
  const dead = unpackedNumbers(begun.dead);
  const { segments } = begun;
  return async (weights: readonly TermWeight[], limit: number, only: Buffer | null): Promise<Scored> => {
    const terms = weights.map(({ term }) => term);
    const postings = await readPostings(trx, cache, begun, terms);
    const shown = only === null ? null : unpackedNumbers(only);
    return scoreContents({ segments, postings, weights, lengths: begun, allowed, dead, shown, limit });
  };
};

/** Which contents are ranked, and which of the ranked are then shown. */
const candidatesOf = (scope: CatalogScope, { filter, use_postfilter }: RankRequest): Candidates => {
  const condition = contentCondition(scope, filter);
  const before = use_postfilter === true ? null : condition;
  const restricted = scope.only !== null || scope.access !== null || before !== null;
  return {
    allowed: restricted ? sql<boolean>`(${seenContent(scope)} and ${before ?? ALL})` : null,
    shown: use_postfilter === true ? condition : null,
  };
};

const ALL: RawBuilder<boolean> = sql<boolean>`true`;
