import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentReader } from '../../../adapters/extraction/document-reader.ts';
import type { ExtractionOutcome, DocumentReader } from '../../../application/ports/document-reader.ts';
import { compoundFile } from './corpus/compound-file.ts';
import { docFile } from './corpus/doc-file.ts';
import { docxFile, paragraph, pptxFile, rowsOf, shape, xlsxFile } from './corpus/open-xml.ts';
import { pptFile } from './corpus/ppt-file.ts';
import { zipFile } from './corpus/zip-file.ts';
import { pdfFile, textPage } from './pdf-files.ts';
import { READER } from './corpus/reading.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const documents = temporaryDocuments();
let extractor: DocumentReader;
beforeAll(() => {
  extractor = createDocumentReader({
    processes: 1,
    module: READER,
    limits: { timeMs: 60_000, memoryBytes: 1_024 ** 3 },
  });
});
afterAll(async () => {
  await extractor.close();
  documents.remove();
});

const told = (outcome: ExtractionOutcome): string =>
  outcome.kind === 'failed' ? outcome.code : outcome.kind === 'document' ? 'document' : 'unsupported';
const megabytes = (count: number): Buffer => Buffer.alloc(count * 1_024 ** 2, ' ');
const main = (xml: string | Buffer): Buffer => docxFile('', { 'word/document.xml': xml });
const LAUGHS = `<!DOCTYPE d [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, level) => {
  const [name, of] = [String.fromCharCode(98 + level), String.fromCharCode(97 + level)];
  return `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`;
}).join('')}<!ENTITY out SYSTEM "file:///etc/passwd">]>`;
const docx = 'a.docx';

const HOSTILE: readonly [string, string, () => Buffer, string][] = [
  ['a part that unfolds to 300 MB', docx, () => main(megabytes(300)), 'too_large'],
  [
    'parts that unfold to 500 MB together',
    'a.xlsx',
    () => {
      const part = megabytes(125);
      return xlsxFile(
        { A: '', B: '', C: '', D: '' },
        Object.fromEntries([1, 2, 3, 4].map((sheet) => [`xl/worksheets/sheet${sheet}.xml`, part])),
      );
    },
    'too_large',
  ],
  [
    '30,000 entries',
    docx,
    () => zipFile(Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`${i}`, '']))),
    'too_large',
  ],
  [
    'entities within entities, and of a file',
    docx,
    () => main(`${LAUGHS}<d><p><t>&j; &out;</t></p></d>`),
    'document',
  ],
  ['half a million nested elements', docx, () => main('<p>'.repeat(500_000)), 'parser_failed'],
  [
    '200,000 paragraphs',
    docx,
    () => docxFile('<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(200_000)),
    'document',
  ],
  ['10,000 nested tables', docx, () => docxFile('<w:tbl><w:tr><w:tc>'.repeat(10_000)), 'parser_failed'],
  ['a start tag of a million attributes', docx, () => main(`<d ${'a="1" '.repeat(1_000_000)}/>`), 'document'],
  ['an archive without a document', docx, () => zipFile({ 'readme.txt': 'hello' }), 'mislabelled'],
  ['an archive of nothing', docx, () => zipFile({}), 'truncated'],
  [
    'an archive that breaks off',
    docx,
    () => docxFile(paragraph('x'.repeat(3_000))).subarray(0, 400),
    'truncated',
  ],
  [
    'a password',
    docx,
    () => compoundFile({ EncryptedPackage: Buffer.alloc(64), EncryptionInfo: Buffer.alloc(64) }),
    'encrypted',
  ],
  [
    'slides that are not there',
    'a.pptx',
    () => pptxFile([shape(['x'])], { 'ppt/_rels/presentation.xml.rels': '<r/>' }),
    'document',
  ],
  [
    'a document behind a PDF header',
    docx,
    () => Buffer.concat([Buffer.from('%PDF-1.4\n'), docxFile(paragraph('x'))]),
    'truncated',
  ],
  [
    'a PDF within a document',
    docx,
    () => zipFile({ '%PDF-1.4': '%PDF-1.4', 'word/document.xml': '<p><t>x</t></p>' }),
    'document',
  ],
  ['no bytes', 'a.xls', () => Buffer.alloc(0), 'empty'],
  ['a signature alone', 'a.ppt', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'truncated'],
  [
    'a PDF of 3,000 pages',
    'a.pdf',
    () => pdfFile({ pages: Array.from({ length: 3_000 }, () => textPage('leaf')) }),
    'document',
  ],
];

describe('a hostile document', { timeout: 180_000 }, () => {
  it.each(HOSTILE)(
    'of %s ends as it should, and the next one is read',
    async (_, fileName, make, expected) => {
      const [hostile, next] = await extractor.extractBatch([
        documents.document(make(), { fileName }),
        documents.document(docxFile(paragraph('Sound.')), { fileName: 'next.docx' }),
      ]);
      expect(told(hostile!)).toBe(expected);
      expect(next).toMatchObject({ kind: 'document', title: 'next' });
    },
  );

  it('never shows what entities would unfold to', async () => {
    const request = documents.document(main(`${LAUGHS}<d><p><t>a &lt; b &j; &out;</t></p></d>`), {
      fileName: docx,
      withUnits: true,
    });
    expect(await extractor.extract(request)).toMatchObject({ units: [{ text: 'a < b &j; &out;' }] });
  });
});

const SAMPLES: Readonly<Record<string, Buffer>> = {
  docx: docxFile(paragraph('Some text of it').repeat(40)),
  pptx: pptxFile([shape(['One'], 'title'), shape(['Two'])]),
  xlsx: xlsxFile({
    S: rowsOf([
      ['a', 'b'],
      ['c', 1],
    ]),
  }),
  doc: docFile([
    { text: 'Pumps\r' },
    { text: 'Part\x07', inTable: true },
    { text: '\x07', inTable: true, endsRow: true },
  ]),
  ppt: pptFile([{ title: 'One', lines: ['two', 'three'], notes: 'four' }]),
};

/** A sequence that is the same each time (numerical recipes, ranqd1). */
const noise = function* (seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state;
  }
};

describe('damaged documents', { timeout: 180_000 }, () => {
  it.each(Object.keys(SAMPLES))('of type %s are read or refused, each of two hundred', async (type) => {
    const damaged = Array.from({ length: 200 }, (_, seed) => {
      const bytes = Buffer.from(SAMPLES[type]!);
      const numbers = noise(seed);
      for (let count = 0; count < 1 + seed / 10; count += 1) {
        bytes[numbers.next().value! % bytes.length] = numbers.next().value! >>> 24;
      }
      return documents.document(bytes, { fileName: `a.${type}` });
    });
    const outcomes = await extractor.extractBatch([
      ...damaged,
      documents.document(SAMPLES[type]!, { fileName: `a.${type}` }),
    ]);
    const codes = new Set(outcomes.map(told));
    for (const code of ['timed_out', 'out_of_memory']) expect(codes).not.toContain(code);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'document', fileType: type });
  });
});
