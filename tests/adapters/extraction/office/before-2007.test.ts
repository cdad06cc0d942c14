import { afterAll, describe, expect, it } from 'vitest';
import { docFile, word6File } from '../corpus/doc-file.ts';
import { pptFile } from '../corpus/ppt-file.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

/** Its mark and its length, at the twelfth byte of its stream. */
const PIECE_TABLE = Buffer.from([2, 16, 0, 0, 0]);

describe('a Word document from before 2007', () => {
  it.each([false, true])(
    'has headings, paragraphs, fields by their results, and tables (UTF-16: %s)',
    async (wide) => {
      const file = docFile(
        [
          { text: 'Pumps\r', style: 1 },
          { text: 'See \x13 REF page \x14page 7\x15 for a pump\x0bof iron.\r' },
          { text: 'Care\r', style: 2 },
          { text: 'Part\x07', inTable: true },
          { text: 'Price\x07', inTable: true },
          { text: '\x07', inTable: true, endsRow: true },
          { text: 'Nut\r', inTable: true },
          { text: 'of steel\x07', inTable: true },
          { text: '\x07', inTable: true },
          { text: '\x07', inTable: true, endsRow: true },
          { text: 'End.\r' },
        ],
        { wide, footnotes: '\x02 A note.\r' },
      );
      expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([
        [['Pumps'], 0, 'Pumps\n\nSee page 7 for a pump\nof iron.'],
        [
          ['Pumps', 'Care'],
          0,
          'Care\n\n| Part | Price |\n| --- | --- |\n| Nut of steel |  |\n\nEnd.\n\nA note.',
        ],
      ]);
    },
  );

  it.each([
    ['in English', { fonts: [0, 2, 204] }, 'Привет'],
    ['in Greek', { language: 0x0408, fonts: [204] }, 'Οπθβες'],
    ['without fonts of other scripts', { fonts: [0, 2] }, 'Ïðèâåò'],
  ])('of Word 6 is read by its fonts where its language says nothing (%s)', async (_, header, text) => {
    const file = word6File(`${Buffer.from('cff0e8e2e5f2', 'hex').toString('latin1')}\r`, header);
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([[[], 0, text]]);
  });

  it('of an edition for East Asia has characters of one byte and of two', async () => {
    // In Big5: 中 is a4 a4, 文 is a4 e5.
    const text = Buffer.from('4100a4a4e5a40d00', 'hex').toString('latin1');
    const file = word6File(text, { magic: 0xa699, flags: 0x1000, language: 0x0404 });
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([[[], 0, 'A中文']]);
  });

  it('of Word 6 that was saved quickly has its pieces in their order', async () => {
    const saved = word6File('world.\rHello gone', {
      pieces: [
        [7, 13],
        [0, 7],
      ],
    });
    expect(await reading.units(saved, { fileName: 'a.doc' })).toEqual([[[], 0, 'Hello world.']]);
    const broken = word6File('Text', { pieces: [[0, 900_000]] });
    expect(await reading.outcome(broken, { fileName: 'a.doc' })).toMatchObject({
      kind: 'failed',
      code: 'parser_failed',
    });
  });

  it('of Word 6 has its text and its tables', async () => {
    const file = word6File('A caf\xe9.\rPart\x07Price\x07\x07Nut\x071\x07\x07End.\r');
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([
      [[], 0, 'A café.\n\n| Part | Price |\n| --- | --- |\n| Nut | 1 |\n\nEnd.'],
    ]);
  });

  it.each([
    ['Russian', { language: 0x0419 }, 'cff0e8e2e5f2', 'Привет'],
    ['Serbian in Latin letters', { language: 0x081a }, '9ce8e6', 'śčć'],
    ['Serbian in Cyrillic', { language: 0x0c1a }, 'cff0e8', 'При'],
    ['Chinese of Taiwan', { language: 0x0404 }, 'a4e9a5bb', '日本'],
    ['Japanese', { language: 0x0411 }, '93fa967b', '日本'],
    ['English', { language: 0x0409 }, '93e994', '“é”'],
    ['English on a Macintosh', { language: 0x0409, system: 0x100 }, '8e', 'é'],
    ['no language', { language: 0 }, 'e9', 'é'],
  ])('of Word 6 is read in the code page of its language (%s)', async (_, header, bytes, text) => {
    const file = word6File(`${Buffer.from(bytes, 'hex').toString('latin1')}\r`, header);
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([[[], 0, text]]);
  });

  it('shows a field that nothing closes, and what is behind it', async () => {
    const file = docFile([
      { text: 'Before \x13 REF x.\r' },
      { text: 'See \x13 PAGE \x14page 7\x15.\r' },
      { text: 'Last.\r' },
    ]);
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([
      [[], 0, 'Before  REF x.\n\nSee page 7.\n\nLast.'],
    ]);
  });

  it.each([
    ['begins in no place', 13, 0x7fffffff],
    ['counts back', 21, -1],
    ['has more characters than a document', 21, 0x7fffffff],
  ])('whose table of pieces %s is refused', async (_, at, value) => {
    const file = docFile([{ text: 'x\r' }]);
    file.writeInt32LE(value, file.indexOf(PIECE_TABLE) - 12 + at);
    expect(await reading.outcome(file, { fileName: 'a.doc' })).toMatchObject({
      kind: 'failed',
      code: 'parser_failed',
      message: expect.stringMatching(/piece table|tables lead/) as string,
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
