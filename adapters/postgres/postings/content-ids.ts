import type { Segment } from '../../../domain/ranking/postings.ts';
import { documentAt, ID_BYTES } from '../../../domain/ranking/segment-documents.ts';
import type { TopHits } from '../../../domain/ranking/top-k.ts';
import type { SegmentHead } from './segment-reader.ts';

/** UUIDs as bytes, one after the other. */
export const packIds = (ids: readonly string[]): Uint8Array =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex');

const idAt = (ids: Uint8Array, place: number): string => {
  const hex = Buffer.from(ids.buffer, ids.byteOffset + place * ID_BYTES, ID_BYTES).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
};

export interface Identified {
  readonly no: number;
  readonly contentId: string;
  readonly score: number;
}

/** With the ids of their contents, best first, equal scores by id. @param heads of these segments */
export const identified = (
  { nos, scores }: TopHits,
  segments: readonly Segment[],
  heads: readonly SegmentHead[],
): readonly Identified[] =>
  nos
    .flatMap((no, i): readonly Identified[] => {
      const of = segments.findIndex(({ firstNo, lastNo }) => no >= firstNo && no <= lastNo);
      const [segment, head] = [segments[of], heads[of]];
      if (segment === undefined || head === undefined) return [];
      const place = documentAt(head.documents, no - segment.firstNo);
      return place < 0 ? [] : [{ no, contentId: idAt(head.documents.ids, place), score: scores[i] ?? 0 }];
    })
    .toSorted((a, b) => b.score - a.score || (a.contentId < b.contentId ? -1 : 1));
