import type { PastSourceGroup } from '../../../application/access/past.ts';
import type { FailedItem, SourceGroupRecord } from '../../../application/ports/source-group-view.ts';
import type { SourceGroupOperations } from '../../../application/sources/source-groups/operations.ts';
import { kindOfSourceType, sourceTypeOf } from '../../../application/sources/source-groups/source-type.ts';
import { ok } from '../json-response.ts';
import { onBehalfOfIn } from '../request-headers.ts';
import { HttpProblem } from '../problem.ts';
import { cursorOf, pageRequestOf, paginationOf } from '../parameters.ts';
import { seconds, visible } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import { CursorPagination, Id, Name, Pagination, UnixSeconds, closed } from '../schemas/common.ts';
import { IngestionError, JobStatus } from '../schemas/data-source.ts';
import { ContentListQuery, ContentQuery, SourceType } from '../schemas/source.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

const READS = ['data_source', 'ingestion_setting', 'catalog', 'tag'] as const;
const read = { tag: 'source groups', scope: 'knowledge:read', method: 'get', reads: READS } as const;

export const sourceGroupRoutes = (groups: SourceGroupOperations): readonly AnyRoute[] => [
  route({
    ...read,
    path: '/source-groups',
    operationId: 'listSourceGroups',
    summary: 'List source groups of every kind',
    description: 'With authorization on, it counts what the policy allows.',
    query: SourceGroupQuery,
    rewinds: 'id',
    answers: { 200: SourceGroupList },
    problems: ['authz_policy_not_found'],
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const { past } = caller;
      if (past !== undefined && query.sort !== undefined && query.sort !== 'newest')
        throw new HttpProblem('invalid_request', 'the past comes newest first: leave out sort, or as_of');
      const filter = {
        ...(query.id !== undefined && { ids: query.id.map((id) => id.toLowerCase()) }),
        ...(query.status !== undefined && { statuses: query.status }),
        ...(query.source_type !== undefined && { kinds: query.source_type.map(kindOfSourceType) }),
        ...(query.name !== undefined && { name: query.name }),
      };
      const page = await (past === undefined
        ? groups.list(caller, request, onBehalfOfIn(query), filter, query.sort)
        : groups.listPast(caller, past, request, onBehalfOfIn(query), filter));
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ source_groups: page.rows.map(sourceGroupRecord), pagination });
    },
  }),
  route({
    tag: 'source groups',
    scope: 'ingestion:manage',
    method: 'get',
    reads: ['data_source', 'ingestion_setting'],
    path: '/errors',
    operationId: 'listErrors',
    summary: 'Items that failed, of all data sources',
    description:
      'Those of the newest data source first. A failure stands until its item was looked at again, or until a job over all ' +
      'items has succeeded without it. A sync of the data source with the locator reads an item again. Items that were read in part are in the ' +
      'errors of their data source alone.',
    query: FailedItemsQuery,
    answers: { 200: FailedItems },
    handler: async ({ caller, query }) => {
      const { limit = 20, code, after, next_id: alias } = query;
      const from = cursorOf(after, alias);
      const page = { limit, ...(from !== undefined && { after: from }) };
      const { rows, total, next } = await groups.failedItems(caller, page, {
        ...(query.from !== undefined && { from: query.from * 1_000 }),
        ...(query.to !== undefined && { to: query.to * 1_000 }),
        ...(code !== undefined && { code }),
        ...(query.source_type !== undefined && { kinds: query.source_type.map(kindOfSourceType) }),
        ...(query.source_group_id !== undefined && { sourceGroupIds: query.source_group_id }),
      });
      const pagination = {
        limit,
        has_more: next !== undefined,
        total,
        ...(next !== undefined && { next_id: next }),
      };
      return ok({ errors: rows.map(failedItem), pagination });
    },
  }),
  route({
    ...read,
    path: '/source-groups/{id}',
    operationId: 'getSourceGroup',
    summary: 'Get a source group',
    description: 'A data source as searches see it: what it is named, how much is in it, and its tags.',
    query: ContentQuery,
    rewinds: 'id',
    answers: { 200: SourceGroup },
    problems: ['authz_policy_not_found'],
    handler: async ({ caller, id, query }) => {
      const { past } = caller;
      const group = await (past === undefined
        ? groups.get(caller, id, onBehalfOfIn(query))
        : groups.getPast(caller, past, id, onBehalfOfIn(query)));
      return ok(sourceGroupRecord(group));
    },
  }),
  route({
    tag: 'source groups',
    scope: 'knowledge:write',
    writes: true,
    settles: ['ingestion_setting'],
    method: 'put',
    path: '/source-groups/{id}',
    operationId: 'renameSourceGroup',
    summary: 'Change the name of a source group',
    description: 'The name is that of its ingestion setting.',
    body: SourceGroupChange,
    answers: { 200: SourceGroup },
    handler: async ({ caller, id, body }) => {
      const { record, position } = await groups.rename(caller, id, body.name);
      return ok(sourceGroupRecord(record), position);
    },
  }),
];

const sourceGroupRecord = (group: SourceGroupRecord | PastSourceGroup): SourceGroup => ({
  id: group.id,
  name: group.name,
  source_type: sourceTypeOf(group.kind),
  status: visible(group.status),
  ...(group.sourceCount !== undefined && { source_count: group.sourceCount }),
  ...('contentCount' in group && { content_count: group.contentCount }),
  tag_ids: [...group.tagIds],
  ingestion_setting_id: group.ingestionSettingId,
  creation_time: seconds(group.createdAt),
  ...(group.startedAt !== null && { start_time: seconds(group.startedAt) }),
  ...(group.endedAt !== null && { end_time: seconds(group.endedAt) }),
  ...(group.syncedAt !== null && { sync_time: seconds(group.syncedAt) }),
  ...(group.error !== null && { error: { title: group.error.title, message: group.error.message } }),
});

const failedItem = ({
  sourceGroupId,
  sourceGroupName,
  kind,
  at,
  ...item
}: FailedItem): Static<typeof FailedItemRecord> => ({
  source_group_id: sourceGroupId,
  source_group_name: sourceGroupName,
  source_type: sourceTypeOf(kind),
  ...item,
  time: seconds(at),
});

const FailedItemRecord = Type.Object({
  source_group_id: Id,
  source_group_name: Type.String(),
  source_type: SourceType,
  locator: Type.String(),
  code: Type.String(),
  message: Type.String(),
  time: UnixSeconds,
  attempt: Type.Integer(),
});
export const FailedItems = Type.Object({
  errors: Type.Array(FailedItemRecord),
  pagination: CursorPagination,
});

const cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 2_100, description: '`next_id` of the page before' }),
);
const FailedItemsQuery = closed({
  limit: ContentListQuery.properties.limit,
  after: cursor,
  next_id: cursor,
  from: Type.Optional(Type.Integer({ description: 'Failed at this time or later, in Unix seconds' })),
  to: Type.Optional(Type.Integer({ description: 'Failed before this time, in Unix seconds' })),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Of one kind, such as `http_status`' }),
  ),
  source_type: Type.Optional(
    Type.Array(SourceType, { maxItems: 20, description: 'Several are separated by commas' }),
  ),
  source_group_id: Type.Optional(
    Type.Array(Id, { maxItems: 100, description: 'Several are separated by commas' }),
  ),
});

const SourceGroupQuery = closed({
  ...ContentListQuery.properties,
  id: Type.Optional(
    Type.Array(Id, {
      maxItems: 100,
      description: 'These alone, as far as there are any. Several are separated by commas',
    }),
  ),
  status: Type.Optional(
    Type.Array(JobStatus, { maxItems: 20, description: 'Several are separated by commas' }),
  ),
  source_type: Type.Optional(
    Type.Array(SourceType, { maxItems: 20, description: 'Several are separated by commas' }),
  ),
  name: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'How the name begins, in upper or lower case' }),
  ),
  sort: Type.Optional(
    Type.Enum(['newest', 'oldest', 'name'], {
      default: 'newest',
      description:
        '`name` is without regard to case; one that is renamed meanwhile may come twice or not at all',
    }),
  ),
});

/** The sources of one data source; its id is that of the data source. */
export const SourceGroup = Type.Object({
  id: Id,
  name: Type.String(),
  source_type: SourceType,
  status: JobStatus,
  source_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        '0 from the request of its deletion on. Absent in changes, and with `as_of` under a policy',
    }),
  ),
  content_count: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Absent with `as_of`: contents have no history' }),
  ),
  tag_ids: Type.Array(Id, { description: 'In the order in which they were bound' }),
  ingestion_setting_id: Id,
  creation_time: UnixSeconds,
  start_time: Type.Optional(UnixSeconds),
  end_time: Type.Optional(UnixSeconds),
  sync_time: Type.Optional(
    Type.Integer({
      description: 'When the newest job that succeeded ended: how fresh it is; Unix timestamp in seconds',
    }),
  ),
  error: Type.Optional(IngestionError),
});
export type SourceGroup = Static<typeof SourceGroup>;
export const SourceGroupList = Type.Object({
  source_groups: Type.Array(SourceGroup),
  pagination: Pagination,
});
export const SourceGroupChange = closed({ name: Name }, { examples: [{ name: 'Manuals' }] });
