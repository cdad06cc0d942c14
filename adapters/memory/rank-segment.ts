import type { CatalogScope } from '../../application/ports/catalog-scope.ts';
import type { Ranking, RankRequest } from '../../application/ports/search-index.ts';
import type { Turns } from '../../domain/ranking/add-terms.ts';
import {
  FEEDBACK_CONTENTS,
  feedbackTermWeights,
  lengthNormalisation,
  queryTermWeights,
} from '../../domain/ranking/term-weights.ts';
import type { TopHits } from '../../domain/ranking/top-k.ts';
import { createTwoPassScoring, type ScoreRequest } from '../../domain/ranking/two-pass-scoring.ts';
import { feedbackWords } from '../../domain/ranking/vocabulary.ts';
import { countWords, wordsOf } from '../../domain/shared/words.ts';
import { plainTerm } from './plain-terms.ts';
import { isSeen, passes, type Searchable, type TagsOfGroup } from './searchable-contents.ts';
import { documentOf, type TenantSegment } from './tenant-segment.ts';

/** Searches here are short: nobody needs a turn. */
const NO_TURNS: Turns = { begin: () => () => null, later: (act) => act() };

/** Ranks the contents of a tenant by the two passes of the domain. */
export const createSegmentRanking = (tagsOf: TagsOfGroup) => {
  const beginScoring = createTwoPassScoring(NO_TURNS);
  return async (of: TenantSegment, scope: CatalogScope, request: RankRequest): Promise<Ranking> => {
    const query = termCounts(countWords(wordsOf(request.query)));
    if (query.every(({ term }) => !of.postings.has(term))) return NOTHING;
    const scoring = await beginScoring({ ...weighed(of, query), ...bounds(of, scope, request, tagsOf) });
    const nearest = inOrder(scoring.nearest(FEEDBACK_CONTENTS), of).slice(0, FEEDBACK_CONTENTS);
    if (nearest.length === 0) return NOTHING;
    const feedback = termCounts(feedbackWords(nearest.map(({ found }) => documentOf(found))));
    const weights = feedbackTermWeights(of.contents, frequencies(of, feedback));
    const { top, total } = await scoring.best(weights, [of.postings], request.limit);
    const ranked = inOrder(top, of)
      .filter(({ score }) => score >= (request.minScore ?? 0))
      .slice(0, request.limit)
      .map(({ found, score }) => ({ contentId: found.content.id, score }));
    return { ranked, totalCandidates: total };
  };
};

const NOTHING: Ranking = { ranked: [], totalCandidates: 0 };

type TermCounts = readonly { readonly term: string; readonly n: number }[];

/** How often each term of these words occurs; stop words are left out. */
const termCounts = (words: ReadonlyMap<string, number>): TermCounts => {
  const counts = new Map<string, number>();
  for (const [word, n] of words) {
    const term = plainTerm(word);
    if (term !== '') counts.set(term, (counts.get(term) ?? 0) + n);
  }
  return [...counts].map(([term, n]) => ({ term, n }));
};

const frequencies = (of: TenantSegment, counts: TermCounts) =>
  counts.flatMap(({ term, n }) => of.frequencies(term, n));

const weighed = (of: TenantSegment, query: TermCounts): Omit<ScoreRequest, 'allowed' | 'dead' | 'shown'> => ({
  segments: [of.segment],
  postings: [of.postings],
  lengths: lengthNormalisation(of.contents, of.textLength, of.titleLength),
  weights: queryTermWeights(of.contents, frequencies(of, query)),
  feedbackWeight: 1 / Math.max(...query.map(({ n }) => n)),
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
