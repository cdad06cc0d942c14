import type { SourceGroupRecord } from '../../../application/ports/source-group-view.ts';
import { sourceTypeOf } from '../../../application/sources/source-groups/source-type.ts';
import type { SourceGroup } from '../schemas/source-group.ts';
import { seconds, visible } from './data-source-record.ts';

export const sourceGroupRecord = (group: SourceGroupRecord): SourceGroup => ({
  id: group.id,
  name: group.name,
  source_type: sourceTypeOf(group.kind),
  status: visible(group.status),
  source_count: group.sourceCount,
  content_count: group.contentCount,
  tag_ids: [...group.tagIds],
  ingestion_setting_id: group.ingestionSettingId,
  creation_time: seconds(group.createdAt),
});
