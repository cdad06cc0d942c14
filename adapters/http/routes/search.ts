import {
  type RetrievalFilter,
  type SearchHit,
  filterFrom,
} from '../../../application/search/retrieval-filter.ts';
import type { SearchResponse } from '../../../application/search/rerank-results.ts';
import type { SearchOperations } from '../../../application/search/operations.ts';
import type { SerialisedSearch } from '../../../application/search/serialised-search.ts';
import type { Highlight } from '../../../domain/search/highlights.ts';
import { type JsonBytes, jsonBytes, ok, okJson } from '../json-response.ts';
import { onBehalfOfIn } from '../request-headers.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { type AnyRoute, route } from '../route.ts';
import { QueryRequest, SearchRequest, SearchResults } from '../schemas/search.ts';
import { ContentList } from '../schemas/source.ts';
import { contentRecord } from './sources.ts';
import type { Static } from 'typebox';

const common = { tag: 'search', scope: 'knowledge:read', method: 'post', reads: ['catalog', 'tag'] } as const;

export const searchRoutes = (
  { query }: Pick<SearchOperations, 'query'>,
  answer: SerialisedSearch,
): readonly AnyRoute[] => [
  route({
    ...common,
    path: '/search',
    operationId: 'search',
    summary: 'Find the contents that answer a question best',
    description:
      "Without an embedding provider, or while it fails or has embedded less than half, `hybrid` (and then `vector` too) searches by keywords alone, and says so in `mode`; `embedded_share` says how far it is. With `rerank` the best 50 are judged one by one, and scores and `min_score` are the reranker's; while it fails they are the ranking's, and `reranked` says so.",
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
        collapse = 'source',
        explain = false,
      } = body;
      const wanted = {
        query: body.query,
        mode,
        limit,
        rerank,
        usePostfilter,
        collapse,
        explain,
        syntax: true,
        ...(minScore !== undefined && { minScore }),
        filter: filterOf(body),
      };
      return okJson(jsonBytes(await answer(caller, wanted, onBehalfOfIn(body))));
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

/** Shared by search, query and completions. The API has two names for each kind of filter. */
export const filterOf = (body: Omit<QueryRequest, 'sort' | 'limit' | 'after' | 'next_id'>): RetrievalFilter =>
  filterFrom({
    tags: body.tags,
    tagIds: body.tag_ids,
    tagFilterLogic: body.tag_filter_logic,
    sourceGroupIds: body.source_group_ids,
    sourceTypes: body.source_types,
    fileTypes: body.file_types,
    dateFrom: body.date_from,
    dateTo: body.date_to,
    domains: body.domains,
    onSources: { metadata: body.metadata, source_metadata: body.source_metadata },
    onChunks: { chunk_metadata: body.chunk_metadata, metadata_filter: body.metadata_filter },
  });

type Results = Static<typeof SearchResults>;

/** The response to `POST /search`, as JSON. @param places highlights of each hit, in the same order */
export const searchRecord = (
  { results, queryId, correctedQuery, totalCandidates, mode, embeddedShare, reranked }: SearchResponse,
  places: readonly (readonly Highlight[])[],
): JsonBytes<Results> =>
  Buffer.from(
    JSON.stringify({
      results: results.map(({ content, score, ranks, features }, i) => ({
        content: contentRecord(content),
        score,
        ranks,
        ...(features !== undefined && { features: featuresRecord(features) }),
        highlights: places[i] ?? [],
      })),
      query_id: queryId,
      ...(correctedQuery !== undefined && { corrected_query: correctedQuery }),
      total_candidates: totalCandidates,
      mode,
      ...(embeddedShare !== undefined && { embedded_share: embeddedShare }),
      reranked,
    }),
  );

const featuresRecord = ({ titleTerms, exactTitle, ...others }: NonNullable<SearchHit['features']>) => ({
  ...others,
  title_terms: titleTerms,
  exact_title: exactTitle,
});
