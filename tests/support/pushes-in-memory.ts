import { readFile } from 'node:fs/promises';
import { createMemoryFileAreas } from './memory/file-areas.ts';
import { createMemoryItemStore } from './memory/item-store.ts';
import { createMemoryUploadLeases, createMemoryWorkLeases } from './memory/leases.ts';
import type { Caller } from '../../application/access/caller.ts';
import { createPushConnector } from '../../application/sources/push-connector/connector.ts';
import { type ChunkSet, serialiseChunkSet } from '../../domain/chunking/chunk-set.ts';
import { withoutPauses } from '../../application/event-sourcing/back-off.ts';
import { createCreateDataSource } from '../../application/sources/ingestion/create-data-source.ts';
import type { NamedDataSource } from '../../application/ports/data-source-view.ts';
import type { DocumentReader, ExtractionOutcome } from '../../application/ports/document-reader.ts';
import type { SourceTombstone } from '../../application/ports/read-your-writes.ts';
import type { DocumentFields } from '../../application/sources/pushes/document-fields.ts';
import { createLockPush } from '../../application/sources/pushes/lock-push.ts';
import { createPushJobs } from '../../application/sources/pushes/jobs.ts';
import { createPutDocument } from '../../application/sources/pushes/put-document.ts';
import { createRemoveDocument } from '../../application/sources/pushes/remove-document.ts';
import type { CompiledRules } from '../../application/redaction/redactor.ts';
import { dataSourceStream, sourceStream } from '../../application/event-sourcing/streams.ts';
import type { UploadPart } from '../../application/sources/uploads/upload-area.ts';
import { dataSource } from '../../domain/data-source/index.ts';
import { callerOf, noOverlay } from './conversations.ts';
import { memoryParts } from './memory-parts.ts';
import { silent } from './silent.ts';

export const ACME = callerOf('acme');
const NO_RULES: CompiledRules = {
  rules: [],
  replacements: { mask: (text) => ({ text, settled: text.length }) },
};

/** The document as a file of a form, and fields before it. */
export async function* partsOf(
  text: string,
  mediaType = 'text/plain',
  fields: Readonly<Record<string, string>> = {},
): AsyncGenerator<UploadPart> {
  for (const [name, value] of Object.entries(fields)) yield { kind: 'field', name, value };
  yield { kind: 'file', fileName: '', mediaType, body: [Buffer.from(text)] as never };
}

/** The title of a text is its first line, and the rest is one chunk. What begins with `!` cannot be read. */
const reading = (text: string, title: string | undefined, url: string | null): ExtractionOutcome => {
  if (text.startsWith('!unknown'))
    return { kind: 'unsupported', mediaType: null, message: 'these bytes are nothing known' };
  if (text.startsWith('!')) return { kind: 'failed', code: 'parser_failed', message: 'it broke' };
  const [first = '', ...rest] = text.split('\n');
  const named = { title: title ?? first, url, fileType: 'txt', language: 'en' };
  const chunk = { headingPath: [], pageNumber: 0, tokenCount: 1, textHash: 'hash', occurrence: 0 };
  const chunks = rest.map((line) => ({ ...chunk, text: line }));
  const chunkSet = { format: 1, source: named, keywords: [], chunks } as const;
  return { kind: 'document', fileType: 'txt', title: named.title, language: 'en', chunkSet };
};

/** Pushes and all that they write to, in memory. A test changes what the use cases are given, and moves the time. */
export const pushesInMemory = () => {
  const parts = memoryParts();
  const { store, execute, ids, time, clock, hash } = parts;
  const files = createMemoryFileAreas(() => time.now);
  const uploads = createMemoryUploadLeases(() => time.now);
  const itemStore = createMemoryItemStore();
  const leases = createMemoryWorkLeases(clock);
  const tombstones: SourceTombstone[] = [];
  /** Locators that were read, in their order; and for which views was waited. */
  const [read, awaited]: [string[], string[]] = [[], []];
  const extractBatch: DocumentReader['extractBatch'] = (requests) =>
    Promise.all(
      requests.map(async ({ file, title, url = null, fileName = '' }) => {
        read.push(fileName);
        return reading(await readFile(file, 'utf8'), title, url);
      }),
    );
  const connectors = { push: createPushConnector(itemStore) };
  const deps = {
    execute,
    ids,
    hash,
    clock,
    store,
    files,
    uploads,
    itemStore,
    leases,
    connectors,
    feed: store,
    gate: {
      reached: async (views: readonly string[]) => {
        awaited.push(...views);
        return true;
      },
    },
    tombstones: { putSource: async (mark: SourceTombstone) => void tombstones.push(mark) },
    extractor: { extractBatch } as DocumentReader,
    writeChunkSet: async (set: ChunkSet) => Buffer.from(serialiseChunkSet(set)),
    redaction: { at: async () => ({ rules: [], compiled: NO_RULES }), clearCache: () => {} },
    urlOf: (id: string) => `/raw/${id}`,
    unswept: { mark: async () => {} },
    every: () => ({ stop: () => {} }),
    log: silent,
    owner: 'worker-1',
    backOff: withoutPauses,
    view: { withChunkMetadataCounts: async (records: readonly NamedDataSource[]) => records },
  };
  type Deps = typeof deps;

  /** The use cases of one process. */
  const open = (change: Partial<Deps> = {}, lockPush = createLockPush({ ...deps, ...change })) => {
    const given = { ...deps, lockPush, ...change };
    const put = createPutDocument(given);
    const creating = {
      ...given,
      scheduling: null as never,
      secretAttachments: null as never,
      overlay: noOverlay,
    };
    const create = createCreateDataSource(creating);
    return {
      lockPush,
      jobs: createPushJobs(given),
      remove: createRemoveDocument(given),
      putParts: put,
      put: (id: string, locator: string, text: string, fields: DocumentFields = {}, caller: Caller = ACME) =>
        put(caller, id, locator, partsOf(text), fields),
      create: async (caller: Caller = ACME) =>
        (await create(caller, { name: 'Feed', metadata: [], parameters: { kind: 'push' } }, undefined)).record
          .row,
    };
  };

  return {
    ...parts,
    files,
    uploads,
    itemStore,
    leases,
    tombstones,
    read,
    awaited,
    deps,
    open,
    /** Types of the events of a push. */
    eventsOf: async (id: string): Promise<readonly string[]> =>
      (await parts.stored(dataSourceStream(id))).map(({ type }) => type),
    /** Types of the events of a document. */
    eventsOfDocument: async (sourceId: string): Promise<readonly string[]> =>
      (await parts.stored(sourceStream(sourceId))).map(({ type }) => type),
    /** Sends a command to a push, as a worker or another process would. */
    command: (id: string, command: object) =>
      execute(dataSource, dataSourceStream(id), command as never, ACME.context),
    /** Whether the push keeps this text, byte for byte. */
    retainedFiles: async (id: string, text: string): Promise<boolean> =>
      (await files.area(id)).has(hash.sha256(text)),
  };
};

/** A push with its first job, which has run for long enough that progress is due. */
export const openedPush = async () => {
  const world = pushesInMemory();
  const one = world.open();
  const { id, jobId } = await one.create();
  world.time.now += 10_000;
  return { world, one, id, jobId };
};
