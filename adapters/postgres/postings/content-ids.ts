import type { Segment } from '../../../domain/ranking/postings.ts';
import { documentAt, ID_BYTES } from '../../../domain/ranking/segment-documents.ts';
import type { TopHits } from '../../../domain/ranking/top-k.ts';
import type { SegmentHead } from './segment-reader.ts';

/** UUIDs as bytes, one after the other. */
export const packIds = (ids: readonly string[]): Uint8Array =>
  Buffer.from(ids.map((id) => id.replaceAll('-', '')).join(''), 'hex');

/** Hexadecimal digits, and the places of a UUID's bytes among them. */
const DIGITS = Buffer.from('0123456789abcdef', 'latin1');
const PLACES = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];
const written = Buffer.from('00000000-0000-0000-0000-000000000000', 'latin1');

/** Digit by digit into one text: each search names fifty. */
const idAt = (ids: Uint8Array, place: number): string => {
  for (let i = 0; i < ID_BYTES; i++) {
    const byte = ids[place * ID_BYTES + i] as number;
    const at = PLACES[i] as number;
    written[at] = DIGITS[byte >> 4] as number;
    written[at + 1] = DIGITS[byte & 15] as number;
  }
  return written.toString('latin1');
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
