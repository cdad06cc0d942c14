import { describe, expect, it } from 'vitest';
import { compoundFile } from './corpus/compound-file.ts';
import { docFile } from './corpus/doc-file.ts';
import { docxFile, paragraph, pptxFile, rowsOf, shape, xlsxFile } from './corpus/open-xml.ts';
import { pptFile } from './corpus/ppt-file.ts';
import { zipFile } from './corpus/zip-file.ts';
import { bombPage, ENCRYPTED, pdfFile, textPage } from './pdf-files.ts';
import { openUntrusted, told, type Untrusted } from './untrusted.ts';

const extract = openUntrusted({ timeMs: 60_000, memoryBytes: 1_024 ** 3 });

const megabytes = (count: number): Buffer => Buffer.alloc(count * 1_024 ** 2, ' ');
const main = (xml: string | Buffer): Buffer => docxFile('', { 'word/document.xml': xml });
const LAUGHS = `<!DOCTYPE d [<!ENTITY a "ha">${Array.from({ length: 9 }, (_, level) => {
  const [name, of] = [String.fromCharCode(98 + level), String.fromCharCode(97 + level)];
  return `<!ENTITY ${name} "${`&${of};`.repeat(10)}">`;
}).join('')}<!ENTITY out SYSTEM "file:///etc/passwd">]>`;
const html = 'a.html';
const pdf = 'a.pdf';
const txt = 'a.txt';
const docx = 'a.docx';

const HOSTILE: readonly Untrusted[] = [
  [
    'a PDF that unfolds to 1.2 GB in two steps',
    pdf,
    () => pdfFile({ pages: [bombPage(1_200)] }),
    'out_of_memory',
  ],
  ['a PDF that claims 99,999,999 pages', pdf, () => pdfFile({ pages: [textPage('one')], count: 99_999_999 })],
  ['a PDF that is a header alone', pdf, () => '%PDF-1.7\n', 'truncated'],
  [
    'a PDF cut in the middle of its only page',
    pdf,
    () => pdfFile({ pages: [textPage('one')] }).subarray(0, 120),
    'truncated',
  ],
  [
    'a PDF with a password',
    pdf,
    () => pdfFile({ pages: [textPage('one')], trailer: ENCRYPTED }),
    'encrypted',
  ],
  ['half a million nested elements', html, () => `${'<div>'.repeat(500_000)}text`],
  ['3,000 nested tables', html, () => `<article>${'<table><tr><td>'.repeat(3_000)}text`],
  ['300,000 links', html, () => 'text <a href=/x>y</a>'.repeat(300_000)],
  ['300,000 end tags of nothing', html, () => `${'<div>'.repeat(5_000)}${'</p></q>'.repeat(150_000)}text`],
  ['a start tag of 300,000 attributes', html, () => `<p ${'class=a '.repeat(300_000)}>text`],
  ['unclosed comments', html, () => `text${'<!--'.repeat(300_000)}`],
  ['a line of two million words', txt, () => 'word '.repeat(1_000_000)],
  ['a word of three million letters', txt, () => 'x'.repeat(3_000_000)],
  ['control tokens of a model', txt, () => '<|endoftext|><|im_start|>'.repeat(1_000)],
  ['a Markdown heading of 200,000 spaces', 'a.md', () => `# ${' '.repeat(200_000)}x\n${'['.repeat(200_000)}`],
  [
    'random bytes called text',
    txt,
    () => Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7) % 256)),
    'unsupported',
  ],
  ['no bytes at all', html, () => ''],
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
  ['half a million nested elements', docx, () => main('<p>'.repeat(500_000)), 'parser_failed'],
  ['200,000 paragraphs', docx, () => docxFile('<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(200_000))],
  ['a start tag of a million attributes', docx, () => main(`<d ${'a="1" '.repeat(1_000_000)}/>`)],
  ['an archive without a document', docx, () => zipFile({ 'readme.txt': 'hello' }), 'mislabelled'],
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
  ],
  [
    'a PDF within a document',
    docx,
    () => zipFile({ '%PDF-1.4': '%PDF-1.4', 'word/document.xml': '<p><t>x</t></p>' }),
  ],
  ['a signature alone', 'a.ppt', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'truncated'],
  [
    'a PDF of 3,000 pages',
    'a.pdf',
    () => pdfFile({ pages: Array.from({ length: 3_000 }, () => textPage('leaf')) }),
  ],
];

describe('a hostile document', { timeout: 180_000 }, () => {
  it.each(HOSTILE)(
    '%s: ends as it should, and the next document is read',
    async (_, fileName, make, expected = 'document') => {
      const [hostile, next] = await extract(
        [make(), { fileName }],
        ['<h1>Next</h1><p>Sound.', { fileName: 'next.html' }],
      );
      expect(told(hostile!)).toBe(expected);
      expect(next).toMatchObject({ kind: 'document', title: 'Next' });
    },
  );

  it('never shows what entities would unfold to', async () => {
    const bytes = main(`${LAUGHS}<d><p><t>a &lt; b &j; &out;</t></p></d>`);
    expect(await extract([bytes, { fileName: docx, withUnits: true }])).toMatchObject([
      { units: [{ text: 'a < b &j; &out;' }] },
    ]);
  });

  it.each([
    [
      'takes longer than it may',
      () => pdfFile({ pages: [{ content: 'q '.repeat(3_000_000) }] }),
      pdf,
      { timeMs: 300, memoryBytes: 2 * 1_024 ** 3 },
      'timed_out',
    ],
  ] as const)('that %s by its own limits fails', async (_, make, fileName, limits, code) => {
    expect((await extract([make(), { fileName, limits }])).map(told)).toEqual([code]);
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
      return [bytes, { fileName: `a.${type}` }] as const;
    });
    const outcomes = await extract(...damaged, [SAMPLES[type]!, { fileName: `a.${type}` }]);
    const codes = new Set(outcomes.map(told));
    for (const code of ['timed_out', 'out_of_memory']) expect(codes).not.toContain(code);
    expect(outcomes.at(-1)).toMatchObject({ kind: 'document', fileType: type });
  });
});
