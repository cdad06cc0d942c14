import Type, { type Static } from 'typebox';
import { closed, Id, Pagination, patterned, UnixSeconds } from './common.ts';

const TagName = patterned('\\S', 'must not be blank', {
  maxLength: 100,
  description: 'Unique: compared as it is written',
});
const Description = Type.String({ maxLength: 2000, description: 'An empty text: none' });

export const Tag = Type.Object({
  id: Id,
  name: Type.String(),
  description: Type.Optional(Type.String()),
  source_group_count: Type.Integer({ minimum: 0, description: 'Source groups that carry it' }),
  creation_time: UnixSeconds,
});
export type Tag = Static<typeof Tag>;
export const TagList = Type.Object({ tags: Type.Array(Tag), pagination: Pagination });

export const TagCreate = closed({ name: TagName, description: Type.Optional(Description) });
export const TagChange = closed(
  { name: Type.Optional(TagName), description: Type.Optional(Description) },
  { minProperties: 1 },
);

/** That a source group carries a tag. */
export const TagSourceGroup = Type.Object({
  id: Id,
  tag_id: Id,
  source_group_id: Id,
  creation_time: UnixSeconds,
});
export type TagSourceGroup = Static<typeof TagSourceGroup>;
export const TagSourceGroupList = Type.Object({
  tag_source_groups: Type.Array(TagSourceGroup),
  pagination: Pagination,
});
export const TagSourceGroupCreate = closed({ tag_id: Id, source_group_id: Id });
