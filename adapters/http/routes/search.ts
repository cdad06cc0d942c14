import type { SearchOperations } from '../../../application/retrieval/operations.ts';
import type { RetrievalFilter, UnreadFilter } from '../../../application/retrieval/retrieval-filter.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { HttpProblem } from '../problem.ts';
import { contentRecord } from '../records/source-record.ts';
import { ok } from '../answer.ts';
import { onBehalfOfIn } from '../on-behalf-of.ts';
import { type AnyRoute, route } from '../route.ts';
import { QueryRequest, SearchRequest, SearchResults } from '../schemas/search.ts';
import { ContentList } from '../schemas/source.ts';

const common = { tag: 'search', scope: 'knowledge:read', method: 'post', reads: ['catalog', 'tag'] } as const;

export const searchRoutes = ({ search, query, highlight }: SearchOperations): readonly AnyRoute[] => [
  route({
    ...common,
    path: '/search',
    operationId: 'search',
    summary: 'Find the contents that answer a question best',
    description:
      "Without an embedding provider, or while it fails or has not embedded enough yet, `hybrid` (and then `vector` too) searches by keywords alone, and says so in `mode`. With `rerank` the best 50 are judged one by one, and scores and `min_score` are the reranker's; while it fails they are the ranking's, and `reranked` says so.",
    body: SearchRequest,
    answers: { 200: SearchResults },
    problems: ['filter_invalid', 'authz_policy_not_found', 'not_configured'],
    handler: async ({ caller, body }) => {
      const {
        mode = 'hybrid',
        limit = 20,
        rerank = false,
        use_postfilter: usePostfilter = false,
        min_score: minScore,
      } = body;
      const wanted = {
        query: body.query,
        mode,
        limit,
        rerank,
        usePostfilter,
        ...(minScore !== undefined && { minScore }),
        filter: filterOf(body),
      };
      const found = await search(caller, wanted, onBehalfOfIn(body));
      const texts = found.results.map(({ content }) => content.text);
      const places = await highlight(body.query, texts);
      const results = found.results.map(({ content, score, ranks }, i) => ({
        content: contentRecord(content),
        score,
        ranks,
        highlights: (places[i] ?? []).map(({ start, end }) => ({ start, end })),
      }));
      const { queryId, totalCandidates, reranked } = found;
      return ok({
        results,
        query_id: queryId,
        total_candidates: totalCandidates,
        mode: found.mode,
        reranked,
      });
    },
  }),
  route({
    ...common,
    path: '/query',
    operationId: 'query',
    summary: 'List the contents that pass a filter: exact and deterministic',
    description:
      'No ranking: the same request answers the same contents in the same order while nothing changes.',
    body: QueryRequest,
    answers: { 200: ContentList },
    problems: ['filter_invalid', 'authz_policy_not_found'],
    handler: async ({ caller, body }) => {
      const request = pageRequestOf(body);
      const wanted = { filter: filterOf(body), sort: body.sort ?? 'timestamp', page: request };
      const page = await query(caller, wanted, onBehalfOfIn(body));
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ contents: page.rows.map(contentRecord), pagination });
    },
  }),
];

/** As search, query and completions have them alike. */
type FilterFields = Omit<QueryRequest, 'sort' | 'limit' | 'after' | 'next_id'>;

/**
 * @throws HttpProblem filter_invalid for dates that nothing can lie between
 */
export const filterOf = (body: FilterFields): RetrievalFilter => {
  if (body.date_from !== undefined && body.date_to !== undefined && body.date_from > body.date_to) {
    const message = `date_from (${body.date_from}) must not lie after date_to (${body.date_to})`;
    throw new HttpProblem('filter_invalid', message);
  }
  const { tags = [], tag_ids: tagIds = [], tag_filter_logic: tagFilterLogic = 'OR' } = body;
  const {
    source_group_ids: sourceGroupIds,
    source_types: sourceTypes,
    file_types: fileTypes,
    date_from: dateFrom,
    date_to: dateTo,
    domains,
  } = body;
  const {
    metadata,
    source_metadata: sourceMetadata,
    chunk_metadata: chunkMetadata,
    metadata_filter: metadataFilter,
  } = body;
  const onSources = unread({ metadata, source_metadata: sourceMetadata });
  const onChunks = unread({ chunk_metadata: chunkMetadata, metadata_filter: metadataFilter });
  return {
    tags: { names: tags, ids: tagIds, logic: tagFilterLogic },
    ...(sourceGroupIds !== undefined && {
      sourceGroupIds: sourceGroupIds.map((id) => id.toLowerCase()),
    }),
    ...(sourceTypes !== undefined && { sourceTypes }),
    ...(fileTypes !== undefined && { fileTypes }),
    ...(dateFrom !== undefined && { dateFrom }),
    ...(dateTo !== undefined && { dateTo }),
    ...(domains !== undefined && { domains }),
    ...(onSources.length > 0 && { onSources }),
    ...(onChunks.length > 0 && { onChunks }),
  };
};

/** The interface has two names for each kind of filter. Beyond here, the one that was used only serves errors. */
const unread = (fields: { readonly [name: string]: unknown }): readonly UnreadFilter[] =>
  Object.entries(fields).flatMap(([name, raw]) => (raw === undefined ? [] : [{ name, raw }]));
