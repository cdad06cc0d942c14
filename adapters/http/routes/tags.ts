import type { TagBindingRecord, TagRecord } from '../../../application/ports/source-group-view.ts';
import type { TagOperations } from '../../../application/sources/tags/operations.ts';
import { created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { seconds } from '../data-sources/kind.ts';
import { type AnyRoute, route } from '../route.ts';
import {
  EXAMPLE_ID,
  Id,
  ListQuery,
  Message,
  Pagination,
  UnixSeconds,
  closed,
  patterned,
  DeletedAt,
} from '../schemas/common.ts';
import Type from 'typebox';
import type { Static } from 'typebox';

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
    rewinds: 'id',
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
    rewinds: 'id',
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

const tagRecord = ({ id, name, description, sourceGroupCount, createdAt }: TagRecord): Tag => ({
  id,
  name,
  ...(description !== '' && { description }),
  source_group_count: sourceGroupCount,
  creation_time: seconds(createdAt),
});

export const tagSourceGroupRecord = ({
  id,
  tagId,
  sourceGroupId,
  createdAt,
}: TagBindingRecord): TagSourceGroup => ({
  id,
  tag_id: tagId,
  source_group_id: sourceGroupId,
  creation_time: seconds(createdAt),
});

const TagName = patterned('\\S', 'must not be blank', {
  maxLength: 100,
  description: 'Unique: compared as it is written',
});
const Description = Type.String({ maxLength: 2000, description: 'An empty text: none' });

export const Tag = Type.Object({
  id: Id,
  deleted_at: DeletedAt,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  source_group_count: Type.Integer({ minimum: 0, description: 'Source groups that carry it' }),
  creation_time: UnixSeconds,
});
export type Tag = Static<typeof Tag>;
export const TagList = Type.Object({ tags: Type.Array(Tag), pagination: Pagination });

export const TagCreate = closed(
  { name: TagName, description: Type.Optional(Description) },
  { examples: [{ name: 'manuals', description: 'What customers get' }] },
);
export const TagChange = closed(
  { name: Type.Optional(TagName), description: Type.Optional(Description) },
  { minProperties: 1, examples: [{ name: 'handbooks' }] },
);

/** That a source group carries a tag. */
export const TagSourceGroup = Type.Object({
  id: Id,
  deleted_at: DeletedAt,
  tag_id: Id,
  source_group_id: Id,
  creation_time: UnixSeconds,
});
export type TagSourceGroup = Static<typeof TagSourceGroup>;
export const TagSourceGroupList = Type.Object({
  tag_source_groups: Type.Array(TagSourceGroup),
  pagination: Pagination,
});
export const TagSourceGroupCreate = closed(
  { tag_id: Id, source_group_id: Id },
  { examples: [{ tag_id: EXAMPLE_ID, source_group_id: EXAMPLE_ID }] },
);
