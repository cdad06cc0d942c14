import type { CatalogScope, SearchRequest, SearchResult } from '../../../application/ports/catalog.ts';
import type { LexicalIndex } from '../../../application/ports/lexical-index.ts';
import type { Sql } from '../projections/projection.ts';
import { contentsById } from './content-rows.ts';

/** Ranks, then reads what was ranked; a content that goes in between is left out. */
export const search = async (
  db: Sql,
  lexicalIndex: LexicalIndex,
  scope: CatalogScope,
  request: SearchRequest,
): Promise<SearchResult> => {
  const { ranked, total_candidates } = await lexicalIndex.rank(scope, request);
  const contents = await contentsById(
    db,
    scope,
    ranked.map(({ content_id }) => content_id),
  );
  const byId = new Map(contents.map((content) => [content.id, content]));
  const results = ranked.flatMap(({ content_id, score }, i) => {
    const content = byId.get(content_id);
    return content === undefined ? [] : [{ content, score, ranks: { keyword: i + 1 } }];
  });
  return { results, total_candidates };
};
