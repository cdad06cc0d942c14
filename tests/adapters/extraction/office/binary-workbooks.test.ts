import { read as parse, write, utils } from '@e965/xlsx';
import { afterAll, describe, expect, it } from 'vitest';
import { docxFile, paragraph } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

/** As a spreadsheet program saves it with the extension xlsb. */
const binaryWorkbook = (): Buffer => {
  const book = utils.book_new();
  const sheet = utils.aoa_to_sheet([
    ['Part', 'Since', 'Price'],
    ['Nut', 45_000, 0.25],
  ]);
  Object.assign(sheet['B2'] as object, { z: 'yyyy-mm-dd' });
  utils.book_append_sheet(book, sheet, 'Parts');
  utils.book_append_sheet(book, utils.aoa_to_sheet([['Hidden']]), 'Old');
  return write(book, { type: 'buffer', bookType: 'xlsb' }) as Buffer;
};

describe('a workbook with binary parts', () => {
  it('has its cells as they are shown, sheet by sheet', async () => {
    const file = binaryWorkbook();
    expect(parse(file, { type: 'buffer' }).SheetNames).toEqual(['Parts', 'Old']);
    expect(await reading.units(file, { fileName: 'a.xlsb' })).toEqual([
      [['Parts'], 1, 'Parts\n\n| Part | Since | Price |\n| --- | --- | --- |\n| Nut | 2023-03-15 | 0.25 |'],
      [['Old'], 2, 'Old\n\nHidden'],
    ]);
    expect(await reading.document(file, { fileName: 'a.xlsb' })).toMatchObject({ fileType: 'xlsx' });
  });

  it('has typed metadata of its rows, and is read within other documents', async () => {
    const claims = { fileName: 'a.xlsb', chunkMetadataKeys: [{ key: 'Part', type: 'string' as const }] };
    const { chunkSet } = await reading.document(binaryWorkbook(), claims);
    expect(chunkSet.chunks[0]).toMatchObject({ metadata: [{ key: 'Part', type: 'string', val: 'Nut' }] });
    const around = docxFile(paragraph('See'), { 'word/embeddings/sheet1.xlsb': binaryWorkbook() });
    const texts = await reading.texts(around, { fileName: 'a.docx' });
    expect(texts).toEqual(['See', expect.stringContaining('Nut'), 'Old\n\nHidden']);
  });

  it('that is broken is refused', async () => {
    const file = binaryWorkbook();
    const at = file.indexOf('xl/workbook.bin') + 'xl/workbook.bin'.length;
    file.fill(0xff, at, at + 200);
    expect(await reading.outcome(file, { fileName: 'a.xlsb' })).toMatchObject({
      kind: 'failed',
      code: 'parser_failed',
    });
  });
});
