import { availableParallelism } from 'node:os';
import {
  ExtractorClosed,
  type ExtractionLimits,
  type ExtractionOutcome,
  type ExtractionRequest,
  type DocumentReader,
} from '../../application/ports/document-reader.ts';
import { createReaderPool, type ReaderPool } from './process/reader-pool.ts';
import { startReader } from './process/reader-process.ts';
import type { ReadingProgress, Task } from './process/messages.ts';

export interface DocumentReaderOptions {
  /** Maximum number of documents that are read at once, each in a process of some 220 MB when idle. Default: 2. */
  readonly processes?: number;
  /**
   * Processes to start first; more start when documents wait behind slow ones. More processes than free processors do
   * not read faster, and each builds its own token cache. Default: one less than `processes`, at least 1.
   */
  readonly atFirst?: number;
  /** Used when a request sets no limits. */
  readonly limits?: Partial<ExtractionLimits>;
  /**
   * A process is replaced after this many documents, and earlier when it rests and has kept much memory. A start costs
   * as much as reading about 200 pages. Default: 5,000.
   */
  readonly restartAfter?: number;
  /** Heap of one process; buffers come on top, limited by `limits.memoryBytes`. Default: 384. */
  readonly heapMegabytes?: number;
  /** Told of a PDF that takes long. Default: nobody is. */
  readonly onProgress?: (progress: ReadingProgress) => void;
  /** Of one document. Default: 10,000. */
  readonly progressEveryMs?: number;
  /** Path or URL of the module whose `extractFile` reads documents: see `createExtractFile`. */
  readonly module: string;
}

export const EXTRACTION_LIMITS: ExtractionLimits = {
  timeMs: 60_000,
  memoryBytes: 1_024 ** 3,
  fileBytes: 200 * 1_024 ** 2,
  textCharacters: 20_000_000,
};

/**
 * Reads documents in child processes, which start with the first document and stay. Threads would not work: their
 * limits do not count buffers, into which archives and images are decompressed, and a crashing thread crashes the
 * service.
 */
export const createDocumentReader = (options: DocumentReaderOptions): DocumentReader => {
  const defaults = { ...EXTRACTION_LIMITS, ...options.limits };
  const openPool = (): ReaderPool =>
    createReaderPool({
      start: (reader, events) => startReader(reader, events, options.onProgress, options.progressEveryMs),
      processes: options.processes ?? 2,
      atFirst: options.atFirst ?? Math.max(1, availableParallelism() - 1),
      restartAfter: options.restartAfter ?? 5_000,
      module: options.module,
      // Above the limit that the parent enforces, because only the parent knows which document caused it.
      memoryBytes: 1.5 * defaults.memoryBytes,
      heapMegabytes: options.heapMegabytes ?? 384,
    });
  let pool: ReaderPool | undefined;
  let closed = false;
  let lastId = 0;

  const submit = (
    requests: readonly ExtractionRequest[],
    signal?: AbortSignal,
  ): Promise<ExtractionOutcome>[] => {
    if (closed) return requests.map(() => Promise.reject(new ExtractorClosed('the extractor is closed')));
    if (signal?.aborted === true) return requests.map(() => Promise.reject(signal.reason as Error));
    const tasks: Task[] = [];
    const outcomes = requests.map((request) => {
      const limits = { ...defaults, ...request.limits };
      const { promise, resolve, reject } = Promise.withResolvers<ExtractionOutcome>();
      if (request.bytes > limits.fileBytes) resolve(tooLarge(request.bytes, limits.fileBytes));
      else tasks.push(newTask((lastId += 1), { ...request, limits }, resolve, reject));
      return promise;
    });
    if (signal !== undefined) abandonOn(signal, tasks, outcomes);
    if (tasks.length > 0) (pool ??= openPool()).add(tasks);
    return outcomes;
  };

  return {
    extract: (request, signal) => submit([request], signal)[0]!,
    extractBatch: (requests, signal) => Promise.all(submit(requests, signal)),
    close: async () => {
      closed = true;
      await pool?.close(new ExtractorClosed('the extractor was closed'));
    },
  };
};

const newTask = (id: number, request: Task['request'], settle: Task['settle'], fail: Task['fail']): Task => ({
  id,
  request,
  attempts: 0,
  abandoned: false,
  settle,
  fail,
});

const abandonOn = (
  signal: AbortSignal,
  tasks: readonly Task[],
  outcomes: readonly Promise<unknown>[],
): void => {
  const abandon = (): void => {
    for (const task of tasks) {
      task.abandoned = true;
      task.fail(signal.reason);
    }
  };
  signal.addEventListener('abort', abandon, { once: true });
  void Promise.allSettled(outcomes).then(() => signal.removeEventListener('abort', abandon));
};

const tooLarge = (bytes: number, allowed: number): ExtractionOutcome => ({
  kind: 'failed',
  code: 'too_large',
  message: `it has ${bytes} bytes, and at most ${allowed} are read`,
});
