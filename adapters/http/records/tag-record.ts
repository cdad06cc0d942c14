import type { TagBindingRecord, TagRecord } from '../../../application/ports/tag-view.ts';
import type { Tag, TagSourceGroup } from '../schemas/tag.ts';
import { seconds } from './data-source-record.ts';

export const tagRecord = ({ id, name, description, source_group_count, created_at }: TagRecord): Tag => ({
  id,
  name,
  ...(description !== '' && { description }),
  source_group_count,
  creation_time: seconds(created_at),
});

export const tagSourceGroupRecord = ({
  id,
  tag_id,
  source_group_id,
  created_at,
}: TagBindingRecord): TagSourceGroup => ({ id, tag_id, source_group_id, creation_time: seconds(created_at) });
