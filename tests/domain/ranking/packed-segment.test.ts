import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteWriter, readVarint } from '../../../domain/ranking/byte-writer.ts';
import { mergeDocuments, mergeTerms } from '../../../domain/ranking/merge-segments.ts';
import { createPostingPacker, unpackPostings } from '../../../domain/ranking/packed-postings.ts';
import { packStatistics } from '../../../domain/ranking/postings.ts';
import {
  documentAt,
  packDocuments,
  type SegmentDocuments,
  unpackDocuments,
} from '../../../domain/ranking/segment-cache.ts';
import { blockWith, createBlockPacker, entriesOf, entryIn } from '../../../domain/ranking/term-blocks.ts';

interface Posting {
  readonly term: string;
  readonly document: number;
  readonly frequency: number;
  readonly titleFrequency: number;
}
interface Segment {
  readonly firstNo: number;
  readonly documents: SegmentDocuments;
  readonly postings: readonly Posting[];
}

const documents = fc
  .array(
    fc.record({
      step: fc.integer({ min: 1, max: 300 }),
      text: fc.nat({ max: 9_000 }),
      title: fc.nat({ max: 300 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((all): SegmentDocuments => {
    let offset = -1;
    return {
      offsets: Uint32Array.from(all, ({ step }) => (offset += step)),
      lengths: Int32Array.from(all, ({ text, title }) => packStatistics(0, text, 0, title)),
      ids: Uint8Array.from({ length: 16 * all.length }, (_, i) => (i * 37) % 256),
    };
  });
/** Words of any script, long ones among them: blocks are cut by bytes. */
const term = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    '=a_name',
    'ünïcöde',
    '漢字',
    '\u{1F600}',
    '\uFFFD',
    'a'.repeat(8_000),
    'b'.repeat(8_000),
  ),
  fc.string({ minLength: 1, maxLength: 3, unit: fc.constantFrom('x', 'y', 'z') }),
);
const segment = documents.chain((of) =>
  fc
    .uniqueArray(
      fc.record({
        term,
        document: fc.nat({ max: of.offsets.length - 1 }),
        frequency: fc.integer({ min: 1, max: 127 }),
        titleFrequency: fc.nat({ max: 7 }),
      }),
      { selector: (posting) => `${posting.term} ${posting.document}`, maxLength: 40 },
    )
    .map((postings) => ({ firstNo: 0, documents: of, postings })),
);

const packed = ({ documents: of, postings }: Segment) => {
  const blocks: Uint8Array[] = [];
  const firsts: string[] = [];
  const to = createBlockPacker(({ first, bytes }) => {
    firsts.push(first);
    blocks.push(bytes);
  });
  const byTerm = Map.groupBy(postings, (posting) => posting.term);
  for (const name of [...byTerm.keys()].toSorted()) {
    const writer = createByteWriter(1);
    const packer = createPostingPacker(writer);
    packer.begin();
    const all = (byTerm.get(name) ?? []).toSorted((a, b) => a.document - b.document);
    for (const { document, frequency, titleFrequency } of all)
      packer.add(document, packStatistics(frequency, 0, titleFrequency, 0));
    const bytes = writer.take();
    const cf = all.reduce((sum, { frequency }) => sum + frequency, 0);
    const titleDf = all.filter(({ titleFrequency }) => titleFrequency > 0).length;
    to.add({ term: name, df: all.length, titleDf, cf, bytes, from: 0, to: bytes.length });
  }
  to.finish();
  return { documents: of, blocks, firsts };
};

/** What is stored, as it was given. */
const rowsOf = (firstNo: number, of: SegmentDocuments, postings: readonly Posting[]) =>
  postings
    .map(({ term: name, document, frequency, titleFrequency }) => ({
      name,
      no: firstNo + (of.offsets[document] as number),
      packed: packStatistics(frequency, 0, titleFrequency, 0) | (of.lengths[document] as number),
    }))
    .toSorted((a, b) => (a.name === b.name ? a.no - b.no : a.name < b.name ? -1 : 1));
const read = (firstNo: number, of: SegmentDocuments, blocks: readonly Uint8Array[]) =>
  blocks.flatMap((block) =>
    [...entriesOf(block)].flatMap(({ term: name, df, bytes, from, to }) => {
      const { offsets, statistics } = unpackPostings(bytes, from, to, df, of);
      return Array.from(offsets, (offset, i) => ({ name, no: firstNo + offset, packed: statistics[i] }));
    }),
  );

describe('a varint', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeNat()), (numbers) => {
        const writer = createByteWriter(1);
        for (const number of numbers) writer.varint(number);
        const [bytes, place] = [writer.take(), { at: 0 }];
        expect(numbers.map(() => readVarint(bytes, place))).toEqual(numbers);
        expect(place.at).toBe(bytes.length);
      }),
    );
  });
});

describe('a packed segment', () => {
  it('has its documents, found by their numbers', () => {
    fc.assert(
      fc.property(documents, (of) => {
        const again = unpackDocuments(packDocuments(of));
        expect(again).toEqual(of);
        const all = Array.from({ length: (of.offsets.at(-1) as number) + 2 }, (_, offset) =>
          documentAt(of, offset),
        );
        expect(all.flatMap((place, offset) => (place < 0 ? [] : [offset]))).toEqual([...of.offsets]);
      }),
    );
  });

  it('has its postings, and each term in the block that the directory says', () => {
    const reached = { blocks: 0 };
    fc.assert(
      fc.property(segment, (of) => {
        const { blocks, firsts, documents: docs } = packed(of);
        reached.blocks = Math.max(reached.blocks, blocks.length);
        expect(read(5, docs, blocks)).toEqual(rowsOf(5, docs, of.postings));
        for (const entry of blocks.flatMap((block) => [...entriesOf(block)])) {
          const block = blocks[blockWith(firsts, entry.term)] as Uint8Array;
          expect(entryIn(block, entry.term)).toEqual(entry);
          expect(entryIn(block, `${entry.term}?`)).toBeNull();
        }
        expect(blockWith(firsts, '')).toBe(-1);
      }),
    );
    expect(reached.blocks).toBeGreaterThan(1);
  });

  it('is, merged with its neighbours, what they were, less what is dropped, and says what that was', () => {
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.nat({ max: 4 }), (list, every) => {
        let next = 100;
        const all = list.map((one): Segment => {
          const firstNo = next;
          next += (one.documents.offsets.at(-1) as number) + 3;
          return { ...one, firstNo };
        });
        const isDropped = (no: number): boolean => every > 0 && no % every === 0;
        const sources = all.map((one) => ({ ...packed(one), firstNo: one.firstNo }));
        const { documents: merged, places } = mergeDocuments(sources, isDropped);
        const blocks: Uint8Array[] = [];
        const to = createBlockPacker(({ bytes }) => blocks.push(bytes));
        const lost = new Map<string, number>();
        for (const { before, entry } of mergeTerms(sources, places)) {
          if (entry !== null) to.add(entry);
          lost.set(before.term, before.cf - (entry?.cf ?? 0));
        }
        to.finish();
        const rows = all.flatMap((one) => rowsOf(one.firstNo, one.documents, one.postings));
        const sorted = rows.toSorted((a, b) => (a.name === b.name ? a.no - b.no : a.name < b.name ? -1 : 1));
        expect(read(100, merged, blocks)).toEqual(sorted.filter(({ no }) => !isDropped(no)));
        const gone = sorted.filter(({ no }) => isDropped(no));
        for (const [name, cf] of lost)
          expect(cf).toBe(
            gone.filter((row) => row.name === name).reduce((sum, row) => sum + (row.packed & 127), 0),
          );
      }),
    );
  });
});
