import type { ContentRecord, SourceListFilter, SourceRecord } from '../../../application/ports/catalog.ts';
import type { SourceOperations } from '../../../application/sources/documents/operations.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { MetadataRecord } from '../../../domain/source/events.ts';
import { accepted, ok } from '../json-response.ts';
import { onBehalfOfIn } from '../request-headers.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { RAW_RESPONSES, RAW_HEADERS, sendRawFile } from '../raw-file.ts';
import { type AnyRoute, STREAMED, route } from '../route.ts';
import { Message } from '../schemas/common.ts';
import {
  type Content,
  SourceContentList,
  SourceContentListQuery,
  ContentQuery,
  MetadataReplacement,
  Source,
  SourceList,
  SourceQuery,
} from '../schemas/source.ts';

const read = { tag: 'sources', scope: 'knowledge:read', method: 'get', reads: ['catalog'] } as const;
const DENIED = ['authz_policy_not_found'] as const;
const write = { tag: 'sources', scope: 'knowledge:write', writes: true, settles: ['catalog'] } as const;

export const sourceRoutes = (sources: SourceOperations): readonly AnyRoute[] => [
  route({
    ...read,
    path: '/sources',
    operationId: 'listSources',
    summary: 'List sources',
    description:
      'By default in the order in which they were first read, the last one first. Their ids, and those of contents, derive ' +
      'from what they are, so that they last: they tell nothing of age.',
    query: SourceQuery,
    rewinds: 'id',
    answers: { 200: SourceList },
    problems: DENIED,
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await sources.list(caller, filterOf(query), request, onBehalfOfIn(query), query.sort);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ sources: page.rows.map(sourceRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/sources/{id}',
    operationId: 'getSource',
    summary: 'Get a source',
    description: 'One document with its status: indexed, skipped and why, or failed and how.',
    query: ContentQuery,
    rewinds: 'id',
    answers: { 200: Source },
    problems: DENIED,
    handler: async ({ caller, id, query }) =>
      ok(sourceRecord(await sources.get(caller, id, onBehalfOfIn(query)))),
  }),
  route({
    ...read,
    path: '/sources/{id}/raw',
    operationId: 'downloadSource',
    summary: 'Download the stored file of a source',
    description:
      'As it was fetched, also where redaction hides some of it elsewhere. Ranges and conditional requests are met.',
    query: ContentQuery,
    answers: {},
    otherResponses: RAW_RESPONSES,
    headers: RAW_HEADERS,
    problems: [...DENIED, 'raw_not_kept', 'range_not_satisfiable'],
    handler: async ({ caller, id, query, req, res }) => {
      await sendRawFile(req, res, await sources.raw(caller, id, onBehalfOfIn(query)));
      return STREAMED;
    },
  }),
  route({
    ...read,
    path: '/sources/{id}/contents',
    operationId: 'listSourceContents',
    summary: 'List the chunks of a source in the order of its text',
    description: 'All chunks of one document. One that failed or was skipped has none.',
    query: SourceContentListQuery,
    answers: { 200: SourceContentList },
    problems: DENIED,
    handler: async ({ caller, id, query }) => {
      const { around } = query;
      const request = {
        ...pageRequestOf(query),
        ...(around !== undefined && { around: around.toLowerCase() }),
      };
      if (around !== undefined && request.after !== undefined)
        throw new DomainError('invalid_request', 'around and after exclude each other: send one of them');
      const page = await sources.contents(caller, id, request, onBehalfOfIn(query));
      const pagination = paginationOf(page, request.limit, (row) => row.id);
      return ok({ contents: page.rows.map(contentRecord), before: page.before, pagination });
    },
  }),
  route({
    ...write,
    method: 'delete',
    path: '/sources/{id}',
    operationId: 'deleteSource',
    summary: 'Take a source out',
    description:
      'Hidden from every read from this moment; its bytes are deleted when no job of its data source is under way. ' +
      'A job that is asked for later and finds the document brings it back as new, with its id and its place in lists: to ' +
      'keep a page out, exclude it by `path_filters`.',
    answers: { 202: Source },
    handler: async ({ caller, id }) => {
      const { record, position } = await sources.remove(caller, id);
      return accepted(sourceRecord(record), position);
    },
  }),
  route({
    ...write,
    method: 'put',
    path: '/sources/{id}/metadata',
    operationId: 'replaceSourceMetadata',
    summary: 'Replace the metadata of a source',
    description:
      'All records at once, at most 100. Searches and policies filter by them as soon as they are visible.',
    body: MetadataReplacement,
    answers: { 200: Source },
    handler: async ({ caller, id, body }) => {
      const records: MetadataRecord[] = body.records.map(({ key, val, type = 'string' }) => ({
        key,
        val,
        type,
      }));
      const { record, position } = await sources.replaceMetadata(caller, id, records);
      return ok(sourceRecord(record), position);
    },
  }),
  route({
    ...write,
    method: 'delete',
    path: '/sources/{id}/metadata',
    operationId: 'deleteSourceMetadata',
    summary: 'Delete the metadata of a source',
    description: 'All records at once. Where there are none, it is answered alike.',
    answers: { 200: Message },
    handler: async ({ caller, id }) => {
      const { position } = await sources.deleteMetadata(caller, id);
      return ok({ message: `the metadata of source ${id} was deleted` }, position);
    },
  }),
];

const filterOf = (query: SourceQuery): SourceListFilter => ({
  ...(query.source_group_id !== undefined && { sourceGroupId: query.source_group_id.toLowerCase() }),
  ...(query.source_type !== undefined && { sourceType: query.source_type }),
  ...(query.file_type !== undefined && { fileType: query.file_type }),
  ...(query.url !== undefined && { url: query.url }),
  ...(query.status !== undefined && { statuses: query.status }),
  ...(query.contains !== undefined && { contains: query.contains }),
});

/** Copied field by field: this is the most frequent response, and no field may get into it by accident. */
export const contentRecord = (content: ContentRecord): Content => ({
  id: content.id,
  text: content.text,
  url: content.url,
  title: content.title,
  timestamp: content.timestamp,
  file_type: content.fileType,
  page_number: content.pageNumber,
  source_type: content.sourceType,
  source_id: content.sourceId,
  source_group_id: content.sourceGroupId,
  keywords: content.keywords as string[],
});

export const sourceRecord = (source: SourceRecord): Source => ({
  id: source.id,
  source_group_id: source.sourceGroupId,
  source_type: source.sourceType,
  title: source.title,
  url: source.url,
  locator: source.locator,
  ...(source.fileType !== null && { file_type: source.fileType }),
  ...(source.mediaType !== null && { media_type: source.mediaType.replace(/;.*$/, '').trim() }),
  ...(source.language !== null && { language: source.language }),
  ...(source.size !== null && { size: source.size }),
  ...(source.sha256 !== null && { sha256: source.sha256 }),
  status: source.status,
  ...(source.skipReason !== null && { skip_reason: source.skipReason }),
  ...(source.error !== null && { error: { code: source.error.code, message: source.error.message } }),
  last_seen_time: source.lastSeenTime,
  ...(source.indexedTime !== null && { indexed_time: source.indexedTime }),
  content_count: source.contentCount,
  metadata: { records: source.metadata.map(({ key, val, type }) => ({ key, val, type })) },
});
