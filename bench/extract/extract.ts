import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocumentReader, EXTRACTION_LIMITS } from '../../adapters/extraction/document-reader.ts';
import type { ExtractionRequest } from '../../application/ports/document-reader.ts';
import type { Bench } from '../bench.ts';
import { startChild } from '../measuring/child.ts';
import { processorTimeOfTree } from '../measuring/processor-time-of-tree.ts';
import { sideBySide } from '../measuring/side-by-side.ts';
import { SAMPLES, SLOW } from './samples.ts';

const DOCUMENTS = 100;
const SLOW_DOCUMENTS = 10;
/** Isolation may cost 15 %. */
const TARGET = 0.85;
const READER = new URL('../../composition/document-reader.ts', import.meta.url).href;

/**
 * Documents of a type through the reader, in a process of its own, beside the same reader called in the process that asks.
 * Both have read some before: what a library takes to load is not counted.
 */
export const extractBench: Bench = {
  name: 'extract',
  needs: [],
  measure: async function* measure({ quick, cleanup }) {
    const folder = await mkdtemp(join(tmpdir(), 'knowledger-bench-extract-'));
    cleanup.defer(() => rm(folder, { recursive: true, force: true }));
    const reader = createDocumentReader({ processes: 1, module: READER });
    cleanup.defer(() => reader.close());
    const alone = startChild('extract/alone.mjs');
    cleanup.defer(alone.stop);
    for (const type of Object.keys(SAMPLES)) {
      const count = quick ? 4 : SLOW.has(type) ? SLOW_DOCUMENTS : DOCUMENTS;
      const requests = await written(folder, type, count);
      const bytes = requests.reduce((sum, request) => sum + request.bytes, 0);
      const isolated = async (): Promise<number> => {
        const begun = performance.now();
        const outcomes = await reader.extractBatch(requests);
        if (outcomes.some(({ kind }) => kind !== 'document')) throw new Error(`a ${type} was not read`);
        return (1_000 * count) / (performance.now() - begun);
      };
      const called = async (): Promise<number> => {
        const asked = requests.map((request) => ({ ...request, limits: EXTRACTION_LIMITS }));
        const { ms, chunks } = (await alone.ask(asked)) as { ms: number; chunks: readonly number[] };
        if (chunks.some((number) => number < 1)) throw new Error(`a ${type} was not read`);
        return (1_000 * count) / ms;
      };
      await isolated();
      await called();
      const [ours, theirs] = [metered(isolated), metered(called)];
      const rounds = quick ? 1 : 5;
      const measured = await sideBySide(rounds, ours.act, theirs.act);
      const [mine, alones] = [ours, theirs].map((one) => (1_000 * one.seconds()) / (rounds * count));
      yield {
        bench: `extract ${type}`,
        ...measured,
        measured: 'in process',
        unit: 'documents/s',
        target: `>= ${TARGET}`,
        met: measured.ratio >= TARGET,
        megabytes_per_second: hundredths((measured.ours * bytes) / count / 1e6),
        bytes_per_document: Math.round(bytes / count),
        documents: count,
        processor_ms_per_document: hundredths(mine!),
        rival_processor_ms_per_document: hundredths(alones!),
        processor_ratio: hundredths(alones! / mine!),
        rival_is: 'the same reader without a process of its own',
      };
    }
  },
};

/** Adds up the processor time of all processes of this bench: whoever is not asked meanwhile is idle. */
const metered = (act: () => Promise<number>) => {
  let seconds = 0;
  const now = (): number => processorTimeOfTree(process.pid) ?? Number.NaN;
  return {
    act: async (): Promise<number> => {
      const before = now();
      const rate = await act();
      seconds += now() - before;
      return rate;
    },
    seconds: () => seconds,
  };
};

const hundredths = (value: number): number => Math.round(value * 100) / 100;

const written = async (folder: string, type: string, count: number): Promise<readonly ExtractionRequest[]> =>
  Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const file = join(folder, `${type}-${number}`);
      const bytes = Buffer.from(SAMPLES[type]!(number) as string);
      await writeFile(file, bytes);
      return { file, bytes: bytes.length, fileName: `${number}.${type}` };
    }),
  );
