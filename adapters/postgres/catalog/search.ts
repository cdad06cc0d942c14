import type { CatalogScope, SearchRequest, SearchResult } from '../../../application/ports/catalog.ts';
import type { LexicalIndex } from '../../../application/ports/lexical-index.ts';
import type { VectorIndex } from '../../../application/ports/vector-index.ts';
import { fuse, type Fused } from '../../../domain/ranking/fuse.ts';
import type { Sql } from '../sql.ts';
import { contentsById } from './content-rows.ts';

export interface Indexes {
  readonly lexicalIndex: LexicalIndex;
  readonly vectorIndex: VectorIndex;
}

/** How deep either ranking is read where both count: what lies below adds next to nothing to a score. */
const DEPTH = 1_000;

/** Ranks, then reads what was ranked; a content that goes in between is left out. */
export const search = async (
  db: Sql,
  indexes: Indexes,
  scope: CatalogScope,
  request: SearchRequest,
): Promise<SearchResult> => {
  const { ranked, total_candidates } = await ranking(indexes, scope, request);
  const contents = await contentsById(
    db,
    scope,
    ranked.map(({ content_id }) => content_id),
  );
  const byId = new Map(contents.map((content) => [content.id, content]));
  const results = ranked.flatMap(({ content_id, score, ranks }) => {
    const content = byId.get(content_id);
    return content === undefined ? [] : [{ content, score, ranks }];
  });
  return { results, total_candidates };
};

/** Ranks by words, by vectors, or by both, as the request holds a vector. */
export const ranking = async (
  { lexicalIndex, vectorIndex }: Indexes,
  scope: CatalogScope,
  { vector, vector_only = false, min_score, ...request }: SearchRequest,
): Promise<{ readonly ranked: readonly Fused[]; readonly total_candidates: number }> => {
  const minimum = min_score !== undefined && { min_score };
  if (vector === undefined) {
    const { ranked, total_candidates } = await lexicalIndex.rank(scope, { ...request, ...minimum });
    return {
      ranked: ranked.map((content, i) => ({ ...content, ranks: { keyword: i + 1 } })),
      total_candidates,
    };
  }
  const deep = { ...request, limit: Math.max(DEPTH, request.limit) };
  const [byWords, byVector] = await Promise.all([
    vector_only ? undefined : lexicalIndex.rank(scope, deep),
    vectorIndex.rank(scope, { ...deep, ...vector }),
  ]);
  // Both are relative to the best that they ranked, shown or not.
  const legs = { keyword: byWords && { ...byWords, best: 1 }, vector: { ...byVector, best: 1 } };
  return {
    ranked: fuse(legs, { limit: request.limit, ...minimum }),
    total_candidates: Math.max(byVector.total_candidates, byWords?.total_candidates ?? 0),
  };
};
