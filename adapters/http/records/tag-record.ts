import type { TagBindingRecord, TagRecord } from '../../../application/ports/source-group-view.ts';
import type { Tag, TagSourceGroup } from '../schemas/tag.ts';
import { seconds } from './data-source-record.ts';

export const tagRecord = ({ id, name, description, sourceGroupCount, createdAt }: TagRecord): Tag => ({
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
