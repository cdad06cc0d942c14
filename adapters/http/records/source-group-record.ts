import type { SourceGroupRecord } from '../../../application/ports/source-group-view.ts';
import type { SourceGroup } from '../schemas/source-group.ts';
import { seconds, visible } from './data-source-record.ts';

export const sourceGroupRecord = (group: SourceGroupRecord): SourceGroup => ({
  id: group.id,
  name: group.name,
  source_type: group.kind === 'local_file_group' ? 'local_file' : group.kind,
  status: visible(group.status),
  source_count: group.source_count,
  content_count: group.content_count,
  tag_ids: [...group.tag_ids],
  ingestion_setting_id: group.ingestion_setting_id,
  creation_time: seconds(group.created_at),
});
