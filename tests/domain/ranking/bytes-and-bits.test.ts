import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clearBit, countWithout, hasBit, setBit, wordsFor } from '../../../domain/ranking/bit-set.ts';
import { createByteWriter, readVarint } from '../../../domain/ranking/byte-writer.ts';

const places = fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 40 });
const setOf = (all: readonly number[]): Uint32Array => {
  const set = new Uint32Array(wordsFor(100));
  for (const at of all) setBit(set, at);
  return set;
};

describe('a set of bits', () => {
  it('takes a word for each 32', () => {
    expect([0, 1, 32, 33, 64, 65].map(wordsFor)).toEqual([0, 1, 1, 2, 2, 3]);
  });

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
  const numbers = [0, 1, 127, 128, 255, 16_383, 16_384, 2 ** 31, 2 ** 32, 2 ** 53 - 1, 2 ** 53];

  it.each([0, 1, 7, 1_024])('are numbers of any size, also where there is room for %i at first', (room) => {
    const writer = createByteWriter(room);
    for (const number of numbers) writer.varint(number);
    const length = writer.length();
    const bytes = writer.take();
    expect([bytes.length, writer.length(), writer.take().length]).toEqual([length, 0, 0]);
    const place = { at: 0 };
    expect(numbers.map(() => readVarint(bytes, place))).toEqual(numbers);
    expect([place.at, readVarint(bytes, place)]).toEqual([bytes.length, 0]);
  });

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
