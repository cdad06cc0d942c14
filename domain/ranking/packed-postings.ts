import { type ByteWriter, type Place, readVarint } from './byte-writer.ts';
import { frequencyOf, type Occurrences, packFrequencies, titleFrequencyOf } from './postings.ts';
import type { SegmentDocuments } from './segment-cache.ts';

/**
 * Postings of one term in bytes: for each document the way from the one before, as a varint whose lowest bit says whether
 * the term occurs once and not in the title; else a byte with how often (7 bits, the highest: whether in the title), and
 * one with how often there. Documents are counted in their segment, from 0; before the first is -1.
 *
 * Lengths are not among them: they are those of the documents, which the segment has once.
 */
export const createPostingPacker = (to: ByteWriter) => {
  let last = -1;
  const add = (document: number, frequency: number, titleFrequency: number): void => {
    const isPlain = frequency === 1 && titleFrequency === 0;
    to.varint((document - last - 1) * 2 + (isPlain ? 0 : 1));
    last = document;
    if (isPlain) return;
    to.byte(frequency | (titleFrequency > 0 ? 128 : 0));
    if (titleFrequency > 0) to.byte(titleFrequency);
  };
  return {
    /** The next one, in the order of the documents. @param packed of `packStatistics` */
    add: (document: number, packed: number): void =>
      add(document, frequencyOf(packed), titleFrequencyOf(packed)),
    /** The postings of the next term begin. */
    begin: (): void => {
      last = -1;
    },
  };
};

/** Calls `visit` for each posting with the document and its frequencies, as `packFrequencies` has them. */
export const forEachPacked = (
  bytes: Uint8Array,
  from: number,
  to: number,
  visit: (document: number, packed: number) => void,
): void => {
  const place: Place = { at: from };
  let document = -1;
  while (place.at < to) {
    const step = readVarint(bytes, place);
    document += Math.floor(step / 2) + 1;
    if (step % 2 === 0) visit(document, 1);
    else {
      const frequency = bytes[place.at++] as number;
      visit(
        document,
        frequency < 128 ? frequency : packFrequencies(frequency & 127, bytes[place.at++] as number),
      );
    }
  }
};

/** With the lengths of the documents, and the documents by their numbers in the segment. */
export const unpackPostings = (
  bytes: Uint8Array,
  from: number,
  to: number,
  df: number,
  documents: SegmentDocuments,
): Occurrences => {
  const offsets = new Uint32Array(df);
  const statistics = new Int32Array(df);
  let i = 0;
  forEachPacked(bytes, from, to, (document, packed) => {
    offsets[i] = documents.offsets[document] as number;
    statistics[i] = packed | (documents.lengths[document] as number);
    i += 1;
  });
  return { offsets, statistics };
};
