import { utils, write, type BookType } from '@e965/xlsx';
import { afterAll, describe, expect, it } from 'vitest';
import { rowsOf, xlsxFile } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

const fileName = 'a.xlsx';
const sheet = (data: string): Buffer => xlsxFile({ S: data });
const TABLE = rowsOf([
  ['Team', 'Name'],
  ['Red', 'Ann'],
  ['', 'Ben'],
  ['Blue', 'Cem'],
]);

describe('a workbook with cells that are shown as one', () => {
  it('says what they say in each of their rows', async () => {
    const merged = `${TABLE}</sheetData><mergeCells><mergeCell ref="A2:A3"/></mergeCells><sheetData>`;
    const [text] = await reading.texts(sheet(merged), { fileName });
    expect(text).toContain('| Red | Ann |\n| Red | Ben |\n| Blue | Cem |');
  });

  it.each<BookType>(['biff8', 'xlsb'])('says so in other formats too: %s', async (bookType) => {
    const book = utils.book_new();
    const cells = utils.aoa_to_sheet([
      ['Team', 'Name'],
      ['Red', 'Ann'],
      [null, 'Ben'],
    ]);
    cells.C1 = { t: 's', v: 'secret' };
    cells['!ref'] = 'A1:C3';
    cells['!cols'] = [{}, {}, { hidden: true }];
    cells['!merges'] = [{ s: { r: 1, c: 0 }, e: { r: 2, c: 0 } }];
    utils.book_append_sheet(book, cells, 'S');
    utils.book_append_sheet(book, utils.aoa_to_sheet([['secret']]), 'Hidden');
    book.Workbook = {
      Sheets: [
        { name: 'S', Hidden: 0 },
        { name: 'Hidden', Hidden: 1 },
      ],
    };
    const file = write(book, { type: 'buffer', bookType }) as Buffer;
    const texts = await reading.texts(file, { fileName: bookType === 'xlsb' ? 'a.xlsb' : 'a.xls' });
    expect(texts).toEqual([expect.stringContaining('| Red | Ann |\n| Red | Ben |')]);
    expect(texts[0]).not.toContain('secret');
  });
});

describe('a workbook with hidden parts', () => {
  it('is read without its hidden rows and columns', async () => {
    const data = TABLE.replace('<row r="3"', '<row hidden="1" r="3"');
    const columns = `</sheetData><cols><col min="1" max="1" hidden="1"/></cols><sheetData>${data}`;
    const [text] = await reading.texts(sheet(columns), { fileName });
    expect(text).toBe('S\n\nName\nAnn\nCem');
  });

  it('is empty, and no failure, where all its sheets are hidden', async () => {
    const workbook = '<workbook><sheets><sheet name="S" sheetId="1" state="hidden"/></sheets></workbook>';
    expect(
      await reading.texts(xlsxFile({ S: TABLE }, { 'xl/workbook.xml': workbook }), { fileName }),
    ).toEqual([]);
  });
});

describe('a workbook with cells of several looks', () => {
  it('is read without what is struck out, and with exponents and symbols', async () => {
    const struckOut = '<c r="B1" s="1" t="inlineStr"><is><t>secret</t></is></c>';
    const runs = [
      ['', '10'],
      ['<vertAlign val="superscript"/>', '6'],
      ['<strike/>', ' secret'],
      ['<rFont val="Symbol"/>', ' a'],
    ].map(([properties, text]) => `<r><rPr>${properties}</rPr><t>${text}</t></r>`);
    const parts = {
      'xl/sharedStrings.xml': `<sst><si>${runs.join('')}</si></sst>`,
      'xl/styles.xml':
        '<styleSheet><fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs></styleSheet>',
    };
    const row = `<row r="1"><c r="A1" t="s"><v>0</v></c>${struckOut}</row>`;
    const [text] = await reading.texts(xlsxFile({ S: row }, parts), { fileName });
    expect(text).toBe('S\n\n10^6 α');
  });
});

describe('a table below titles', () => {
  const rows = Array.from({ length: 60 }, (_, i) => [`KX ${i}`, `Driver number ${i}`, i]);
  const data = rowsOf([
    ['Fleet of the year', '', ''],
    ['As of May', '', ''],
    ['Plate', 'Driver', 'Mileage'],
    ...rows,
  ]);

  it('has the names of its columns in each part, and the titles once', async () => {
    const text = (await reading.texts(sheet(data), { fileName })).join('\n');
    for (const part of text.split('\n\n').slice(3)) expect(part).toContain('| Plate | Driver | Mileage |');
    expect(text.split('| Plate |').length).toBeGreaterThan(3);
    expect(text.split('Fleet of the year')).toHaveLength(2);
  });

  it('has rows with the names of its columns where fields are declared', async () => {
    const chunkMetadataKeys = [{ key: 'mileage', type: 'float' as const }];
    const { chunkSet } = await reading.document(sheet(data), { fileName, chunkMetadataKeys });
    expect(chunkSet.chunks.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Fleet of the year\n\nAs of May', 'Plate: KX 3\nDriver: Driver number 3']),
    );
  });

  it('is found in values with separators, the first line of which may name the separator', async () => {
    const csv = 'sep=;\r\nPrices\r\nProdukt;Preis\r\n"Mutter, M4";1,5\r\nNagel;2\r\n';
    expect(await reading.texts(Buffer.from(csv), { fileName: 'a.csv' })).toEqual([
      'Prices\n\n| Produkt | Preis |\n| --- | --- |\n| Mutter, M4 | 1,5 |\n| Nagel | 2 |',
    ]);
  });
});
