import { createHash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { extractFile } from '../../../composition/document-reader.ts';
import { EXTRACTION_LIMITS } from '../../../adapters/extraction/document-reader.ts';
import { countO200kTokens } from '../../../adapters/extraction/language-and-tokens.ts';
import { parseChunkSet, serialiseChunkSet } from '../../../domain/chunking/chunk-set.ts';
import type { ExtractedDocument, ExtractionRequest } from '../../../application/ports/document-reader.ts';
import { pdfFile, textPage } from './pdf-files.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const documents = temporaryDocuments();
afterAll(() => documents.remove());

const extract = (bytes: string | Uint8Array, claims: Partial<ExtractionRequest>) =>
  extractFile({ ...documents.document(bytes, claims), limits: { ...EXTRACTION_LIMITS, ...claims.limits } });
const read = async (
  bytes: string | Uint8Array,
  claims: Partial<ExtractionRequest>,
): Promise<ExtractedDocument> => {
  const outcome = await extract(bytes, claims);
  if (outcome.kind !== 'document') throw new Error(JSON.stringify(outcome));
  return outcome;
};
const textOf = async (bytes: string | Uint8Array, claims: Partial<ExtractionRequest>): Promise<string> =>
  (await read(bytes, claims)).chunkSet.chunks.map((chunk) => chunk.text).join('\n\n');

const sentences = (count: number, seed: string): string =>
  Array.from({ length: count }, (_, index) => `This is sentence ${index} of the ${seed}.`).join(' ');

describe('a page', () => {
  const url = 'https://example.org/guide/vacuum.html';
  const page = `<html lang=en><title>Vacuum</title><nav><a href=next.html>Next</a></nav>
    <main><h1>Vacuum</h1><p>${sentences(60, 'vacuum')}</p><h2>Costs</h2><p>${sentences(60, 'costs')}</p></main>`;

  it('becomes a chunk set that can be stored, and facts for the crawler', async () => {
    const outcome = await read(page, { url, mediaType: 'text/html' });
    expect(outcome).toMatchObject({ fileType: 'html', title: 'Vacuum', language: 'en' });
    expect(outcome.page).toMatchObject({
      title: 'Vacuum',
      links: ['https://example.org/guide/next.html'],
      encoding: 'utf-8',
    });
    expect(outcome.chunkSet.source).toEqual({ title: 'Vacuum', url, fileType: 'html', language: 'en' });
    expect(outcome.chunkSet.keywords).toEqual(expect.arrayContaining(['vacuum', 'costs']));
    expect(parseChunkSet(serialiseChunkSet(outcome.chunkSet))).toEqual(outcome.chunkSet);
    expect(outcome).not.toHaveProperty('units');
  });

  it('has chunks of at most 400 real tokens under their headings, hashed as they are', async () => {
    const { chunks } = (await read(page, { url })).chunkSet;
    expect(new Set(chunks.map((chunk) => chunk.headingPath.join('>')))).toEqual(
      new Set(['Vacuum', 'Vacuum>Costs']),
    );
    for (const chunk of chunks) {
      expect(chunk.tokenCount).toBeLessThanOrEqual(400);
      expect(Math.abs(countO200kTokens(chunk.text) - chunk.tokenCount)).toBeLessThanOrEqual(4);
      expect(chunk.textHash).toBe(createHash('sha256').update(chunk.text).digest('hex'));
    }
  });

  it('of an article is freed from what surrounds it', async () => {
    const related = '<ul><li><a href=a>Related story one</a><li><a href=b>Related story two</a></ul>';
    const paragraphs = Array.from(
      { length: 6 },
      (_, index) => `<p>${sentences(8, `story, part ${index}`)}</p>`,
    );
    const article = `<title>Story</title><meta property=og:type content=article>
      <body><div>${related}</div><div class=story><h1>Story</h1>${paragraphs.join('')}</div><div class="related-links">${related}</div>`;
    const text = await textOf(article, { url });
    expect(text).toContain('sentence 7 of the story, part 5');
    expect(text).not.toContain('Related story');
    expect(await textOf(article.replace('og:type', 'og:kind'), { url })).toContain('Related story');
  });

  it.each([
    [
      'a table of data',
      (rows: string) => `<table class="sidebar-comment"><tr><th>Option<th>Meaning</tr>${rows}</table>`,
    ],
    [
      'a list of definitions',
      (rows: string) =>
        `<dl class="sidebar-comment">${rows.replaceAll('<tr><td>', '<dt>').replaceAll('<td>', '<dd>')}</dl>`,
    ],
  ])('of an article keeps %s that is small beside it', async (_, holding) => {
    const rows = Array.from(
      { length: 12 },
      (__, index) => `<tr><td>option_${index}<td>turns the number ${index} on`,
    ).join('');
    const story = `<p>${sentences(40, 'story')}</p>`.repeat(4);
    const text = await textOf(`<article><div>${story}</div><div>${holding(rows)}</div></article>`, { url });
    expect(text).toContain('option_7');
    expect(text).toContain('turns the number 7 on');
  });
});

describe('a text', () => {
  it('has no soft hyphens and no other marks within words that nobody sees', async () => {
    const words = 'Recht\u00adschreibung block\u200bchain a\u2060b';
    expect(await textOf(words, { fileName: 'a.txt' })).toBe('Rechtschreibung blockchain ab');
    const page = await read(`<title>Recht&shy;schreibung</title><h1>Recht&shy;schreibung</h1><p>x`, {
      url,
      mediaType: 'text/html',
    });
    expect(page).toMatchObject({ title: 'Rechtschreibung' });
    expect(page.chunkSet.chunks).toMatchObject([{ text: 'Rechtschreibung\n\nx' }]);
  });
  const url = 'https://example.org/';
});

describe('the encoding', () => {
  const latin = Buffer.from('<p>Grüße aus Köln, schöne Grüße', 'latin1');

  it.each([
    ['what the transport declares', latin, { mediaType: 'text/html; charset=ISO-8859-1' }],
    ['UTF-8 behind a wrong declaration', 'Grüße aus Köln, schöne Grüße', { charset: 'iso-8859-1' }],
    ['an unknown label', Buffer.from('Grüße aus Köln, schöne Grüße'), { charset: 'x-nonsense' }],
    ['UTF-8 that is declared and is none', latin, { charset: 'utf-8' }],
  ])('is right for %s', async (_, bytes, claims) => {
    expect(await textOf(bytes, { fileName: 'a.html', ...claims })).toBe('Grüße aus Köln, schöne Grüße');
  });
});

describe('source code', () => {
  const bytes = Buffer.from('import os\n\n' + 'def oil(pump):\n    return pump\n\n'.repeat(20));

  it.each([
    ['uploaded', { fileName: 'pump.py' }],
    ['of a repository', { fileName: 'pump.py', mediaType: 'text/plain' }],
    ['of a site', { url: 'https://a.example/src/pump.py', mediaType: 'text/plain; charset=utf-8' }],
  ])('%s is cut at its functions, and knows its lines', async (_, claims) => {
    const { chunkSet } = await read(bytes, claims);
    expect(chunkSet.source).toMatchObject({ fileType: 'txt', title: 'pump.py' });
    expect(chunkSet.chunks.at(-1)!.lines!.last).toBe(61);
    for (const { headingPath, lines } of chunkSet.chunks.slice(1))
      expect([lines!.first % 3, headingPath]).toEqual([0, ['oil']]);
  });
});

describe('a PDF', () => {
  it('has its text by page, its title and its language', async () => {
    const bytes = pdfFile({
      pages: [textPage('First page of', 'the report.'), textPage(), textPage('Third page.')],
      info: '/Title (Yearly report)',
      catalog: '/Lang (en-GB)',
    });
    const { chunkSet, title, language, page } = await read(bytes, { fileName: 'x.pdf' });
    expect({ title, language, page }).toEqual({ title: 'Yearly report', language: 'en-GB', page: undefined });
    expect(chunkSet.chunks.map(({ text, pageNumber }) => [pageNumber, text])).toEqual([
      [1, 'First page of the report.'],
      [3, 'Third page.'],
    ]);
  });

  it('has the text that annotations and forms show, and no password or hidden note', async () => {
    const rect = '/Rect [0 0 100 20] /Type /Annot';
    const annotations = [
      `<< ${rect} /Subtype /FreeText /DA (/F1 9 Tf) /Contents (a note on the margin) >>`,
      `<< ${rect} /Subtype /FreeText /DA (/F1 9 Tf) /F 2 /Contents (hidden note) >>`,
      `<< ${rect} /Subtype /Text /T (Ann) /Contents (behind a click) >>`,
      `<< ${rect} /Subtype /Widget /FT /Tx /T (name) /V (Ann Example) >>`,
      `<< ${rect} /Subtype /Widget /FT /Tx /Ff 8192 /T (pass) /V (secret word) >>`,
      `<< ${rect} /Subtype /Widget /FT /Ch /T (town) /Opt [(Ulm) (Bonn)] /V (Ulm) >>`,
    ];
    const bytes = pdfFile({
      pages: [
        { ...textPage('printed'), annotations },
        { content: '', annotations },
      ],
    });
    const outcome = await read(bytes, { fileName: 'form.pdf', withUnits: true });
    const shown = ['a note on the margin', 'Comment by Ann: behind a click', 'Ann Example', 'Ulm'].join(
      '\n\n',
    );
    expect(outcome.kind === 'document' && outcome.units?.map(({ text }) => text)).toEqual([
      `printed\n\n${shown}`,
      shown,
    ]);
  });

  it('without a title is called after its file', async () => {
    const bytes = pdfFile({ pages: [textPage('x')], info: '/Title (Microsoft Word - a.doc)' });
    expect((await read(bytes, { url: 'https://a.example/My%20report.pdf' })).title).toBe('My report');
  });
});

describe('other documents', () => {
  it('fail where the file is gone', async () => {
    const request = { file: '/absent', bytes: 1, fileName: 'a.txt', limits: EXTRACTION_LIMITS };
    expect(await extractFile(request)).toMatchObject({ kind: 'failed', code: 'parser_failed' });
  });
});
