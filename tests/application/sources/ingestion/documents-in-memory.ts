import { createMemoryFileStore } from '../../../support/memory/file-store.ts';
import { textPatterns } from '../../../../adapters/system/patterns/text-patterns.ts';
import { type ChunkSet, serialiseChunkSet } from '../../../../domain/chunking/chunk-set.ts';
import { openDocuments } from '../../../../application/sources/ingestion/documents.ts';
import type { Job } from '../../../../application/sources/ingestion/job.ts';
import type {
  ExtractedDocument,
  ExtractionOutcome,
  ExtractionRequest,
} from '../../../../application/ports/document-reader.ts';
import type {
  FileAreas,
  FileStore,
  LocalFile,
  StoredFile,
} from '../../../../application/ports/file-store.ts';
import { compileRules } from '../../../../application/redaction/redactor.ts';
import type { RedactionRule } from '../../../../domain/redaction/index.ts';
import { callerOf } from '../../../support/conversations.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';

export const DATA_SOURCE = idOf(1);
export const EMAIL: RedactionRule = { name: 'email', kind: 'email' };

/** What a reader makes of a text. */
export const documentOf = (text: string, more: Partial<ExtractedDocument> = {}): ExtractedDocument => ({
  kind: 'document',
  fileType: 'txt',
  title: `On ${text}`,
  chunkSet: {
    format: 1,
    source: { title: `On ${text}`, url: null, fileType: 'txt' },
    keywords: [],
    chunks: [],
  },
  ...more,
});

/**
 * The documents of a job, with files in memory and a reader that answers as the test says. `told` has what was asked of
 * whom, in order. No file has a place on a disk: what stands for its path says which area and which bytes.
 */
export const openDocumentsInMemory = (rules: readonly RedactionRule[] = []) => {
  const parts = memoryParts();
  const areas = new Map<string, FileStore>();
  const told: (readonly unknown[])[] = [];
  const world = {
    /** What the reader makes of bytes. */
    read: (text: string): ExtractionOutcome => documentOf(text),
    /** Called with the number of the look, from 1. */
    assertLeaseHeld: (_look: number): void => {},
    yieldSlot: async (_idleUntil?: Promise<void>): Promise<void> => {},
    generation: 2,
    /** What else is so of the job. */
    more: { mode: 'full', attempt: 1 } as Partial<Job['state']>,
  };
  let looks = 0;
  const storeOf = (id: string): FileStore => {
    const store = areas.get(id) ?? createMemoryFileStore();
    areas.set(id, store);
    return store;
  };
  const files = {
    area: async (id: string) => {
      const store = storeOf(id);
      const putLocally = async <Result>(
        items: readonly (Uint8Array | StoredFile)[],
        use: (files: readonly LocalFile[]) => Promise<Result>,
      ): Promise<Result> => {
        told.push(['bytes', id, items.length]);
        const put = async (item: Uint8Array | StoredFile): Promise<LocalFile> => {
          const { sha256, bytes } = item instanceof Uint8Array ? await store.put(item) : item;
          return { sha256, bytes, path: `${id} ${sha256}` };
        };
        return use(await Promise.all(items.map(put)));
      };
      const putMany = (items: readonly Uint8Array[]) => {
        told.push(['texts', id, items.length]);
        return store.putMany(items);
      };
      return { ...store, putLocally, putMany };
    },
  } as unknown as FileAreas;
  const requests: ExtractionRequest[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const job = {
    dataSourceId: DATA_SOURCE,
    tenant: 'acme',
    context: callerOf('acme').context,
    get state() {
      return { jobId: 'job-1', generation: world.generation, ...world.more };
    },
    begin: async () => void told.push(['begin']),
    progress: async (counts: object) => void told.push(['progress', counts]),
    assertLeaseHeld: () => world.assertLeaseHeld((looks += 1)),
    yieldSlot: (idleUntil?: Promise<void>) => world.yieldSlot(idleUntil),
  } as unknown as Job;
  const deps = {
    ...parts,
    files,
    extractor: {
      extractBatch: async (asked: readonly ExtractionRequest[], signal?: AbortSignal) => {
        requests.push(...asked);
        signals.push(signal);
        return Promise.all(
          asked.map(async ({ file }) => {
            const [id = '', sha256 = ''] = file.split(' ');
            return world.read((await storeOf(id).read(sha256))?.toString('utf8') ?? 'nothing');
          }),
        );
      },
    } as never,
    writeChunkSet: async (set: ChunkSet) => Buffer.from(serialiseChunkSet(set)),
    redaction: {
      at: async (tenant: string, stage: string) => {
        told.push(['policies', tenant, stage]);
        return { rules, compiled: compileRules(rules, textPatterns) };
      },
      clearCache: () => {},
    },
    log: { error: (...line: readonly unknown[]) => void told.push(line) },
  };
  return Object.assign(world, {
    ...parts,
    deps,
    job,
    told,
    requests,
    signals,
    fileOf: async (id: string, sha256: string) => (await storeOf(id).read(sha256))?.toString('utf8') ?? null,
    documents: openDocuments(deps, job, 'crawl'),
  });
};
