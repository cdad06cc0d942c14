import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDocumentReader } from '../../../adapters/extraction/document-reader.ts';
import type { ExtractionOutcome, DocumentReader } from '../../../application/ports/document-reader.ts';
import { bombPage, ENCRYPTED, pdfFile, textPage } from './pdf-files.ts';
import { READER } from './corpus/reading.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const documents = temporaryDocuments();
let extractor: DocumentReader;
beforeAll(() => {
  const limits = { timeMs: 60_000, memoryBytes: 450 * 1_024 ** 2 };
  extractor = createDocumentReader({ processes: 1, module: READER, limits });
});
afterAll(async () => {
  await extractor.close();
  documents.remove();
});

const html = 'a.html';
const pdf = 'a.pdf';
const txt = 'a.txt';
const told = (outcome: ExtractionOutcome): string =>
  outcome.kind === 'failed' ? outcome.code : outcome.kind === 'document' ? 'document' : 'unsupported';

const HOSTILE: readonly [string, string, () => string | Buffer, string][] = [
  [
    'a PDF that unfolds to 2 GB in two steps',
    pdf,
    () => pdfFile({ pages: [bombPage(2_000)] }),
    'out_of_memory',
  ],
  [
    'a PDF that claims 99,999,999 pages',
    pdf,
    () => pdfFile({ pages: [textPage('one')], count: 99_999_999 }),
    'document',
  ],
  ['a PDF that is none', pdf, () => 'no PDF at all', 'mislabelled'],
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
  ['half a million nested elements', html, () => `${'<div>'.repeat(500_000)}text`, 'document'],
  [
    'an article of 60,000 nested b, i and u',
    html,
    () => `<article>${'<b><i><u>'.repeat(20_000)}text</article>`,
    'document',
  ],
  ['3,000 nested tables', html, () => `<article>${'<table><tr><td>'.repeat(3_000)}text`, 'document'],
  ['300,000 links', html, () => 'text <a href=/x>y</a>'.repeat(300_000), 'document'],
  [
    '300,000 end tags of nothing',
    html,
    () => `${'<div>'.repeat(5_000)}${'</p></q>'.repeat(150_000)}text`,
    'document',
  ],
  ['a start tag of 300,000 attributes', html, () => `<p ${'class=a '.repeat(300_000)}>text`, 'document'],
  ['unclosed comments', html, () => `text${'<!--'.repeat(300_000)}`, 'document'],
  ['a million opening brackets', html, () => `text${'<'.repeat(1_000_000)}`, 'document'],
  ['a line of two million words', txt, () => 'word '.repeat(1_000_000), 'document'],
  ['a word of three million letters', txt, () => 'x'.repeat(3_000_000), 'document'],
  ['three million spaces', txt, () => `${' '.repeat(3_000_000)}text`, 'document'],
  ['one million empty lines', txt, () => `${'\n'.repeat(1_000_000)}text`, 'document'],
  ['control tokens of a model', txt, () => '<|endoftext|><|im_start|>'.repeat(1_000), 'document'],
  [
    'a Markdown heading of 200,000 spaces',
    'a.md',
    () => `# ${' '.repeat(200_000)}x\n${'['.repeat(200_000)}`,
    'document',
  ],
  [
    'random bytes called text',
    txt,
    () => Buffer.from(Array.from({ length: 4_000 }, (_, i) => (i * 7) % 256)),
    'unsupported',
  ],
  ['no bytes at all', html, () => '', 'document'],
  ['no bytes at all, called a PDF', pdf, () => '', 'empty'],
];

describe('hostile documents', { timeout: 180_000 }, () => {
  it.each(HOSTILE)(
    '%s: ends as it should, and the next document is read',
    async (_, fileName, make, expected) => {
      const [hostile, next] = await extractor.extractBatch([
        documents.document(make(), { fileName }),
        documents.document('<h1>Next</h1><p>Sound.', { fileName: 'next.html' }),
      ]);
      expect(told(hostile!)).toBe(expected);
      expect(next).toMatchObject({ kind: 'document', title: 'Next' });
    },
  );

  it('ends a document that takes longer than its own limit', async () => {
    const endless = pdfFile({ pages: [{ content: 'q '.repeat(3_000_000) }] });
    const outcome = await extractor.extract(
      documents.document(endless, { fileName: pdf, limits: { timeMs: 300, memoryBytes: 2 * 1_024 ** 3 } }),
    );
    expect(outcome).toMatchObject({ kind: 'failed', code: 'timed_out' });
  });

  it('refuses more text than allowed', async () => {
    const outcome = await extractor.extract(
      documents.document('word '.repeat(1_000), { fileName: txt, limits: { textCharacters: 100 } }),
    );
    expect(outcome).toMatchObject({ kind: 'failed', code: 'too_large' });
  });
});
