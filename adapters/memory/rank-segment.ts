import type { CatalogScope } from '../../application/ports/catalog.ts';
import type { Ranking, RankRequest } from '../../application/ports/search-index.ts';
import type { Turns } from '../../domain/ranking/add-terms.ts';
import { type AskedWord, mostAsked, termCounts, wordsAskedFor } from '../../domain/ranking/asked-terms.ts';
import { bestSuggestion, nearestOf, respelled, unknownWords } from '../../domain/ranking/spelling.ts';
import { nearWords } from '../../domain/ranking/near-words.ts';
import { unwrittenOf, unwrittenWords } from '../../domain/ranking/unwritten.ts';
import { queryWords } from '../../domain/ranking/query-words.ts';
import {
  FEEDBACK_CONTENTS,
  feedbackShares,
  feedbackTermWeights,
  lengthNormalisation,
  queryTermWeights,
} from '../../domain/ranking/term-weights.ts';
import type { TopHits } from '../../domain/ranking/top-k.ts';
import type { ScoreRequest } from '../../domain/ranking/sums.ts';
import { createTwoPassScoring } from '../../domain/ranking/two-pass-scoring.ts';
import { feedbackWords } from '../../domain/ranking/vocabulary.ts';
import { plainTerms } from './plain-terms.ts';
import { isSeen, passes, type Searchable, type TagsOfGroup } from './searchable-contents.ts';
import { documentOf, type TenantSegment } from './tenant-segment.ts';

/** Searches here are short: nobody needs a turn. */
const NO_TURNS: Turns = { begin: () => () => null, later: (act) => act() };

/** Ranks the contents of a tenant by the two passes of the domain. */
export const createSegmentRanking = (tagsOf: TagsOfGroup) => {
  const beginScoring = createTwoPassScoring(NO_TURNS);
  const rank = async (of: TenantSegment, scope: CatalogScope, request: RankRequest): Promise<Ranking> => {
    const asked = askedOf(request.query);
    const query = termCounts(asked);
    if (query.keys().every((term) => !of.postings.has(term))) return NOTHING;
    const scoring = await beginScoring({ ...weighed(of, query), ...bounds(of, scope, request, tagsOf) });
    const nearest = inOrder(scoring.nearest(FEEDBACK_CONTENTS), of).slice(0, FEEDBACK_CONTENTS);
    if (nearest.length === 0) return NOTHING;
    const shares = feedbackShares(
      nearest.map(({ score }) => score),
      wordsAskedFor(asked),
    );
    const fed = nearest.flatMap(({ found }, i) =>
      feedbackWords([documentOf(found)]).map(({ word, n }) => ({ word, n: n * (shares[i] ?? 0) })),
    );
    const feedback = termCounts(fed.map(({ word, n }) => ({ n, terms: plainTerms(word).slice(0, 1) })));
    const weights = feedbackTermWeights(of.contents, frequencies(of, feedback));
    const { top, total } = await scoring.best(weights, [of.postings], request.limit);
    const ranked = inOrder(top, of)
      .filter(({ score }) => score >= (request.minScore ?? 0))
      .slice(0, request.limit)
      .map(({ found, score }) => ({ contentId: found.content.id, score }));
    return { ranked, totalCandidates: total };
  };
  return async (of: TenantSegment, scope: CatalogScope, request: RankRequest): Promise<Ranking> => {
    const correctedQuery = corrected(of, request.query, bounds(of, scope, request, tagsOf).allowed);
    const query = correctedQuery ?? request.query;
    const words = unwrittenOf(askedOf(query), (term) => of.postings.has(term));
    const ranking = await rank(of, scope, { ...request, query });
    return {
      ...ranking,
      ...(words.length > 0 && ranking !== NOTHING && { unwritten: unwrittenWords(words, () => false) }),
      ...(correctedQuery !== null && { correctedQuery }),
    };
  };
};

const NOTHING: Ranking = { ranked: [], totalCandidates: 0 };

type TermCounts = ReadonlyMap<string, number>;

const askedOf = (query: string): readonly AskedWord[] =>
  Array.from(queryWords(query), ([word, n]) => ({ word, n, terms: plainTerms(word) }));

/** The query with what nothing contains spelled as something is that may be seen; null where nothing is to be corrected. */
const corrected = (of: TenantSegment, query: string, allowed: Float64Array | null): string | null => {
  const seen = new Set(allowed);
  const contentsWith = (term: string): number => {
    const offsets = of.postings.get(term)?.offsets ?? new Uint32Array();
    return offsets.some((offset) => seen.has(of.segment.firstNo + offset)) ? offsets.length : 0;
  };
  const words = unknownWords(askedOf(query), (term) => of.postings.has(term)).flatMap(
    (unknown): readonly (readonly [string, string])[] => {
      const best = bestSuggestion(unknown.word, nearestOf(nearWords(unknown, of.words)), contentsWith);
      return best === null ? [] : [[unknown.word, best.word]];
    },
  );
  return words.length === 0 ? null : respelled(query, new Map(words));
};

const frequencies = (of: TenantSegment, counts: TermCounts) =>
  [...counts].flatMap(([term, n]) => of.frequencies(term, n));

const weighed = (of: TenantSegment, query: TermCounts): Omit<ScoreRequest, 'allowed' | 'dead' | 'shown'> => ({
  segments: [of.segment],
  postings: [of.postings],
  lengths: lengthNormalisation(of.contents, of.textLength, of.titleLength),
  weights: queryTermWeights(of.contents, frequencies(of, query)),
  feedbackWeight: 1 / mostAsked(query),
});

const bounds = (
  of: TenantSegment,
  scope: CatalogScope,
  { filter, usePostfilter = false }: RankRequest,
  tagsOf: TagsOfGroup,
): Pick<ScoreRequest, 'allowed' | 'dead' | 'shown'> => {
  const shown = (one: Searchable): boolean => passes(filter, one, tagsOf);
  return {
    allowed: of.numbers((one) => isSeen(scope, one) && (usePostfilter || shown(one))),
    dead: new Float64Array(),
    shown: usePostfilter ? of.numbers(shown) : null,
  };
};

/** Best first, equal scores by id. */
const inOrder = (
  { nos, scores }: TopHits,
  { at }: TenantSegment,
): readonly { readonly found: Searchable; readonly score: number }[] =>
  nos
    .map((no, i) => ({ found: at(no), score: scores[i] ?? 0 }))
    .toSorted((a, b) => b.score - a.score || (a.found.content.id < b.found.content.id ? -1 : 1));
