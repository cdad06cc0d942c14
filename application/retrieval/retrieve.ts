import type { CatalogScope } from '../ports/catalog-scope.ts';
import type { Contents } from '../ports/contents.ts';
import { type Indexes, rank } from './rank.ts';
import type { SearchRequest, SearchResult } from './search-request.ts';

/** Finds the contents that answer a request best, as `contents` shows them. */
export type Retrieve = (scope: CatalogScope, request: SearchRequest) => Promise<SearchResult>;

export interface RetrieveDeps extends Indexes {
  readonly contents: Pick<Contents, 'contentsById'>;
}

/** Ranks, then reads what was ranked; a content that goes in between is left out. */
export const createRetrieve =
  ({ contents, ...indexes }: RetrieveDeps): Retrieve =>
  async (scope, request) => {
    const { ranked, ...rest } = await rank(indexes, scope, request);
    const found = await contents.contentsById(
      scope,
      ranked.map(({ contentId }) => contentId),
    );
    const byId = new Map(found.map((content) => [content.id, content]));
    const results = ranked.flatMap(({ contentId, score, ranks }) => {
      const content = byId.get(contentId);
      return content === undefined ? [] : [{ content, score, ranks }];
    });
    return { results, ...rest };
  };
