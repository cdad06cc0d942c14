import { afterAll, describe, expect, it } from 'vitest';
import { compoundFile } from '../corpus/compound-file.ts';
import { docFile, docStreams } from '../corpus/doc-file.ts';
import { pptFile } from '../corpus/ppt-file.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

describe('a Word document from before 2007', () => {
  it.each([false, true])(
    'has paragraphs, fields by their results, tables and footnotes (UTF-16: %s)',
    async (wide) => {
      const file = docFile(
        [
          { text: 'Pumps\r' },
          { text: 'See \x13 REF page \x14page 7\x15 for a pump\x0bof iron, soft\x1fly.\r' },
          { text: 'Part\x07', inTable: true },
          { text: 'Price\x07', inTable: true },
          { text: '\x07', inTable: true, endsRow: true },
          { text: 'Nut\x07', inTable: true },
          { text: '3\x07', inTable: true },
          { text: '\x07', inTable: true, endsRow: true },
          { text: 'End.\r' },
        ],
        { wide, footnotes: '\x02 A note.\r' },
      );
      expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([
        [
          [],
          0,
          'Pumps\n\nSee page 7 for a pump\n\nof iron, softly.\n\n| Part | Price |\n| --- | --- |\n| Nut | 3 |\n\nEnd.\n\nA note.',
        ],
      ]);
    },
  );

  it.each([
    ['hidden', [0x3c, 0x08, 1], 'a b'],
    ['struck out', [0x35, 0x08, 1, 0x37, 0x08, 1], 'a b'],
    ['struck out twice, unlike its style', [0x12, 0x4a, 9, 9, 0x53, 0x2a, 0x81], 'a b'],
    ['not hidden', [0x3c, 0x08, 0], 'a secretb'],
    ['cut off within its properties', [0x3c, 0x08], 'a secretb'],
  ])('has no text that is %s', async (_, properties, text) => {
    for (const wide of [false, true]) {
      const file = docFile([{ text: 'a secretb\r' }], { wide, run: { from: 2, to: 8, properties } });
      expect(await reading.texts(file, { fileName: 'a.doc' })).toEqual([text]);
    }
  });

  it('of Word 6 or 95 is refused', async () => {
    const file = docFile([{ text: 'x\r' }]);
    file.writeUInt16LE(0xa5dc, file.indexOf(Buffer.from([0xec, 0xa5])));
    expect(await reading.outcome(file, { fileName: 'a.doc' })).toMatchObject({
      kind: 'failed',
      code: 'parser_failed',
      message: 'it is of Word 95 or older, which is not read',
    });
  });

  it('whose fields lie in each other by the thousand is refused', async () => {
    const text = `${'\x13'.repeat(5_000)}x${'\x15'.repeat(5_000)}\r`;
    expect(await reading.outcome(docFile([{ text }]), { fileName: 'a.doc' })).toMatchObject({
      kind: 'failed',
      code: 'parser_failed',
    });
  });

  it('with a password or cut is refused', async () => {
    const locked = docFile([{ text: 'x\r' }], { flags: 0x100 });
    expect(await reading.outcome(locked, { fileName: 'a.doc' })).toMatchObject({ code: 'encrypted' });
    const cut = docFile([{ text: 'x'.repeat(5_000) }]).subarray(0, 1_000);
    expect(await reading.outcome(cut, { fileName: 'a.doc' })).toMatchObject({
      kind: 'failed',
      code: 'truncated',
    });
  });
});

/** A set of properties with a code page and a title ([MS-OLEPS] 2.21). */
const properties = (codePage: number, title: Buffer): Buffer => {
  const head = Buffer.alloc(48);
  head.writeUInt32LE(48, 44);
  const set = Buffer.alloc(40);
  [0, 2, 1, 24, 2, 32, 2, codePage, 0x1e, title.length].forEach((value, index) =>
    set.writeUInt32LE(value, 4 * index),
  );
  return Buffer.concat([head, set, title]);
};

describe('the title of an office file from before 2007', () => {
  it.each([
    ['UTF-16', 1_200, Buffer.from('Привет\0', 'utf16le'), 'Привет'],
    ['KOI8-R', 20_866, Buffer.from('f0d2c9d7c5d4', 'hex'), 'Привет'],
    ['ISO 8859-5', 28_595, Buffer.from('bfe0d8d2d5e2', 'hex'), 'Привет'],
    ['a code page that nobody knows', 4_711, Buffer.from('4772f6df65', 'hex'), 'Größe'],
  ])('is read in %s', async (_, codePage, bytes, title) => {
    const summary = { '\u0005SummaryInformation': properties(codePage, bytes) };
    const file = compoundFile({ ...docStreams([{ text: 'x\r' }]), ...summary });
    expect(await reading.document(file, { fileName: 'a.doc' })).toMatchObject({ title });
  });
});

describe('a presentation from before 2007', () => {
  it('has the date, the header and the footer that it shows, once, behind its slides', async () => {
    const slides = [
      { title: 'One', lines: [] },
      { title: 'Two', lines: [] },
    ];
    const file = pptFile(slides, { margins: { flags: 0x24, texts: ['May 2024', 'Hidden', 'Sales'] } });
    expect(await reading.units(file, { fileName: 'a.ppt' })).toEqual([
      [['One'], 1, 'One'],
      [['Two'], 2, 'Two'],
      [[], 0, 'May 2024\n\nSales'],
    ]);
  });

  it('is read without hidden slides, and keeps the numbers of the others', async () => {
    const slides = [
      { title: 'One', lines: [] },
      { title: 'Secret', lines: ['secret'], notes: 'secret', isHidden: true },
      { title: 'Three', lines: [] },
    ];
    const units = await reading.units(pptFile(slides), { fileName: 'a.ppt' });
    expect(units.map(([[title], number]) => [title, number])).toEqual([
      ['One', 1],
      ['Three', 3],
    ]);
  });

  it('has a unit for each slide under its title, with its number and notes', async () => {
    const file = pptFile([
      { title: 'Welcome', lines: ['All of you'], notes: 'Smile' },
      { title: 'Plan', lines: ['First\rSecond', '日本'] },
    ]);
    expect(await reading.units(file, { fileName: 'a.ppt' })).toEqual([
      [['Welcome'], 1, 'Welcome\n\nAll of you\n\nNotes: Smile'],
      [['Plan'], 2, 'Plan\n\nFirst\nSecond\n\n日本'],
    ]);
  });

  it('with a password is refused', async () => {
    const file = pptFile([{ title: 'x', lines: [] }], { token: 0xf3d1c4df });
    expect(await reading.outcome(file, { fileName: 'a.ppt' })).toMatchObject({ code: 'encrypted' });
  });
});
