import { fork } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import {
  type DocumentReaderOptions,
  createDocumentReader,
} from '../../../adapters/extraction/document-reader.ts';
import {
  ExtractorClosed,
  type ExtractionOutcome,
  type DocumentReader,
} from '../../../application/ports/document-reader.ts';
import { processState } from './process-state.ts';
import { temporaryDocuments } from './temporary-documents.ts';

const module = new URL('fixtures/misbehaving-reader.ts', import.meta.url).href;
const documents = temporaryDocuments();
afterAll(() => documents.remove());

const open = (options: Partial<DocumentReaderOptions>): DocumentReader =>
  createDocumentReader({ processes: 1, module, ...options });
const titleOf = (outcome: ExtractionOutcome): string | undefined =>
  outcome.kind === 'document' ? outcome.title : `${outcome.kind} ${'code' in outcome ? outcome.code : ''}`;
/** What the process of the outcome told of itself. */
const readerOf = (outcome: ExtractionOutcome) =>
  JSON.parse(outcome.kind === 'document' ? outcome.chunkSet.keywords[0]! : '{}') as {
    pid: number;
    read: number;
    environment: Record<string, string>;
  };
// Processes start slowly on a busy machine.
describe('the text extractor', { timeout: 120_000 }, () => {
  const opened: DocumentReader[] = [];
  const extractor = (options: Partial<DocumentReaderOptions> = {}): DocumentReader => {
    const created = open(options);
    opened.push(created);
    return created;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  it('gives its processes no environment', async () => {
    const outcome = await extractor().extract(documents.document('x'));
    expect(Object.keys(readerOf(outcome).environment).filter((name) => !name.startsWith('NODE_'))).toEqual(
      [],
    );
  });

  it('lets its processes give way to this one', async () => {
    const { pid } = readerOf(await extractor().extract(documents.document('x')));
    expect(getPriority(pid)).toBeGreaterThan(getPriority());
  });

  it.each([
    ['hang', 'failed timed_out'],
    ['never answer', 'failed timed_out'],
    ['fill buffers', 'failed out_of_memory'],
    ['fill the heap', 'failed out_of_memory'],
    ['exit', 'failed parser_failed'],
    ['kill', 'failed parser_failed'],
    ['throw later', 'failed parser_failed'],
  ])(
    'lets a document that would %s fail alone, and reads those before and behind it',
    async (act, expected) => {
      const limits = { timeMs: expected.endsWith('timed_out') ? 700 : 30_000, memoryBytes: 700 * 1_024 ** 2 };
      const texts = ['one', 'two', act, 'three', 'four'];
      const requests = texts.map((text) => documents.document(text));
      const outcomes = await extractor({ limits, heapMegabytes: 64 }).extractBatch(requests);
      expect(outcomes.map(titleOf)).toEqual(texts.map((text) => (text === act ? expected : text)));
    },
  );

  it('gives a document that broke a used process a fresh one, once', async () => {
    const requests = ['first', 'exit once'].map((text) => documents.document(text));
    const outcomes = await extractor().extractBatch(requests);
    expect(outcomes.map(titleOf)).toEqual(['first', 'exit once']);
    expect(readerOf(outcomes[1]!).read).toBe(1);
  });

  it.each([
    ['another process', 2],
    ['a process started for them', 1],
  ])('moves documents that wait behind a slow one to %s', async (_, atFirst) => {
    const texts = ['hang', 'a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const pool = extractor({ processes: 2, atFirst, limits: { timeMs: 120_000 } });
    const hanging = new AbortController();
    const [slow, ...others] = texts.map((text) =>
      pool.extract(documents.document(text), text === 'hang' ? hanging.signal : undefined),
    );
    expect((await Promise.all(others)).map(titleOf)).toEqual(texts.slice(1));
    hanging.abort(new Error('enough'));
    await expect(slow).rejects.toThrow('enough');
  });

  it('replaces a process after so many documents, without losing one', async () => {
    const pool = extractor({ restartAfter: 5 });
    const readers = new Set<number>();
    for (let index = 0; readers.size < 3; index += 1) {
      const outcome = await pool.extract(documents.document(`document ${index}`));
      expect(titleOf(outcome)).toBe(`document ${index}`);
      readers.add(readerOf(outcome).pid);
    }
    await pool.close();
    for (const pid of readers) expect(processState(pid)).toBeNull();
  });

  it('refuses a document above the size limit without reading it', async () => {
    const outcome = await extractor().extract(documents.document('hang', { limits: { fileBytes: 3 } }));
    expect(titleOf(outcome)).toBe('failed too_large');
  });

  it('rejects with the reason of the signal, before and while it reads, and goes on', async () => {
    const pool = extractor();
    const reason = new Error('the job was cancelled');
    await expect(pool.extract(documents.document('x'), AbortSignal.abort(reason))).rejects.toBe(reason);
    await pool.extract(documents.document('warm'));
    const job = new AbortController();
    const cancelled = pool.extractBatch([documents.document('hang'), documents.document('y')], job.signal);
    job.abort(reason);
    await expect(cancelled).rejects.toBe(reason);
    expect(titleOf(await pool.extract(documents.document('next')))).toBe('next');
  });

  it('ends all processes on close, also one that hangs, and fails what waits', async () => {
    const pool = extractor({ processes: 2, atFirst: 2 });
    const { pid } = readerOf(await pool.extract(documents.document('warm')));
    const pending = [pool.extract(documents.document('hang')), pool.extract(documents.document('hang'))];
    const settled = Promise.allSettled(pending);
    await pool.close();
    for (const result of await settled) {
      expect(result).toMatchObject({ status: 'rejected', reason: expect.any(ExtractorClosed) as unknown });
    }
    expect(processState(pid)).toBeNull();
    await expect(pool.extract(documents.document('late'))).rejects.toThrow(ExtractorClosed);
    await pool.close();
  });

  it('fails documents, and does not hang, when no reader can be started', async () => {
    const pool = extractor({ module: new URL('fixtures/absent.ts', import.meta.url).href });
    const outcomes = await pool.extractBatch([documents.document('a'), documents.document('b')]);
    expect(outcomes.map(titleOf)).toEqual(['failed parser_failed', 'failed parser_failed']);
  });

  it('leaves no process behind when its own is killed, even one that hangs', async () => {
    const files = ['warm', 'hang'].map((text) => documents.document(text).file);
    const parent = fork(new URL('fixtures/extracting-parent.ts', import.meta.url), files);
    const [told] = (await once(parent, 'message')) as [string];
    const { pid } = JSON.parse(told) as { pid: number };
    await vi.waitFor(() => expect(processState(pid)).toBe('R'), { timeout: 20_000, interval: 20 });
    parent.kill('SIGKILL');
    await vi.waitFor(() => expect(processState(pid)).toBeNull(), { timeout: 20_000, interval: 20 });
  });
});
