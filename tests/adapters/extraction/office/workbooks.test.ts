import { utils, write, type BookType } from '@e965/xlsx';
import { afterAll, describe, expect, it } from 'vitest';
import { columnName, relations, rowsOf, xlsxFile } from '../corpus/open-xml.ts';
import { createReading } from '../corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="170"/><xf numFmtId="4"/></cellXfs></styleSheet>`;
const SHARED =
  '<sst><si><t>Item</t></si><si><r><t>Ri</t></r><r><t>ch</t></r><rPh><t>ignored</t></rPh></si></sst>';

/** A workbook as another library writes it. */
const written = (
  sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>,
  bookType: BookType,
): Buffer => {
  const book = utils.book_new();
  for (const [name, rows] of Object.entries(sheets)) {
    utils.book_append_sheet(book, utils.aoa_to_sheet(rows as unknown[][], { UTC: true }), name);
  }
  return write(book, { type: 'buffer', bookType }) as Buffer;
};

/** Relationships of sheets that lead to no part. */
const lost = (sheets: number): string =>
  relations(
    Object.fromEntries(
      Array.from({ length: sheets }, (_, i) => [`rId${i + 1}`, ['worksheet', `none/sheet${i}.xml`]]),
    ),
  );

describe('a workbook', () => {
  it('has a table for each sheet under its name, with its number, empty ones by their names', async () => {
    const file = xlsxFile({
      Prices: rowsOf([
        ['Part', 'Price'],
        ['Nut', 0.2],
      ]),
      Empty: '',
      Notes: rowsOf([['Only one column'], ['of lines']]),
    });
    expect(await reading.units(file, { fileName: 'a.xlsx' })).toEqual([
      [['Prices'], 1, 'Prices\n\n| Part | Price |\n| --- | --- |\n| Nut | 0.2 |'],
      [['Empty'], 2, 'Empty'],
      [['Notes'], 3, 'Notes\n\nOnly one column\nof lines'],
    ]);
  });

  it('shows shared strings, dates, percentages, numbers and errors as they look', async () => {
    const cells = [
      '<c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="D1" t="b"><v>1</v></c>',
      '<c r="A2" s="3"><v>45000</v></c><c r="B2" s="2"><v>0.125</v></c><c r="D2" s="4"><v>1234.5</v></c>',
      '<c r="A3"><v>0.30000000000000004</v></c><c r="B3" t="e"><v>#N/A</v></c><c r="D3" t="str"><f>A1</f><v>sum</v></c>',
    ];
    const data = cells.map((row, index) => `<row r="${index + 1}">${row}</row>`).join('');
    const file = xlsxFile({ S: data }, { 'xl/styles.xml': STYLES, 'xl/sharedStrings.xml': SHARED });
    const [text] = await reading.texts(file, { fileName: 'a.xlsx' });
    expect(text).toBe(
      'S\n\n| Item | Rich | TRUE |\n| --- | --- | --- |\n| 2023-03-15 | 13% | 1,234.50 |\n| 0.3 | #N/A | sum |',
    );
  });

  it.each([
    [
      'of one cell in the last row and column is that cell',
      '<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>',
      '7',
    ],
    [
      'shows nothing in a cell that refers to no shared string',
      '<row><c t="s"><v>0</v></c><c t="s"/><c t="s"><v> </v></c></row><row><c t="s"><v>1</v></c><c t="s"><v>9</v></c></row>',
      'Item\nRich',
    ],
    [
      'counts cells that do not say where they are, empty ones too',
      '<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row><row><c><v>4</v></c><c/><c><v>6</v></c></row><row><c r="B3"><v>8</v></c><c><v>9</v></c></row>',
      '| 1 | 2 | 3 |\n| --- | --- | --- |\n| 4 |  | 6 |\n|  | 8 | 9 |',
    ],
    [
      'has its cells in the order of their columns, the last of those at one place',
      '<row><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c></row><row><c r="A2"><v>4</v></c><c r="A2"><v>5</v></c></row>',
      '| 1 | 3 |\n| --- | --- |\n| 5 |  |',
    ],
    [
      'shows the characters that its texts write as numbers',
      '<row><c t="inlineStr"><is><t>one_x000D_\ntwo</t></is></c><c t="str"><v>_x005F_x0041_ _x0041_ _xD800_</v></c><c t="s"><v>2</v></c></row>',
      'one two | _x0041_ A \ufffd | by line',
    ],
  ])('%s', async (_, data, text) => {
    const shared = SHARED.replace('</sst>', '<si><t>by_x000a_line</t></si></sst>');
    const file = xlsxFile({ S: data }, { 'xl/sharedStrings.xml': shared });
    expect(await reading.units(file, { fileName: 'a.xlsx' })).toEqual([[['S'], 1, `S\n\n${text}`]]);
  });

  it('says who wrote its comments, once, where it knows', async () => {
    const comment = (author: number, text: string): string =>
      `<comment ref="A1" authorId="${author}"><text><r><t>${text}</t></r></text></comment>`;
    const comments = `<comments><authors><author>Ann &amp; Bo</author><author>tc={1-2}</author></authors><commentList>
      ${comment(0, 'Ann &amp; Bo:\nSure?')}${comment(0, 'Yes')}${comment(1, 'Talk')}${comment(7, 'Who?')}${comment(0, '')}</commentList></comments>`;
    const file = xlsxFile(
      { S: rowsOf([['x']]) },
      {
        'xl/worksheets/_rels/sheet1.xml.rels': relations({ r1: ['comments', '../c.xml'] }),
        'xl/c.xml': comments,
      },
    );
    const [text] = await reading.texts(file, { fileName: 'a.xlsx' });
    expect(text!.split('\n\n').slice(2)).toEqual([
      'Comment by Ann & Bo: Sure?',
      'Comment by Ann & Bo: Yes',
      'Comment: Talk',
      'Comment: Who?',
    ]);
  });

  it('has its headers and footers, each once, without the codes in them', async () => {
    const margins = `<headerFooter differentFirst="1"><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12&amp;K00-014Stock &amp;&amp; store&amp;R&amp;D</oddHeader>
      <oddFooter>&amp;CPage &amp;P of &amp;N</oddFooter><firstHeader>&amp;LStock &amp;&amp; store</firstHeader></headerFooter>`;
    const sheet = `<worksheet><sheetData>${rowsOf([['x']])}</sheetData>${margins}</worksheet>`;
    const file = xlsxFile({ S: '' }, { 'xl/worksheets/sheet1.xml': sheet });
    expect(await reading.units(file, { fileName: 'a.xlsx' })).toEqual([
      [['S'], 1, 'S\n\nx\n\nStock & store\n\nPage of'],
    ]);
  });

  it('has all its sheets where each says only behind its relationship what the prefix means', async () => {
    const declared = 'xmlns:d="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
    const sheets = ['First', 'Second'].map(
      (name, index) => `<sheet name="${name}" sheetId="${index + 1}" d:id="rId${index + 1}" ${declared}/>`,
    );
    const file = xlsxFile(
      { First: rowsOf([['x']]), Second: rowsOf([['y']]) },
      { 'xl/workbook.xml': `<workbook><sheets>${sheets.join('')}</sheets></workbook>` },
    );
    expect(await reading.texts(file, { fileName: 'a.xlsx' })).toEqual(['First\n\nx', 'Second\n\ny']);
  });

  it('has its sheets where nothing says which part each is, and fails where there are none', async () => {
    const sheets = { First: rowsOf([['x']]), Second: rowsOf([['y']]) };
    const named = xlsxFile(sheets, { 'xl/_rels/workbook.xml.rels': relations({}) });
    expect(await reading.texts(named, { fileName: 'a.xlsx' })).toEqual(['First\n\nx', 'Second\n\ny']);
    const none = [xlsxFile({}), xlsxFile(sheets, { 'xl/_rels/workbook.xml.rels': lost(2) })];
    for (const file of none)
      expect(await reading.outcome(file, { fileName: 'a.xlsx' })).toMatchObject({
        kind: 'failed',
        code: 'parser_failed',
        message: 'none of its sheets can be found in the file',
      });
  });

  it('whose cells lie far apart is written as lines', async () => {
    const cell = (index: number): string =>
      `<row><c r="${columnName(index)}${index}"><v>${index}</v></c></row>`;
    const data = Array.from({ length: 200 }, (_, index) => cell(index + 1)).join('');
    const [text] = await reading.texts(xlsxFile({ S: data }), { fileName: 'a.xlsx' });
    expect(text).toBe(`S\n\n${Array.from({ length: 200 }, (_, index) => index + 1).join('\n')}`);
  });

  it('repeats its header in each part of a long table', async () => {
    const rows = Array.from({ length: 200 }, (_, index) => [`Part ${index}`, index]);
    const { chunkSet } = await reading.document(xlsxFile({ S: rowsOf([['Name', 'Stock'], ...rows]) }), {
      fileName: 'a.xlsx',
    });
    expect(chunkSet.chunks.length).toBeGreaterThan(2);
    for (const { text, pageNumber } of chunkSet.chunks) {
      expect(text).toContain('| Name | Stock |');
      expect(pageNumber).toBe(1);
    }
  });

  it.each(['xlsx', 'xlsm', 'biff8', 'biff5', 'biff2'] as const)('is read as %s', async (bookType) => {
    const file = written(
      {
        First: [
          ['Part', 'Made', 'Price'],
          ['Bolt', new Date(Date.UTC(2024, 0, 31)), 0.5],
        ],
      },
      bookType,
    );
    const type = bookType.startsWith('biff') ? 'xls' : bookType;
    const { fileType, units } = await reading.document(file, {
      fileName: `a.${type}`,
      chunkMetadataKeys: [{ key: 'made', type: 'date' }],
    });
    expect(fileType).toBe(type);
    expect(units).toMatchObject([
      {
        text: 'Part: Bolt\nPrice: 0.5',
        pageNumber: 1,
        metadata: [{ key: 'made', val: '2024-01-31', type: 'date' }],
      },
    ]);
  });
});
