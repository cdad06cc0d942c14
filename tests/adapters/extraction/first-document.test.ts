import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createDocumentReader } from '../../../adapters/extraction/document-reader.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const module = new URL('fixtures/misbehaving-reader.ts', import.meta.url).href;
const documents = temporaryDocuments();
afterAll(() => documents.remove());

/** The processes that this one has started and that still run. */
const children = (): readonly string[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').split(' ').filter(Boolean);
const HERE_BEFORE = new Set(process.platform === 'linux' ? children() : []);
const started = (): readonly string[] => children().filter((pid) => !HERE_BEFORE.has(pid));

describe.skipIf(process.platform !== 'linux')('reader processes', { timeout: 120_000 }, () => {
  const reader = createDocumentReader({ processes: 1, module });
  afterEach(() => reader.close());

  it('start with the first document, and none before', async () => {
    await new Promise(setImmediate);
    expect(started()).toHaveLength(0);
    await reader.extract(documents.document('x'));
    expect(started()).toHaveLength(1);
  });
});
