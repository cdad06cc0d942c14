import { afterAll, describe, expect, it } from 'vitest';
import { docFile, word6File } from '../corpus/doc-file.ts';
import { pptFile } from '../corpus/ppt-file.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

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

  it('of Word 6 has its text and its tables', async () => {
    const file = word6File('A caf\xe9.\rPart\x07Price\x07\x07Nut\x071\x07\x07End.\r');
    expect(await reading.units(file, { fileName: 'a.doc' })).toEqual([
      [[], 0, 'A café.\n\n| Part | Price |\n| --- | --- |\n| Nut | 1 |\n\nEnd.'],
    ]);
  });

  it('with a password, cut or with a table of pieces that lies is refused', async () => {
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
