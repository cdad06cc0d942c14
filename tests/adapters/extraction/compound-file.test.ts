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
  it('has short, long and empty streams by their names, whatever their case, and those of storages by paths', () => {
    const streams = {
      One: content(10),
      Two: content(4_095),
      Three: content(4_096),
      Four: content(100_000),
      Empty: Buffer.alloc(0),
      'Folder/Five': content(70),
    };
    const file = openCompoundFile(compoundFile(streams));
    for (const [name, bytes] of Object.entries(streams)) expect(file.read(name.toUpperCase())).toEqual(bytes);
    expect([file.has('one'), file.has('Five'), file.read('Folder'), file.read('Six')]).toEqual([
      true,
      false,
      null,
      null,
    ]);
  });

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

  it.each([
    ['breaks off', (file: Buffer) => file.subarray(0, file.readUInt32LE(0x30) * SECTOR), 'truncated'],
    ['is a header alone', (file: Buffer) => file.subarray(0, 300), 'truncated'],
    ['has sectors of no known size', (file: Buffer) => (file.writeUInt16LE(7, 0x1e), file), 'parser_failed'],
  ])('that %s is refused', (_, damage, code) => {
    const file = damage(compoundFile({ Stream: content(10_000) }));
    expect(() => openCompoundFile(file)).toThrow(expect.objectContaining({ code }) as Error);
  });
});
