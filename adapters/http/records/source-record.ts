import type { ContentRecord } from '../../../application/ports/contents.ts';
import type { SourceRecord } from '../../../application/ports/sources.ts';
import type { Content, Source } from '../schemas/source.ts';

/** Written out field by field: this is the most frequent answer, and no field may slip into it unseen. */
export const contentRecord = (content: ContentRecord): Content => ({
  id: content.id,
  text: content.text,
  url: content.url,
  title: content.title,
  timestamp: content.timestamp,
  file_type: content.file_type,
  page_number: content.page_number,
  source_type: content.source_type,
  source_id: content.source_id,
  keywords: content.keywords as string[],
});

export const sourceRecord = (source: SourceRecord): Source => ({
  id: source.id,
  source_group_id: source.source_group_id,
  source_type: source.source_type,
  title: source.title,
  url: source.url,
  ...(source.file_type !== null && { file_type: source.file_type }),
  ...(source.size !== null && { size: source.size }),
  ...(source.sha256 !== null && { sha256: source.sha256 }),
  status: source.status,
  ...(source.skip_reason !== null && { skip_reason: source.skip_reason }),
  ...(source.error !== null && { error: { code: source.error.code, message: source.error.message } }),
  last_seen_time: source.last_seen_time,
  ...(source.indexed_time !== null && { indexed_time: source.indexed_time }),
  content_count: source.content_count,
  metadata: { records: source.metadata.map(({ key, val, type }) => ({ key, val, type })) },
});
