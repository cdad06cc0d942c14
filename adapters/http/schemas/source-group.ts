import Type, { type Static } from 'typebox';
import { closed, Id, Name, Pagination, UnixSeconds } from './common.ts';
import { JobStatus } from './data-source.ts';
import { SourceType } from './source.ts';

/** The sources of one data source; its id is that of the data source. */
export const SourceGroup = Type.Object({
  id: Id,
  name: Type.String(),
  source_type: SourceType,
  status: JobStatus,
  source_count: Type.Integer({ minimum: 0, description: '0 from the request of its deletion on' }),
  content_count: Type.Integer({ minimum: 0 }),
  tag_ids: Type.Array(Id, { description: 'In the order in which they were bound' }),
  ingestion_setting_id: Id,
  creation_time: UnixSeconds,
});
export type SourceGroup = Static<typeof SourceGroup>;
export const SourceGroupList = Type.Object({
  source_groups: Type.Array(SourceGroup),
  pagination: Pagination,
});
export const SourceGroupChange = closed({ name: Name });
