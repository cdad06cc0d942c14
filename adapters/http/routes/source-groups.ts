import type { SourceGroupOperations } from '../../../application/sources/source-groups/operations.ts';
import { ok } from '../answer.ts';
import { onBehalfOfIn } from '../on-behalf-of.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { sourceGroupRecord } from '../records/source-group-record.ts';
import { type AnyRoute, route } from '../route.ts';
import { SourceGroup, SourceGroupChange, SourceGroupList } from '../schemas/source-group.ts';
import { ContentListQuery, ContentQuery } from '../schemas/source.ts';

const READS = ['data_source', 'ingestion_setting', 'catalog', 'tag'] as const;
const read = { tag: 'source groups', scope: 'knowledge:read', method: 'get', reads: READS } as const;

export const sourceGroupRoutes = (groups: SourceGroupOperations): readonly AnyRoute[] => [
  route({
    ...read,
    path: '/source-groups',
    operationId: 'listSourceGroups',
    summary: 'List source groups of every kind, newest first',
    description: 'With authorization on, it counts what the policy allows.',
    query: ContentListQuery,
    answers: { 200: SourceGroupList },
    problems: ['authz_policy_not_found'],
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await groups.list(caller, request, onBehalfOfIn(query));
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ source_groups: page.rows.map(sourceGroupRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/source-groups/{id}',
    operationId: 'getSourceGroup',
    summary: 'Get a source group',
    description: 'A data source as searches see it: what it is named, how much is in it, and its tags.',
    query: ContentQuery,
    answers: { 200: SourceGroup },
    problems: ['authz_policy_not_found'],
    handler: async ({ caller, id, query }) =>
      ok(sourceGroupRecord(await groups.get(caller, id, onBehalfOfIn(query)))),
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
