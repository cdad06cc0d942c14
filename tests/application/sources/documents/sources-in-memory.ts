import type { CatalogScope, SourceRecord } from '../../../../application/ports/catalog.ts';
import type { SourceTombstone } from '../../../../application/ports/read-your-writes.ts';
import {
  createSourceOperations,
  type SourceDeps,
} from '../../../../application/sources/documents/operations.ts';
import { sourceStream } from '../../../../application/event-sourcing/streams.ts';
import { source } from '../../../../domain/source/decider.ts';
import { callerOf } from '../../../support/conversations.ts';
import { contentOf } from '../../../support/completions.ts';
import { idOf, memoryParts } from '../../../support/memory-parts.ts';

export const caller = callerOf('acme');
export const GROUP = idOf(1);
export const SOURCE = idOf(2);
export const [RAW, CHUNKS] = ['a'.repeat(64), 'b'.repeat(64)];
export const ACCESS = { tenant: 'acme', only: null, access: {} } as unknown as CatalogScope;
export const ROW: SourceRecord = {
  id: SOURCE,
  sourceGroupId: GROUP,
  sourceType: 'crawl',
  title: 'A page',
  url: 'https://docs.example.com/a%20b/c%20d',
  locator: 'https://docs.example.com/a%20b/c%20d',
  fileType: 'html',
  language: null,
  mediaType: 'text/html',
  size: 7,
  sha256: RAW,
  status: 'indexed',
  skipReason: null,
  error: null,
  lastSeenTime: 1,
  indexedTime: 1,
  contentCount: 2,
  contentMissing: false,
  metadata: [],
};

/** One document, as its events and a catalog that is not behind have it; `told`: what was asked, in order. */
export const openSources = (row: Partial<SourceRecord> = {}, stored = true) => {
  const parts = memoryParts();
  const told: unknown[] = [];
  const rowOf = (id: string) => (id === SOURCE ? { ...ROW, ...row } : null);
  const catalog = {
    getSource: async (scope: CatalogScope, id: string) => {
      told.push(['source', scope]);
      return rowOf(id);
    },
    listSources: async (...asked: readonly unknown[]) => {
      told.push(['list', ...asked]);
      return { rows: [ROW], hasMore: false, total: 1 };
    },
    contentsOfSource: async (scope: CatalogScope, id: string, page: unknown) => {
      told.push(['contents', scope, page]);
      return id === SOURCE ? { rows: [contentOf(1)], hasMore: false, total: 1 } : null;
    },
    getContent: async (scope: CatalogScope, id: string) => {
      told.push(['content', scope]);
      return id === contentOf(1).id ? contentOf(1) : null;
    },
  };
  const tombstones: SourceTombstone[] = [];
  const forgetting = {
    forgetDocument: async (...of: readonly unknown[]) => void told.push(['forget', ...of]),
  };
  const operations = createSourceOperations({
    ...parts,
    catalog: catalog as unknown as SourceDeps['catalog'],
    connectors: { crawl: forgetting } as unknown as SourceDeps['connectors'],
    tombstones: {
      putSource: async (mark) => {
        told.push('withheld');
        tombstones.push(mark);
      },
    },
    accessTo: async (_, onBehalfOf) => {
      told.push(onBehalfOf);
      return ACCESS;
    },
    files: {
      area: async (...of: readonly unknown[]) => {
        told.push(['area', ...of]);
        const open = async (...asked: readonly unknown[]) => {
          told.push(['open', ...asked]);
          return stored ? ({ bytes: 7 } as never) : null;
        };
        return { open };
      },
    } as unknown as SourceDeps['files'],
  });
  /** What a job records of it. */
  const indexed = (generation = 1) => {
    const visit = {
      dataSourceId: GROUP,
      sourceType: 'crawl',
      locator: ROW.url,
      jobId: 'job-1',
      generation,
    } as const;
    const files = { raw: { sha256: RAW, bytes: 7 }, chunkSet: { sha256: CHUNKS, bytes: 9, chunks: 2 } };
    const { url, title } = ROW;
    const command = { type: 'record_indexed', ...visit, ...files, url, title, at: parts.time.now } as const;
    const known = { ...command, fileType: 'html', mediaType: 'text/html' };
    return parts.execute(source, sourceStream(SOURCE), known, caller.context);
  };
  return { ...parts, ...operations, told, tombstones, indexed };
};
