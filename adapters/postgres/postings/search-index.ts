import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { CatalogScope, ContentFilter } from '../../../application/ports/catalog.ts';
import type { WordIndex, Ranking, RankRequest } from '../../../application/ports/search-engine.ts';
import type { Sql } from '../database-schema.ts';
import { readOncePerTick } from '../batching.ts';
import { eventLoopTurns } from '../event-loop.ts';
import { contentCondition, groupsWithTags, seenContent, uuids } from '../catalog/conditions.ts';
import { createCacheBudget, createPostingCache } from '../../../domain/ranking/segment-cache.ts';
import {
  type AskedWord,
  askedWords,
  maxAsked,
  queryWords,
  termCounts,
  wordsAskedFor,
} from '../../../domain/ranking/asked-terms.ts';
import { unknownWords } from '../../../domain/ranking/spelling.ts';
import type { IsWord } from '../../../domain/ranking/words-of-language.ts';
import { withSharedRarity } from '../../../domain/ranking/shared-rarity.ts';
import {
  type Beginning,
  type Candidates,
  type FeedbackContent,
  beginning,
  createReadFeedback,
  createReadPostings,
  unpacked,
} from './ranking-queries.ts';
import { type Identified, createReadCounts, identified } from './count-cache.ts';
import { readState } from './index-state.ts';
import { createSegmentReader } from './segment-reader.ts';
import { createStems } from './stems.ts';
import { createSpelling } from './spelling.ts';
import {
  FEEDBACK_CONTENTS,
  feedbackShares,
  feedbackTermWeights,
  lengthNormalisation,
  type QueryTerm,
  queryTermWeights,
  raritiesOf,
} from '../../../domain/ranking/term-weights.ts';
import type { ScoreRequest } from '../../../domain/ranking/sums.ts';
import { createTwoPassScoring } from '../../../domain/ranking/two-pass-scoring.ts';

export interface SearchIndexOptions {
  /**
   * Memory for all that is kept of the index, default 256 MiB. What was asked for last stays; what does not fit is read
   * from the database again.
   */
  readonly cacheBytes?: number;
  /** Words of a language that nobody's text need have: they are not misspelt. None unless given. */
  readonly wordsOfLanguage?: () => Promise<IsWord>;
}

/**
 * BM25 over segments of postings in two passes: the first finds the five best contents, the second scores every
 * candidate by the query and by what those five have in common.
 *
 * Which contents may be ranked, and what terms are called, is asked of the database; postings and counts of terms, which
 * never change, are kept in memory and added up here. In SQL the same takes ten times as long.
 */
export const createSearchIndex = (
  db: Sql,
  { cacheBytes = 256 * 1024 ** 2, wordsOfLanguage = NO_WORDS }: SearchIndexOptions = {},
): WordIndex => {
  const stems = createStems(MAX_STEMS);
  const budget = createCacheBudget(cacheBytes);
  const reader = createSegmentReader(budget);
  const readPostings = createReadPostings(reader, createPostingCache(budget));
  const readCounts = createReadCounts(reader, budget);
  const readFeedback = createReadFeedback(stems, budget);
  const beginScoring = createTwoPassScoring(eventLoopTurns);
  const correctSpelling = createSpelling(readPostings, readCounts, budget, wordsOfLanguage);
  /** What is asked without a filter by a key without a restriction begins alike, which is most of what many ask at once. */
  const beginningOfAll = readOncePerTick((tenant) => beginning(db, tenant, ALL_CONTENTS));
  const begin = async (on: Sql, tenant: string, candidates: Candidates): Promise<Beginning | null> => {
    const isAll = on === db && candidates === ALL_CONTENTS;
    const stored = await (isAll ? beginningOfAll(tenant) : beginning(on, tenant, candidates));
    return stored && unpacked(stored, (state, sources) => reader.contentsOf(on, state, sources));
  };
  /** Null for a query of stop words alone. */
  const start = async (trx: Sql, query: string, begun: Beginning): Promise<Started | null> => {
    const asked = await askedWords(queryWords(query), begun.languages, (of) => stems(trx, of));
    const counts = termCounts(asked);
    if (counts.size === 0) return null;
    const found = await readCounts(trx, begun, [...counts.keys()]);
    const terms = [...found].map(([term, of]) => ({ ...of, term, n: counts.get(term) ?? 0 }));
    return { asked, counts, terms: withSharedRarity(asked, terms, begun.contents) };
  };
  const score = async (
    trx: Sql,
    request: RankRequest,
    begun: Beginning,
    { asked, counts, terms }: Started,
  ): Promise<Ranking> => {
    if (terms.length === 0) return NOTHING;
    const own = terms.map(({ term }) => term);
    const postings = await readPostings(trx, begun, own);
    const heads = await reader.heads(trx, begun);
    const passes = await beginScoring({ ...requestOf(begun, counts, terms), postings });
    const nearest = identified(passes.nearest(FEEDBACK_CONTENTS), begun.segments, heads);
    if (nearest.length === 0) return NOTHING;
    // The statement is on its way when the turn ends.
    const [feedback] = await Promise.all([
      readFeedback(trx, begun, feedbackContents(nearest, wordsAskedFor(asked))),
      nextTurn().then(passes.prepare),
    ]);
    const found = await readCounts(trx, begun, [...feedback.keys()]);
    const fed = [...found].map(([term, of]) => ({ ...of, term, n: feedback.get(term) ?? 0 }));
    const weights = feedbackTermWeights(begun.contents, fed);
    const widened = weights.map(({ term }) => term);
    const { total, top } = await passes.best(weights, await readPostings(trx, begun, widened), request.limit);
    const { limit, minScore = 0 } = request;
    const ranked = identified(top, begun.segments, heads)
      .filter((one) => one.score >= minScore)
      .slice(0, limit)
      .map(({ contentId, score: of }) => ({ contentId, score: of }));
    return { totalCandidates: total, ranked };
  };
  /** With the rarities of its words, where anything was found. */
  const scored = async (
    trx: Sql,
    request: RankRequest,
    begun: Beginning,
    started: Started,
  ): Promise<Ranking> => {
    const ranking = await score(trx, request, begun, started);
    if (ranking === NOTHING) return NOTHING;
    return { ...ranking, rarities: raritiesOf(begun.contents, started.asked, started.terms) };
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
      return readState(db, async (trx) => {
        const begun = await begin(trx, scope.tenant, candidatesOf(scope, request));
        if (begun === null) return NOTHING;
        const started = await start(trx, request.query, begun);
        if (started === null) return NOTHING;
        const unknown = unknownWords(started.asked, isKnownIn(started));
        const correctedQuery = await correctSpelling(trx, begun, request.query, unknown);
        if (correctedQuery === null) return scored(trx, request, begun, started);
        const again = await start(trx, correctedQuery, begun);
        return again === null ? NOTHING : { ...(await scored(trx, request, begun, again)), correctedQuery };
      });
    },
  };
};

/** A query, and what the index knows of its terms. */
interface Started {
  readonly asked: readonly AskedWord[];
  /** How often each term is asked for. */
  readonly counts: ReadonlyMap<string, number>;
  /** Those that any content has. */
  readonly terms: readonly QueryTerm[];
}

const isKnownIn = ({ terms }: Pick<Started, 'terms'>): ((term: string) => boolean) => {
  const known = new Set(terms.map(({ term }) => term));
  return (term) => known.has(term);
};

/** Some 10 MB. */
const MAX_STEMS = 50_000;

const NO_WORDS = async (): Promise<IsWord> => () => false;

const NOTHING: Ranking = { ranked: [], totalCandidates: 0 };

/** The best by the query's own terms, and what each counts. */
const feedbackContents = (nearest: readonly Identified[], words: number): readonly FeedbackContent[] => {
  const best = nearest.slice(0, FEEDBACK_CONTENTS);
  const shares = feedbackShares(
    best.map(({ score }) => score),
    words,
  );
  return best.map(({ no }, i) => ({ no, share: shares[i] ?? 0 }));
};

const requestOf = (
  begun: Beginning,
  asked: ReadonlyMap<string, number>,
  terms: readonly QueryTerm[],
): Omit<ScoreRequest, 'postings'> => ({
  segments: begun.segments,
  lengths: lengthNormalisation(begun.contents, begun.textLength, begun.titleLength),
  weights: queryTermWeights(begun.contents, terms),
  feedbackWeight: 1 / maxAsked(asked),
  allowed: begun.allowed,
  dead: begun.dead,
  shown: begun.shown,
});

/** Which contents are ranked, and which of the ranked are then shown. */
const candidatesOf = (scope: CatalogScope, { filter, usePostfilter }: RankRequest): Candidates => {
  const condition = contentCondition(scope, filter);
  const before = usePostfilter === true ? null : condition;
  const shown = usePostfilter === true ? condition : null;
  const restricted = scope.only !== null || scope.access !== null || before !== null;
  if (!restricted) return shown === null ? ALL_CONTENTS : { ...ALL_CONTENTS, shown };
  const sources = scope.access === null ? sourcesOf(scope, usePostfilter === true ? {} : filter) : null;
  if (sources !== null) return { allowed: null, shown, sources };
  return { allowed: sql<boolean>`(${seenContent(scope)} and ${before ?? ALL})`, shown, sources };
};

/** The data sources that a filter is about, if it is about nothing else. Their contents are known without the database. */
const sourcesOf = (
  { tenant, only }: CatalogScope,
  { sourceGroupIds, tags, sourceMetadata = [], chunkMetadata = [], ...others }: ContentFilter,
): RawBuilder<readonly string[]> | null => {
  const isMore = Object.values(others).some((part) => part !== undefined);
  if (isMore || sourceMetadata.length + chunkMetadata.length > 0) return null;
  const named = [only, sourceGroupIds].filter((ids) => ids !== null && ids !== undefined);
  const [first, ...more] = named.map((ids) => new Set(uuids(ids).map((id) => id.toLowerCase())));
  const ids = first && [...first].filter((id) => more.every((of) => of.has(id)));
  if (tags === undefined) return sql`${ids ?? []}::text[]`;
  return sql`array(select t.id::text from unnest(${groupsWithTags(tenant, tags)}) as t(id)
    where ${ids === undefined ? ALL : sql`t.id = any(${ids}::uuid[])`})`;
};

const ALL_CONTENTS: Candidates = { allowed: null, shown: null, sources: null };
const ALL: RawBuilder<boolean> = sql<boolean>`true`;
