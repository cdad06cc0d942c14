import type { TagOperations } from '../../../application/sources/tags/operations.ts';
import { created, ok } from '../answer.ts';
import { pageRequestOf, paginationOf } from '../page.ts';
import { tagRecord } from '../records/tag-record.ts';
import { type AnyRoute, route } from '../route.ts';
import { ListQuery, Message } from '../schemas/common.ts';
import { Tag, TagChange, TagCreate, TagList } from '../schemas/tag.ts';

const read = { tag: 'tags', scope: 'knowledge:read', method: 'get', reads: ['tag'] } as const;
const write = { tag: 'tags', scope: 'knowledge:write', writes: true, settles: ['tag'] } as const;

export const tagRoutes = (tags: TagOperations): readonly AnyRoute[] => [
  route({
    ...write,
    method: 'post',
    path: '/tags',
    operationId: 'createTag',
    summary: 'Create a tag',
    description: 'Its name is compared as it is written: case and accents tell tags apart.',
    body: TagCreate,
    idempotent: true,
    answers: { 201: Tag },
    problems: ['name_taken', 'key_restricted', 'idempotency_conflict'],
    handler: async ({ caller, body, idempotencyKey }) => {
      const { name, description = '' } = body;
      const made = await tags.create(caller, { name, description }, idempotencyKey);
      return created(tagRecord(made.record), `/tags/${made.record.id}`, made);
    },
  }),
  route({
    ...read,
    path: '/tags',
    operationId: 'listTags',
    summary: 'List tags, newest first',
    description: 'A key that is restricted to source groups sees the tags that these carry.',
    query: ListQuery,
    answers: { 200: TagList },
    handler: async ({ caller, query }) => {
      const request = pageRequestOf(query);
      const page = await tags.list(caller, request);
      const pagination = paginationOf(page, request.limit, ({ id }) => id);
      return ok({ tags: page.rows.map(tagRecord), pagination });
    },
  }),
  route({
    ...read,
    path: '/tags/{id}',
    operationId: 'getTag',
    summary: 'Get a tag',
    description: 'With the number of source groups that carry it.',
    answers: { 200: Tag },
    handler: async ({ caller, id }) => ok(tagRecord(await tags.get(caller, id))),
  }),
  route({
    ...write,
    method: 'put',
    path: '/tags/{id}',
    operationId: 'changeTag',
    summary: 'Change name and description of a tag',
    description: 'What is absent stays as it is.',
    body: TagChange,
    answers: { 200: Tag },
    problems: ['name_taken', 'key_restricted'],
    handler: async ({ caller, id, body }) => {
      const { record, position } = await tags.change(caller, id, body);
      return ok(tagRecord(record), position);
    },
  }),
  route({
    ...write,
    method: 'delete',
    path: '/tags/{id}',
    operationId: 'deleteTag',
    summary: 'Delete a tag, and its bindings with it',
    description: 'Its name is free again. Searches that name it match nothing from now on.',
    answers: { 200: Message },
    problems: ['key_restricted'],
    handler: async ({ caller, id }) => {
      const { position } = await tags.remove(caller, id);
      return ok({ message: `tag ${id} was deleted` }, position);
    },
  }),
];
