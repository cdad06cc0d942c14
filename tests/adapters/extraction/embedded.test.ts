import { afterAll, describe, expect, it } from 'vitest';
import { compoundFile } from './corpus/compound-file.ts';
import { docxFile, paragraph, pptxFile, relations, rowsOf, shape, xlsxFile } from './corpus/open-xml.ts';
import { pdfFile, textPage } from './pdf-files.ts';
import { createReading } from './corpus/reading.ts';

const reading = createReading();
afterAll(() => reading.remove());
const textsOf = (file: Buffer, fileName: string) => reading.texts(file, { fileName });

const prices = xlsxFile({ Prices: rowsOf([['Nut', 3]]) });

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

  it('is no object of another program around one', async () => {
    const file = docxFile(paragraph('Around'), {
      'word/embeddings/oleObject1.bin': compoundFile({ Package: prices }),
      'word/embeddings/Sheet1.xlsx': prices,
    });
    expect(await textsOf(file, 'a.docx')).toEqual(['Around', 'Prices\n\nNut | 3']);
  });

  it('is read as the piece of another format that stands in a Word document', async () => {
    const file = docxFile(paragraph('Around'), {
      'word/_rels/document.xml.rels': relations({ r1: ['aFChunk', 'piece.html'] }),
      'word/piece.html': '<html><body><p>Page</p></body></html>',
    });
    expect(await textsOf(file, 'a.docx')).toEqual(['Around', 'Page']);
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
