import { basename } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createDocumentReader } from '../../../adapters/extraction/document-reader.ts';
import { READER } from './corpus/reading.ts';
import { pdfFile, textPage } from './pdf-files.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const documents = temporaryDocuments();
afterAll(() => documents.remove());

const PAGES = 1_000;
const LINE = 'A valve is opened by hand, and closed by the pressure of what flows. ';
const long = pdfFile({
  pages: Array.from({ length: PAGES }, (_, page) =>
    textPage(...Array.from({ length: 60 }, (__, line) => `${page}.${line} ${LINE}`)),
  ),
});

const reader = createDocumentReader({ processes: 1, module: READER, heapMegabytes: 100 });
afterAll(() => reader.close());

it('tells of a long PDF how much of it is read', async () => {
  const told: unknown[] = [];
  const telling = createDocumentReader({
    processes: 1,
    module: READER,
    progressEveryMs: 0,
    onProgress: (progress) => told.push(progress),
  });
  const file = pdfFile({ pages: ['First', 'Second'].map((line) => textPage(line)) });
  const request = documents.document(file, { queueKey: 'job' });
  await telling.extract(request);
  await telling.close();
  const about = { file: basename(request.file), queueKey: 'job', pages: 2 };
  expect(told).toEqual([1, 2].map((pagesRead) => ({ ...about, pagesRead })));
});

it('reads a PDF of many dense pages in memory that does not grow with their number', async () => {
  const outcome = await reader.extract(documents.document(long, { withUnits: true }));
  expect(outcome).toMatchObject({ kind: 'document' });
  expect(outcome).not.toHaveProperty('unread');
  expect(outcome.kind === 'document' && outcome.units?.length).toBe(PAGES);
}, 120_000);
