import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope } from '../../../application/ports/catalog.ts';
import type { LexicalIndex, Ranking, RankRequest } from '../../../application/ports/lexical-index.ts';
import type { Sql } from '../projections/projection.ts';
import { contentCondition, inScope } from './content-condition.ts';
import { bestByText, type Candidates, rankWithFeedback } from './ranking-queries.ts';
import { bodyOf } from './vocabulary.ts';
import { countWords, wordsOf } from './words.ts';

/** Characters of a feedback document that are read. */
const FEEDBACK_LENGTH = 20_000;

/**
 * BM25 in SQL over segments of postings, in two statements: the first finds the five best contents, the second scores
 * every candidate by the query and by what those five have in common.
 */
export const createLexicalIndex = (db: Sql): LexicalIndex => ({
  rank: async (scope, request) => {
    const words = countWords(wordsOf(request.query));
    if (words.size === 0) return NOTHING;
    return db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        // Sums of tens of thousands of candidates stay in memory; the default of 4 MB would spill them to disk.
        await sql`select set_config('work_mem', '64MB', true)`.execute(trx);
        const candidates = candidatesOf(scope, request);
        const best = await bestByText(trx, scope.tenant, words, candidates);
        if (best.length === 0) return NOTHING;
        const feedback = countWords(
          best.flatMap(({ title, headings, text }) =>
            wordsOf(`${title}\n${bodyOf(headings, text)}`.slice(0, FEEDBACK_LENGTH)),
          ),
        );
        return rankWithFeedback(trx, scope.tenant, words, feedback, candidates, request);
      });
  },
});

const NOTHING: Ranking = { ranked: [], total_candidates: 0 };

/** Which contents are ranked, and which of the ranked are then shown. */
const candidatesOf = (scope: CatalogScope, { filter, use_postfilter }: RankRequest): Candidates => {
  const condition = contentCondition(scope, filter);
  const before = use_postfilter === true ? null : condition;
  const restricted = scope.only !== null || before !== null;
  return {
    allowed: restricted ? sql<boolean>`(${inScope(scope, 'c')} and ${before ?? ALL})` : null,
    shown: use_postfilter === true ? condition : null,
  };
};

const ALL: RawBuilder<boolean> = sql<boolean>`true`;
