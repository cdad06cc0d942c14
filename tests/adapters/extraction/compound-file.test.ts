import { describe, expect, it } from 'vitest';
import { openCompoundFile } from '../../../adapters/extraction/archive/compound-file.ts';
import { compoundFile } from './corpus/compound-file.ts';

const SECTOR = 512;
/** Where the number of the sector behind this one stands, in a file of less than 109 sectors of numbers. */
const nextAt = (file: Buffer, sector: number): number =>
  SECTOR * (file.readUInt32LE(0x4c + 4 * Math.floor(sector / 128)) + 1) + 4 * (sector % 128);
const entryOf = (file: Buffer, name: string): number => file.indexOf(Buffer.from(`${name}\0`, 'utf16le'));
const content = (length: number): Buffer => Buffer.from(Array.from({ length }, (_, index) => index % 251));

describe('a compound file', () => {
  it('may be so large that the numbers of its tables fill sectors of their own', () => {
    const large = content(8_000_000);
    expect(
      openCompoundFile(compoundFile({ Large: large, Small: content(5) }))
        .read('Large')!
        .equals(large),
    ).toBe(true);
  });

  it('gives what there is of a stream whose chain is cut, comes back to itself or leads nowhere', () => {
    const file = compoundFile({ Stream: content(10_000) });
    const first = file.readUInt32LE(entryOf(file, 'Stream') + 0x74);
    for (const next of [first, 0xfffffffe, 0x00ffffff]) {
      const damaged = Buffer.from(file);
      damaged.writeUInt32LE(next, nextAt(damaged, first + 1));
      expect(openCompoundFile(damaged).read('Stream')).toEqual(content(10_000).subarray(0, 1_024));
    }
  });
});
