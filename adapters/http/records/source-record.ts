import type { ContentRecord, SourceRecord } from '../../../application/ports/catalog.ts';
import type { Content, Source } from '../schemas/source.ts';

/** Written out field by field: this is the most frequent answer, and no field may slip into it unseen. */
export const contentRecord = (content: ContentRecord): Content => ({
  id: content.id,
  text: content.text,
  url: content.url,
  title: content.title,
  timestamp: content.timestamp,
  file_type: content.fileType,
  page_number: content.pageNumber,
  source_type: content.sourceType,
  source_id: content.sourceId,
  keywords: content.keywords as string[],
});

export const sourceRecord = (source: SourceRecord): Source => ({
  id: source.id,
  source_group_id: source.sourceGroupId,
  source_type: source.sourceType,
  title: source.title,
  url: source.url,
  ...(source.fileType !== null && { file_type: source.fileType }),
  ...(source.language !== null && { language: source.language }),
  ...(source.size !== null && { size: source.size }),
  ...(source.sha256 !== null && { sha256: source.sha256 }),
  status: source.status,
  ...(source.skipReason !== null && { skip_reason: source.skipReason }),
  ...(source.error !== null && { error: { code: source.error.code, message: source.error.message } }),
  last_seen_time: source.lastSeenTime,
  ...(source.indexedTime !== null && { indexed_time: source.indexedTime }),
  content_count: source.contentCount,
  metadata: { records: source.metadata.map(({ key, val, type }) => ({ key, val, type })) },
});
