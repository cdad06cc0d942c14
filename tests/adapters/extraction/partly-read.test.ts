import { afterAll, describe, expect, it } from 'vitest';
import { readPdf } from '../../../adapters/extraction/pdf/read-pdf.ts';
import { createReading } from './corpus/reading.ts';
import { pdfFile, textPage } from './pdf-files.ts';

const reading = createReading();
afterAll(() => reading.remove());

const limits = { textCharacters: 1_000 };
const lines = (line: (number: number) => string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

describe('a document with more text than is read', () => {
  it.each([
    ['text', 'a.txt', lines((number) => `Line ${number} of it.`, 80)],
    [
      'text that is many times as long',
      'a.log',
      lines((number) => `Zeile ${number} für größere Fälle.`, 900),
    ],
    ['Markdown', 'a.md', lines((number) => `# Part ${number}\n\nSome words of it.`, 60)],
    [
      'comma-separated values',
      'a.csv',
      `name,size\n${lines((number) => `part ${number},${number} mm`, 400)}`,
    ],
    ['lines of JSON', 'a.jsonl', lines((number) => `{"text":"Row ${number} of it."}`, 80)],
    [
      'PDF',
      'a.pdf',
      pdfFile({ pages: Array.from({ length: 90 }, (_, page) => textPage(`Page ${page} of it`)) }),
    ],
  ])('keeps what was read of it, and says so: %s', async (_, fileName, text) => {
    const found = await reading.document(Buffer.from(text as string), { fileName, limits });
    const read = found.units!.map((unit) => unit.text).join('\n');
    expect(found.unread).toEqual({
      code: 'partly_read',
      message: 'it has more than 1000 characters of text: the first of them were read',
    });
    expect(read).not.toContain('\uFFFD');
    expect(found.encoding ?? 'utf-8').toBe('utf-8');
    const rows = found.units!.reduce((sum, unit) => sum + unit.text.length, 0);
    expect(rows).toBeGreaterThan(400);
    expect(rows).toBeLessThanOrEqual(1_000);
  });

  it('is cut between words, so that none appears that it has not', async () => {
    const text = 'wonderful '.repeat(200);
    const [unit] = (await reading.document(Buffer.from(text), { fileName: 'a.txt', limits })).units!;
    expect(new Set(unit!.text.trim().split(' '))).toEqual(new Set(['wonderful']));
  });

  it('keeps the pages of a PDF that were read before its time was over', async () => {
    const file = pdfFile({ pages: [textPage('First'), textPage('Second'), textPage('Third')] });
    let now = 0;
    const oneSecond = (): number => (now += 1_000);
    expect(await readPdf(file, { textCharacters: 1_000, timeMs: 2_600 }, oneSecond)).toMatchObject({
      units: [
        { pageNumber: 1, text: 'First' },
        { pageNumber: 2, text: 'Second' },
      ],
      unread: { code: 'partly_read', message: 'the first 2 of its 3 pages were read within the time' },
    });
  });
});
