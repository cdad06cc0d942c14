import { hash } from 'node:crypto';
import { createIdSource } from '../../adapters/system/identity.ts';
import { createEventCodec } from '../../application/event-sourcing/event-codec.ts';
import type { DomainEvent } from '../../application/event-sourcing/aggregates.ts';
import {
  dataSourceStream,
  ingestionSettingStream,
  sourceStream,
} from '../../application/event-sourcing/streams.ts';
import type { EventStore, NewEvent } from '../../application/ports/event-store.ts';
import type { ChunkSet } from '../../domain/chunking/chunk-set.ts';
import { CONTEXT, jobHistory } from '../events/job-histories.ts';
import { randomNumbers, zipfWord } from '../measuring/words.ts';

/** A setting, a registered data source with a job of seven events, and a document. */
const EVENTS_OF_A_DATA_SOURCE = 10;
const DATA_SOURCES_OF_A_TENANT = 10_000;
/** One data source has this many events. */
export const LONG_STREAM = 1_000;
/** Streams whose events lie among each other in the log, as those of jobs that run at the same time do. */
const AT_ONCE = 64;
const EVENTS_OF_AN_APPEND = 4;
const [WORDS, VOCABULARY] = [120, 20_000];

const sha256 = (text: string): string => hash('sha256', text);

export interface GeneratedLog {
  readonly events: number;
  readonly tenants: readonly string[];
  /** A data source of the first tenant, with `LONG_STREAM` events. */
  readonly long: string;
  /** A data source of the first tenant, with few events. */
  readonly short: string;
  /** The text of a document. */
  readonly chunkSet: (sha256: string) => ChunkSet | null;
}

/**
 * Fills a store with the histories of data sources: a tenth of the events are of documents with titles, of which each
 * has 120 words. Every 10,000 data sources have a tenant of their own.
 */
export const generateLog = async (
  store: EventStore,
  size: number,
  onProgress: (events: number) => void,
): Promise<GeneratedLog> => {
  const ids = createIdSource();
  const codec = createEventCodec();
  const dataSources = Math.max(1, Math.floor((size - LONG_STREAM) / EVENTS_OF_A_DATA_SOURCE));
  const tenants = Array.from({ length: Math.ceil(dataSources / DATA_SOURCES_OF_A_TENANT) }, () =>
    ids.newId(),
  );
  const sets = new Map<string, number>();
  let [events, next, short] = [0, 0, ''];
  const append = async (tenant: string, stream: string, history: readonly DomainEvent[]): Promise<void> => {
    for (let at = 0; at < history.length; at += EVENTS_OF_AN_APPEND) {
      const some = history
        .slice(at, at + EVENTS_OF_AN_APPEND)
        .map((event) => codec.encode(event, ids.newId(), { ...CONTEXT, tenant }));
      await store.append(stream, at === 0 ? 'none' : BigInt(at - 1), some as [NewEvent, ...NewEvent[]]);
      onProgress((events += some.length));
    }
  };
  const addDataSource = async (tenant: string, nth: number, length: number): Promise<string> => {
    const [id, setting] = [ids.newId(), ids.newId()];
    const startUrl = `https://docs.example.org/${id}/`;
    const history = jobHistory({ id, ids, length }).map((event) =>
      event.type === 'DataSourceRegistered' ? { ...event, ingestionSettingId: setting } : event,
    );
    const { at } = history[0]!;
    await append(tenant, ingestionSettingStream(setting), [
      {
        type: 'IngestionSettingCreated',
        dataSourceId: id,
        name: `Manual ${nth}`,
        parameters: { ...CRAWL, startUrl },
        schedule: null,
        at,
      },
    ]);
    await append(tenant, dataSourceStream(id), history);
    const digest = sha256(`document ${nth}`);
    sets.set(digest, nth);
    const { jobId } = history[0] as { readonly jobId: string };
    await append(tenant, sourceStream(ids.newId()), [
      {
        type: 'SourceIndexed',
        dataSourceId: id,
        sourceType: 'crawl',
        locator: startUrl,
        jobId,
        generation: 1,
        at,
        url: startUrl,
        title: titleOf(nth),
        language: 'en',
        fileType: 'html',
        mediaType: 'text/html; charset=utf-8',
        raw: { sha256: digest, bytes: 13_000 },
        chunkSet: { sha256: digest, bytes: 1_000, chunks: 1 },
      },
    ]);
    return id;
  };
  const long = await addDataSource(tenants[0]!, 0, LONG_STREAM);
  const lane = async (): Promise<void> => {
    for (let nth = ++next; nth <= dataSources; nth = ++next) {
      const tenant = tenants[Math.floor((nth - 1) / DATA_SOURCES_OF_A_TENANT)]!;
      const id = await addDataSource(tenant, nth, EVENTS_OF_A_DATA_SOURCE - 2);
      if (nth === 1) short = id;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  const chunkSet = (digest: string): ChunkSet | null => {
    const nth = sets.get(digest);
    return nth === undefined ? null : chunkSetOf(nth);
  };
  return { events, tenants, long, short, chunkSet };
};

const CRAWL = {
  kind: 'crawl',
  maxDepth: 3,
  maxNumFiles: 100,
  pathFilters: [],
  contentPattern: [],
  htmlOnly: true,
  useBrowser: false,
  noCanonicalCheck: false,
  fileExtensions: [],
} as const;

const titleOf = (nth: number): string => {
  const random = randomNumbers(nth);
  return Array.from({ length: 5 }, () => zipfWord(random, VOCABULARY)).join(' ');
};

const chunkSetOf = (nth: number): ChunkSet => {
  const random = randomNumbers(nth);
  const text = Array.from({ length: WORDS }, () => zipfWord(random, VOCABULARY)).join(' ');
  return {
    format: 1,
    source: { title: titleOf(nth), url: null, fileType: 'html' },
    keywords: [],
    chunks: [
      { text, headingPath: [], pageNumber: 0, tokenCount: 160, textHash: sha256(text), occurrence: 0 },
    ],
  };
};
