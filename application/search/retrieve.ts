import { termsAsked } from '../../domain/answer/passage-scores.ts';
import { createTextReader } from '../../domain/answer/read-text.ts';
import { createTitleScores } from '../../domain/answer/title-scores.ts';
import {
  leastBefore,
  weightOfDefinitions,
  weightOfLook,
  weightOfPhrases,
  weightOfSecondLook,
  weightOfTitles,
} from '../../domain/ranking/closer-look.ts';
import { createLikeness } from '../../domain/ranking/likeness.ts';
import { PAGES_OF, sharingOf, weightOfPages } from '../../domain/ranking/page-evidence.ts';
import type { CatalogScope, Contents } from '../ports/catalog.ts';
import { byDefinitions } from './by-definitions.ts';
import { byLists } from './by-lists.ts';
import { byLikeness } from './by-likeness.ts';
import { bySigns } from './by-signs.ts';
import { byPages } from './by-pages.ts';
import { byTitleTerms } from './by-title-terms.ts';
import { byTitles } from './by-titles.ts';
import { lookCloser } from './look-closer.ts';
import { type Indexes, rank } from './rank.ts';
import type { SearchRequest, SearchResult } from './search-request.ts';
import { stepBack } from './step-back.ts';

/** Finds the contents that answer a request best, as `contents` shows them. */
export type Retrieve = (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;

export interface RetrieveDeps extends Indexes {
  readonly contents: Pick<Contents, 'contentsById'>;
}

/**
 * Ranks, reads what was ranked, lets hits speak for others like them and pages for their hits, looks at the sentences of
 * the first hits, puts those forward that define what the query names, and pages that are called like the query first. A
 * content that goes in between is left out. What is ranked by vectors alone stays in their order; where vectors count at
 * all they tell what is alike, and words are not asked again. Texts whose sentences were looked at stay in memory, read,
 * and so do the words of those that were compared.
 */
export const createRetrieve = ({ contents, ...indexes }: RetrieveDeps): Retrieve => {
  const read = createTextReader();
  const compare = createLikeness();
  const titleScores = createTitleScores();
  return async (scope, request) => {
    const { limit, minScore = 0, vector, vectorOnly = false, query } = request;
    const terms = termsAsked(query);
    const pages = vectorOnly ? 0 : weightOfPages(query);
    const most = vectorOnly ? UNCHANGED : weightsFor(query, terms, 1);
    // As many however few are wanted: who asks for more finds the same ones first.
    const asked = vectorOnly ? request : { ...request, limit: Math.max(limit, PAGES_OF), minScore: 0 };
    const { ranked, ...rest } = await rank(indexes, scope, asked);
    // The first are read whatever they score: what a page has in them does not depend on the least score.
    const least = [most.again, most.phrases, most.titles, pages].reduce(
      (score, weight) => leastBefore(score, weight),
      minScore,
    );
    const wanted = ranked.filter(({ score }, i) => score >= least || i < PAGES_OF);
    const found = await contents.contentsById(
      scope,
      wanted.map(({ contentId }) => contentId),
    );
    const byId = new Map(found.map((content) => [content.id, content]));
    const hits = wanted.flatMap(({ contentId, score, ranks }) => {
      const content = byId.get(contentId);
      return content === undefined ? [] : [{ content, score, ranks }];
    });
    const corrected = rest.correctedQuery ?? query;
    const alike = vector === undefined ? byLikeness(hits, terms, compare) : hits;
    const sharing = isOneWord(query) ? 0 : sharingOf(alike.map(({ content }) => content.sourceId));
    const weights = vectorOnly ? UNCHANGED : weightsFor(query, terms, sharing);
    const paged = byTitleTerms(corrected, byPages(alike, pages), weights.titles, titleScores);
    const looked = pages > 0 && weights.sentence > 0 ? stepBack(paged, read) : paged;
    const inTexts = lookCloser(corrected, looked, weights, read);
    const explained = weights.sentence > 0 ? byLists(corrected, inTexts, read) : inTexts;
    const results = (
      vectorOnly
        ? inTexts
        : byTitles(corrected, byDefinitions(corrected, bySigns(query, explained), weights.definitions))
    )
      .filter(({ score }) => score >= minScore)
      .slice(0, limit);
    return { results, ...rest };
  };
};

const UNCHANGED = { titles: 0, phrases: 0, sentence: 0, again: 0, definitions: 0 };
const weightsFor = (query: string, terms: number, sharing: number) => ({
  titles: weightOfTitles(sharing),
  phrases: weightOfPhrases(query, terms, sharing),
  sentence: weightOfLook(terms, sharing),
  again: weightOfSecondLook(sharing),
  definitions: weightOfDefinitions(terms),
});

/** Who types a single word names a thing: what defines it is found by that name. */
const isOneWord = (query: string): boolean => !/\s/.test(query.trim());
