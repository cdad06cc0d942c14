import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { compoundFile } from './corpus/compound-file.ts';
import { docStreams } from './corpus/doc-file.ts';
import { docxFile, paragraph, pptxFile, relations, rowsOf, shape, xlsxFile } from './corpus/open-xml.ts';
import { pptFile } from './corpus/ppt-file.ts';
import { pdfFile, textPage } from './pdf-files.ts';
import { createReading } from './corpus/reading.ts';
import { xlsStream } from './corpus/xls-file.ts';

const reading = createReading();
afterAll(() => reading.remove());
const textsOf = (file: Buffer, fileName: string) => reading.texts(file, { fileName });

const prices = xlsxFile({ Prices: rowsOf([['Nut', 3]]) });

/** What the shell of Windows puts around a file that is dropped into a document. */
const packaged = (name: string, content: Buffer): Buffer => {
  const path = Buffer.from(`C:\\${name}\0`, 'latin1');
  const numbers = [Buffer.alloc(4), Buffer.alloc(4)];
  numbers[0]!.writeUInt32LE(path.length);
  numbers[1]!.writeUInt32LE(content.length);
  const body = Buffer.concat([
    Buffer.of(2, 0),
    Buffer.from(`${name}\0`, 'latin1'),
    path,
    Buffer.of(0, 0, 3, 0),
    numbers[0]!,
    path,
    numbers[1]!,
    content,
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return compoundFile({ '\u0001Ole10Native': Buffer.concat([size, body]) });
};

describe('a document within a document', () => {
  it('is read behind the text of a newer office file, and what lies within it', async () => {
    const slides = pptxFile([shape(['Slide'])], { 'ppt/embeddings/Sheet1.xlsx': prices });
    const file = docxFile(paragraph('Around'), { 'word/embeddings/Slides1.pptx': slides });
    expect(await reading.units(file, { fileName: 'a.docx' })).toEqual([
      [[], 0, 'Around'],
      [[], 0, 'Slide'],
      [['Prices'], 0, 'Prices\n\nNut | 3'],
    ]);
  });

  it('is read out of the object that stands for it, under its name where it has one', async () => {
    const file = docxFile(paragraph('Around'), {
      'word/embeddings/oleObject1.bin': compoundFile({ Package: prices }),
      'word/embeddings/oleObject2.bin': compoundFile({ Workbook: xlsStream([['Bolt']]) }),
      'word/embeddings/oleObject3.bin': packaged('notes.txt', Buffer.from('Grease it.')),
      'word/embeddings/oleObject4.bin': compoundFile({ 'Equation Native': Buffer.from('x = y') }),
    });
    expect(await reading.units(file, { fileName: 'a.docx' })).toEqual([
      [[], 0, 'Around'],
      [['Prices'], 0, 'Prices\n\nNut | 3'],
      [['S'], 0, 'S\n\nBolt'],
      [['notes.txt'], 0, 'Grease it.'],
    ]);
  });

  it('is read as the piece of another format that stands in a Word document', async () => {
    const file = docxFile(paragraph('Around'), {
      'word/_rels/document.xml.rels': relations({ r1: ['aFChunk', 'piece.html'] }),
      'word/piece.html': '<html><body><p>Page</p></body></html>',
    });
    expect(await textsOf(file, 'a.docx')).toEqual(['Around', 'Page']);
  });

  it('is read out of the storages of a Word document or a workbook from before 2007', async () => {
    const around = docStreams([{ text: 'Around\r' }]);
    const doc = compoundFile({
      ...around,
      '/ObjectPool/_1234567890/Workbook': xlsStream([['Bolt']]),
      '/ObjectPool/_1234567891/Package': prices,
    });
    expect(await textsOf(doc, 'a.doc')).toEqual(['Around', 'S\n\nBolt', 'Prices\n\nNut | 3']);
    const xls = compoundFile({
      Workbook: xlsStream([['Sheet']]),
      '/MBD0000A1B2/WordDocument': around.WordDocument,
      '/MBD0000A1B2/0Table': around['0Table'],
    });
    expect(await textsOf(xls, 'a.xls')).toEqual(['S\n\nSheet', 'Around']);
  });

  it('is read out of a presentation from before 2007, packed or not', async () => {
    const word = compoundFile(docStreams([{ text: 'Inside\r' }]));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(word.length);
    const embedded = [
      { instance: 0, body: compoundFile({ Package: prices }) },
      { instance: 1, body: Buffer.concat([size, deflateSync(word)]) },
      // PowerPoint leaves out the end of what it packs.
      { instance: 1, body: Buffer.concat([size, deflateSync(word).subarray(0, -5)]) },
      { instance: 1, body: Buffer.from('not packed at all') },
    ] as const;
    const file = pptFile([{ title: 'Slide', lines: [] }], { embedded });
    expect(await textsOf(file, 'a.ppt')).toEqual(['Slide', 'Prices\n\nNut | 3', 'Inside', 'Inside']);
  });

  it('is read where it is attached to a PDF, under its name', async () => {
    const hex = Buffer.from('<html><body><p>Attached</p></body></html>').toString('hex');
    const catalog = `/Names << /EmbeddedFiles << /Names [(a) << /Type /Filespec /F (page.html) /EF << /F 7 0 R >> >>
      (b) << /Type /Filespec /F (gone.html) /EF << /F 99 0 R >> >>] >> >>`;
    const file = pdfFile({
      pages: [textPage('Around'), { content: `${hex}>`, filter: '/ASCIIHexDecode' }],
      catalog,
    });
    const units = await reading.units(file, { fileName: 'a.pdf' });
    expect(units.at(0)).toEqual([[], 1, 'Around']);
    expect(units.at(-1)).toEqual([['page.html'], 0, 'Attached']);
  });

  it('costs nothing where it is broken, locked, or one of too many', async () => {
    const parts = Object.fromEntries(
      Array.from({ length: 150 }, (_, index) => [
        `word/embeddings/${index}.docx`,
        docxFile(paragraph(`Inside ${index}`)),
      ]),
    );
    const file = docxFile(paragraph('Around'), {
      'word/embeddings/a.xlsx': prices.subarray(0, 200),
      'word/embeddings/b.bin': compoundFile({ EncryptedPackage: Buffer.from('x') }),
      ...parts,
    });
    const texts = await textsOf(file, 'a.docx');
    expect(texts.slice(0, 2)).toEqual(['Around', 'Inside 0']);
    expect(texts.length).toBeLessThanOrEqual(101);
    expect(texts.length).toBeGreaterThan(90);
  });

  it('that holds another one, and so on, is read three documents deep', async () => {
    let file = docxFile(paragraph('Level 6'));
    for (let level = 5; level >= 0; level -= 1)
      file = docxFile(paragraph(`Level ${level}`), { 'word/embeddings/1.docx': file });
    expect(await textsOf(file, 'a.docx')).toEqual(['Level 0', 'Level 1', 'Level 2', 'Level 3']);
  });
});
