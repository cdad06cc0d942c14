import type { TagBindingOperations } from '../../../application/sources/tags/binding-operations.ts';
import { created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { TagSourceGroup, TagSourceGroupCreate, TagSourceGroupList, tagSourceGroupRecord } from './tags.ts';
import { type AnyRoute, route } from '../route.ts';
import { ListQuery, Message } from '../schemas/common.ts';

const read = { tag: 'tags', scope: 'knowledge:read', method: 'get', reads: ['tag'] } as const;
const write = { tag: 'tags', scope: 'knowledge:write', writes: true, settles: ['tag'] } as const;

export const tagSourceGroupRoutes = (bindings: TagBindingOperations): readonly AnyRoute[] => [
  route({
    ...write,
    method: 'post',
    path: '/tag-source-groups',
    operationId: 'bindTag',
    summary: 'Bind a tag to a source group',
    description: 'A pair that is bound already is answered with 200 and its record.',
    body: TagSourceGroupCreate,
    idempotent: true,
    answers: { 200: TagSourceGroup, 201: TagSourceGroup },
    problems: ['not_found', 'source_deleting', 'idempotency_conflict'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const pair = {
        tagId: body.tag_id.toLowerCase(),
        sourceGroupId: body.source_group_id.toLowerCase(),
      };
      const bound = await bindings.bind(caller, pair, idempotencyKey);
      const answer = tagSourceGroupRecord(bound.record);
      if (bound.changed) return created(answer, `/tag-source-groups/${bound.record.id}`, bound);
      return { ...ok(answer, bound.position), replayed: bound.replayed };
    },
  }),
  route({
    ...read,
    path: '/tag-source-groups',
    operationId: 'listTagSourceGroups',
    summary: 'List the bindings of tags to source groups, newest first',
    description: 'A restricted key sees those of its own source groups.',
    query: ListQuery,
    rewinds: 'id',
    answers: { 200: TagSourceGroupList },
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await bindings.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ tag_source_groups: page.rows.map(tagSourceGroupRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/tag-source-groups/{id}',
    operationId: 'getTagSourceGroup',
    summary: 'Get the binding of a tag to a source group',
    description: 'Which tag is on which source group, and since when.',
    rewinds: 'id',
    answers: { 200: TagSourceGroup },
    handler: async ({ caller, id }) => ok(tagSourceGroupRecord(await bindings.get(caller, id))),
  }),
  route({
    ...write,
    method: 'delete',
    path: '/tag-source-groups/{id}',
    operationId: 'unbindTag',
    summary: 'Take a tag from a source group',
    description: 'The tag and the source group stay.',
    answers: { 200: Message },
    handler: async ({ caller, id }) => {
      const { position } = await bindings.unbind(caller, id);
      return ok({ message: `the binding ${id} was deleted` }, position);
    },
  }),
];
