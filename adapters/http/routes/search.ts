import type { RetrievalFilter, SearchOperations } from '../../../application/search/operations.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { HttpProblem } from '../problem.ts';
import { contentRecord } from '../records/source-record.ts';
import { ok } from '../answer.ts';
import { type AnyRoute, route } from '../route.ts';
import { QueryRequest, SearchRequest, SearchResults } from '../schemas/search.ts';
import { ContentList } from '../schemas/source.ts';

const common = { tag: 'search', scope: 'knowledge:read', method: 'post', reads: ['catalog'] } as const;

export const searchRoutes = ({ search, query }: SearchOperations): readonly AnyRoute[] => [
  route({
    ...common,
    path: '/search',
    operationId: 'search',
    summary: 'Find the contents that answer a question best',
    description: 'Without an embedding provider `hybrid` searches by keywords alone, and says so in `mode`.',
    body: SearchRequest,
    answers: { 200: SearchResults },
    problems: ['filter_invalid', 'not_configured'],
    handler: async ({ caller, body }) => {
      const { mode = 'hybrid', limit = 20, rerank = false, use_postfilter = false, min_score } = body;
      const found = await search(caller, {
        query: body.query,
        mode,
        limit,
        rerank,
        use_postfilter,
        ...(min_score !== undefined && { min_score }),
        filter: filterOf(body),
      });
      const results = found.results.map(({ content, score, ranks }) => ({
        content: contentRecord(content),
        score,
        ranks,
      }));
      const { query_id, total_candidates } = found;
      return ok({ results, query_id, total_candidates, mode: found.mode });
    },
  }),
  route({
    ...common,
    path: '/query',
    operationId: 'query',
    summary: 'List the contents that pass a filter: exact and deterministic',
    body: QueryRequest,
    answers: { 200: ContentList },
    problems: ['filter_invalid'],
    handler: async ({ caller, body }) => {
      const request = pageRequestOf(body);
      const page = await query(caller, {
        filter: filterOf(body),
        sort: body.sort ?? 'timestamp',
        page: request,
      });
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ contents: page.rows.map(contentRecord), pagination });
    },
  }),
];

type FilterFields = Omit<QueryRequest, 'sort' | 'limit' | 'after' | 'next_id'>;

/** @throws HttpProblem invalid_request for a filter by tags, of which there are none yet */
const filterOf = (body: FilterFields): RetrievalFilter => {
  if ((body.tags?.length ?? 0) > 0 || (body.tag_ids?.length ?? 0) > 0) {
    throw new HttpProblem(
      'invalid_request',
      'there are no tags to filter by yet: leave tags and tag_ids out',
    );
  }
  const { source_types, file_types, date_from, date_to, domains } = body;
  const { metadata, source_metadata, chunk_metadata, metadata_filter } = body;
  return {
    ...(source_types !== undefined && { source_types }),
    ...(file_types !== undefined && { file_types }),
    ...(date_from !== undefined && { date_from }),
    ...(date_to !== undefined && { date_to }),
    ...(domains !== undefined && { domains }),
    ...(metadata !== undefined && { metadata }),
    ...(source_metadata !== undefined && { source_metadata }),
    ...(chunk_metadata !== undefined && { chunk_metadata }),
    ...(metadata_filter !== undefined && { metadata_filter }),
  };
};
