import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSegmentBuilder, type SegmentPostings } from '../../../domain/ranking/segment-builder.ts';
import { packStatistics, NO_POSTINGS, type Postings } from '../../../domain/ranking/postings.ts';
import { clearBit, countWithout, hasBit, setBit, wordsFor } from '../../../domain/ranking/bit-set.ts';
import { createByteWriter, readVarint } from '../../../domain/ranking/byte-writer.ts';
import { createPostingCache, createSegmentCache } from '../../../domain/ranking/segment-cache.ts';
import { createPostingPacker } from '../../../domain/ranking/packed-postings.ts';
import { createBlockPacker, entriesOf } from '../../../domain/ranking/term-blocks.ts';
import { forEachIn } from '../../../domain/ranking/block-terms.ts';

/** Words 0 to 5; 5 is a stop word, and 3 and 4 share a term. */
const TERMS = ['a', 'b', 'c', 'd', 'd', ''];
const word = fc.nat({ max: 5 });
const documents = fc.array(
  fc.record({
    title: fc.array(word, { maxLength: 3 }),
    body: fc.array(word, { maxLength: 12 }),
    beside: fc.array(word, { maxLength: 3 }),
  }),
);
const occurrences = (words: readonly number[], term: string): number =>
  words.filter((w) => TERMS[w] === term).length;

const rowsOf = ({ terms, df, titleDf, cf, ends, places, statistics }: SegmentPostings) =>
  terms.map((term, i) => {
    const [start, end] = [(ends[i] ?? 0) - (df[i] ?? 0), ends[i] ?? 0];
    return {
      term,
      df: df[i],
      titleDf: titleDf[i],
      cf: cf[i],
      places: [...places.subarray(start, end)],
      statistics: [...statistics.subarray(start, end)],
    };
  });

describe('createSegmentBuilder', () => {
  it('lists for every term the documents that have it, in order, with what ranking needs', () => {
    fc.assert(
      fc.property(documents, (docs) => {
        const builder = createSegmentBuilder(TERMS.map((term) => (term === '' ? [] : [term])));
        const lengths = docs.map((doc, i) => builder.add({ no: i + 10, ...doc }));
        const real = (words: readonly number[]) => words.filter((w) => TERMS[w] !== '').length;
        expect(lengths).toEqual(
          docs.map(({ title, body }) => ({ text: real(title) + real(body), title: real(title) })),
        );
        const expected = ['a', 'b', 'c', 'd'].map((term) => {
          const having = docs
            .map(({ title, body, beside }, place) => {
              const inTitle = occurrences(title, term);
              const inText = inTitle + occurrences(body, term) + occurrences(beside, term);
              const packed = packStatistics(
                inText,
                lengths[place]?.text ?? 0,
                inTitle,
                lengths[place]?.title ?? 0,
              );
              return { place, inTitle, inText, packed };
            })
            .filter(({ inText }) => inText > 0);
          return {
            term,
            df: having.length,
            titleDf: having.filter(({ inTitle }) => inTitle > 0).length,
            cf: having.reduce((sum, { inText }) => sum + inText, 0),
            places: having.map(({ place }) => place),
            statistics: having.map(({ packed }) => packed),
          };
        });
        expect(rowsOf(builder.postings())).toEqual(expected);
      }),
    );
  });

  it('finds a text by the other terms of a word too, which make it no longer', () => {
    const builder = createSegmentBuilder([['resum', 'resume'], ['send']]);
    expect(builder.add({ no: 1, title: [0], body: [1, 0], beside: [] })).toEqual({ text: 3, title: 1 });
    expect(rowsOf(builder.postings()).map(({ term, titleDf, cf }) => [term, titleDf, cf])).toEqual([
      ['resum', 1, 2],
      ['send', 0, 1],
      ['resume', 1, 2],
    ]);
  });
});

const places = fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 40 });
const setOf = (all: readonly number[]): Uint32Array => {
  const set = new Uint32Array(wordsFor(100));
  for (const at of all) setBit(set, at);
  return set;
};

describe('a set of bits', () => {
  it('holds what was put in and not taken out', () => {
    fc.assert(
      fc.property(places, places, (put, taken) => {
        const set = setOf(put);
        for (const at of taken) clearBit(set, at);
        const left = Array.from({ length: 100 }, (_, at) => at).filter((at) => hasBit(set, at));
        expect(left).toEqual(put.filter((at) => !taken.includes(at)).toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });

  it('counts what is in it and not in another', () => {
    fc.assert(
      fc.property(places, places, (put, without) => {
        const count = countWithout(setOf(put), setOf(without), wordsFor(100));
        expect(count).toBe(put.filter((at) => !without.includes(at)).length);
      }),
      { numRuns: 50 },
    );
    const full = new Uint32Array(2).fill(0xffffffff);
    expect([0, 1, 2].map((words) => countWithout(full, new Uint32Array(2), words))).toEqual([0, 32, 64]);
  });
});

describe('written bytes', () => {
  it('have seven bits of a number each, the lowest first', () => {
    const writer = createByteWriter();
    writer.varint(300);
    writer.byte(7);
    writer.bytes(Uint8Array.of(1, 2, 3, 4), 1, 3);
    expect([...writer.take()]).toEqual([0xac, 2, 7, 2, 3]);
    expect(readVarint(Uint8Array.of(0x80), { at: 0 })).toBe(0);
  });

  it('grow, and stay as they were taken', () => {
    const writer = createByteWriter(2);
    for (let i = 0; i < 300; i += 1) writer.byte(i % 256);
    writer.bytes(new Uint8Array(2_000).fill(9), 0, 2_000);
    const bytes = writer.take();
    writer.byte(77);
    expect([bytes.length, bytes[0], bytes[299], bytes[300], bytes.at(-1)]).toEqual([2_300, 0, 43, 9, 9]);
  });
});

describe('postings in memory', () => {
  const postings = (length: number): Postings => ({
    ...NO_POSTINGS,
    offsets: new Uint32Array(length),
    statistics: new Int32Array(length),
  });

  it('are at most as many bytes as allowed: the segment that was not asked for longest goes', () => {
    const cache = createPostingCache(3_000);
    for (const key of ['one', 'two']) cache.add(key, 'a', postings(100));
    expect(cache.of('one').has('a')).toBe(true);
    cache.add('three', 'a', postings(100));
    expect(['one', 'two', 'three'].map((key) => cache.of(key).has('a'))).toEqual([true, false, true]);
  });

  it('may take all that is allowed, and are counted once', () => {
    const cache = createSegmentCache<number>(10, (bytes) => bytes);
    for (const key of ['one', 'one', 'two']) cache.add(key, 'a', 5);
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([1, 1]);
    cache.add('two', 'b', 1);
    expect(['one', 'two'].map((key) => cache.of(key).size)).toEqual([0, 2]);
  });

  it('of one search are kept together, even where that is more', () => {
    const cache = createPostingCache(500);
    cache.add('one', 'a', postings(100));
    cache.add('one', 'b', postings(100));
    expect([...cache.of('one').keys()]).toEqual(['a', 'b']);
    cache.add('two', 'a', postings(1));
    expect(cache.of('one').size).toBe(0);
  });
});

describe('packed postings', () => {
  const bytesOf = (add: (packer: ReturnType<typeof createPostingPacker>) => void): readonly number[] => {
    const writer = createByteWriter();
    add(createPostingPacker(writer));
    return [...writer.take()];
  };
  const once = packStatistics(1, 50, 0, 2);

  it('begin anew with each term', () => {
    const bytes = bytesOf(({ add, begin }) => {
      add(2, once);
      begin();
      add(2, once);
    });
    expect(bytes).toEqual([4, 4]);
  });
});

const BLOCK = 7_000;
/** The terms of each block, of terms with postings of so many bytes. */
const blocksOf = (...terms: readonly (readonly [string, number])[]): readonly string[] => {
  const blocks: string[] = [];
  const { add, finish } = createBlockPacker(({ first, bytes }) => {
    const inside = [...entriesOf(bytes)].map(({ term }) => term);
    expect(inside[0]).toBe(first);
    blocks.push(inside.join(' '));
  });
  for (const [term, length] of terms)
    add({ term, df: 1, titleDf: 0, cf: 1, bytes: new Uint8Array(length), from: 0, to: length });
  finish();
  return blocks;
};

describe('a block of terms', () => {
  it('is that of one term where this has more bytes than a block', () => {
    expect(blocksOf(['a', 1], ['b', BLOCK], ['c', 1])).toEqual(['a b', 'c']);
    expect(blocksOf(['a', 1], ['b', BLOCK + 1], ['c', 1])).toEqual(['a', 'b', 'c']);
  });
});

const slotsOf = (block: number, these: number): readonly number[] => {
  const slots: number[] = [];
  forEachIn(block, these, (slot) => slots.push(slot));
  return slots;
};

describe('the slots of a block', () => {
  it('are visited from the first to the last, by their bits', () => {
    expect(slotsOf(0, 0b1011)).toEqual([0, 1, 3]);
    expect(slotsOf(2, 0b1001)).toEqual([64, 67]);
    expect(slotsOf(1, 1 << 31)).toEqual([63]);
    expect(slotsOf(3, -1)).toEqual(Array.from({ length: 32 }, (_, i) => 96 + i));
    expect(slotsOf(3, 0)).toEqual([]);
  });
});
