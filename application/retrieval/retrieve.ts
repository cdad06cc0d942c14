import { termsAsked } from '../../domain/answer/passage-scores.ts';
import { createTextReader } from '../../domain/answer/read-text.ts';
import { leastBefore, LOOKED_AT, weightOfLook } from '../../domain/ranking/closer-look.ts';
import type { CatalogScope } from '../ports/catalog-scope.ts';
import type { Contents } from '../ports/contents.ts';
import { lookCloser } from './look-closer.ts';
import { type Indexes, rank } from './rank.ts';
import type { SearchRequest, SearchResult } from './search-request.ts';

/** Finds the contents that answer a request best, as `contents` shows them. */
export type Retrieve = (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;

export interface RetrieveDeps extends Indexes {
  readonly contents: Pick<Contents, 'contentsById'>;
}

/**
 * Ranks, reads what was ranked, and looks at the sentences of the first hits. A content that goes in between is left out.
 * What is ranked by vectors alone stays in their order. Texts whose sentences were looked at stay in memory, read.
 */
export const createRetrieve = ({ contents, ...indexes }: RetrieveDeps): Retrieve => {
  const read = createTextReader();
  return async (scope, request) => {
    const { limit, minScore = 0, vectorOnly = false } = request;
    const weight = vectorOnly ? 0 : weightOfLook(termsAsked(request.query));
    const looked = weight > 0 && {
      limit: Math.max(limit, LOOKED_AT),
      minScore: leastBefore(minScore, weight),
    };
    const { ranked, ...rest } = await rank(indexes, scope, { ...request, ...looked });
    const found = await contents.contentsById(
      scope,
      ranked.map(({ contentId }) => contentId),
    );
    const byId = new Map(found.map((content) => [content.id, content]));
    const hits = ranked.flatMap(({ contentId, score, ranks }) => {
      const content = byId.get(contentId);
      return content === undefined ? [] : [{ content, score, ranks }];
    });
    const results = lookCloser(rest.correctedQuery ?? request.query, hits, weight, read)
      .filter(({ score }) => score >= minScore)
      .slice(0, limit);
    return { results, ...rest };
  };
};
