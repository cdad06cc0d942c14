import { describe, expect, it } from 'vitest';
import { compoundFile } from './corpus/compound-file.ts';
import { columnName, docxFile, relations, xlsxFile } from './corpus/open-xml.ts';
import { linkOver, xlsFile } from './corpus/xls-file.ts';
import { paintImage, pdfFile } from './pdf-files.ts';
import { openUntrusted, told, type Untrusted } from './untrusted.ts';

// Of processor time: each of these takes far less where the work grows with its size, and far more where it does not.
const extract = openUntrusted({ timeMs: 10_000, memoryBytes: 800 * 1_024 ** 2 });
const numbered = (count: number, make: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => make(index)).join('');
const related = (count: number, type: string, target: string): string =>
  relations(Object.fromEntries(Array.from({ length: count }, (_, id) => [`q${id}`, [type, target]])));
const R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const TEXT_CELL = '<w:tc><w:p><w:r><w:t>x</w:t></w:r></w:p></w:tc>';
/** Of a megabyte. */
const backwards = (): Buffer => {
  const count = 4_000;
  const file = compoundFile({ WordDocument: Buffer.alloc(512 * count, 'x') });
  const entry = file.indexOf(Buffer.from('WordDocument\0', 'utf16le'));
  const first = file.readUInt32LE(entry + 0x74);
  for (let sector = first; sector < first + count; sector += 1) {
    const table = file.readUInt32LE(0x4c + 4 * Math.floor(sector / 128));
    file.writeUInt32LE(sector === first ? 0xfffffffe : sector - 1, 512 * (table + 1) + 4 * (sector % 128));
  }
  file.writeUInt32LE(first + count - 1, entry + 0x74);
  return file;
};
const blankScans = (): Buffer => {
  const size = { width: 4_960, height: 7_016 };
  const data = Buffer.alloc(3 * size.width * size.height, 255);
  const content = paintImage([595, 0, 0, 842, 0, 0], { ...size, data }, '/CS /RGB /BPC 8');
  return pdfFile({ pages: Array.from({ length: 3 }, () => ({ content })) });
};
const MANY = 100_000;

const COSTLY: readonly Untrusted[] = [
  [
    'a sheet of 150,000 rows without prefixes',
    'a.xlsx',
    () => xlsxFile({ S: '<row><c><v>1</v></c></row>'.repeat(150_000) }),
  ],
  ['a page of comments called a document', 'a.doc', () => `${'<!---->'.repeat(140)}x`],
  ['a value of a million spaces', 'a.csv', () => `a,b\nx${' '.repeat(1_000_000)}y,1\n`],
  [
    'a workbook of as many sheets as relationships',
    'a.xlsx',
    () =>
      xlsxFile(
        {},
        {
          'xl/workbook.xml': `<workbook ${R}><sheets>${numbered(MANY, (id) => `<sheet name="s" r:id="q${id}"/>`)}</sheets></workbook>`,
          'xl/_rels/workbook.xml.rels': related(MANY, 'worksheet', 'none'),
        },
      ),
    'parser_failed',
  ],
  [
    'links over 65,536 rows and 16,384 columns',
    'a.xls',
    () => xlsFile([['x']], { more: Array.from({ length: 4 }, () => linkOver(65_536, 16_384)) }),
  ],
  ['a stream whose sectors are chained backwards', 'a.doc', backwards, 'parser_failed'],
  ['three empty scans of 600 dpi in colours', 'a.pdf', blankScans],
  [
    'a sheet whose cells lie on a diagonal',
    'a.xlsx',
    () => xlsxFile({ S: numbered(8_000, (row) => `<row><c r="${columnName(row + 1)}1"><v>1</v></c></row>`) }),
  ],
  [
    'a sheet of 150,000 rows with a cell at column 1,023',
    'a.xlsx',
    () => xlsxFile({ S: '<row><c r="AMI1"><v>1</v></c></row>'.repeat(150_000) }),
  ],
  [
    'a table with a long row and a long column',
    'a.docx',
    () =>
      docxFile(
        `<w:tbl><w:tr>${TEXT_CELL.repeat(15_000)}</w:tr>${`<w:tr>${TEXT_CELL}</w:tr>`.repeat(15_000)}</w:tbl>`,
      ),
  ],
  [
    'a document of as many drawings as relationships',
    'a.docx',
    () =>
      docxFile(
        numbered(MANY, (id) => `<c:chart r:id="q${id}"/>`),
        { 'word/_rels/document.xml.rels': related(MANY, 'image', 'none') },
      ),
  ],
];

describe('a document that is made to be costly', { timeout: 300_000 }, () => {
  it.each(COSTLY)('takes no more than its size: %s', async (_, fileName, make, expected = 'document') => {
    expect((await extract([make(), { fileName }])).map(told)).toEqual([expected]);
  });
});
