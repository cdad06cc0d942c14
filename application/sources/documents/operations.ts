import { type MetadataRecord } from '../../../domain/source/events.ts';
import { source, type SourceState } from '../../../domain/source/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { AccessTo, OnBehalfOf } from '../../access/authz/access.ts';
import { type Caller, scopeOf } from '../../access/caller.ts';
import type { Written } from '../../event-sourcing/idempotent.ts';
import type { Page, PageRequest } from '../../ports/page.ts';
import type {
  PassagePage,
  PassageRequest,
  Catalog,
  ContentRecord,
  SourceListFilter,
  SourceRecord,
  SourceSort,
} from '../../ports/catalog.ts';
import type { FileAreas, ByteRange, OpenFile } from '../../ports/file-store.ts';
import { sourceStream, dataSourceStream } from '../../event-sourcing/streams.ts';
import { checkMetadata } from './check-metadata.ts';
import { createShownToday, type ShownTodayDeps } from './shown-today.ts';
import { dataSource } from '../../../domain/data-source/index.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { type Connectors, forgetDocument } from '../ingestion/connector.ts';
import type { Clock } from '../../ports/identity.ts';
import type { Tombstones } from '../../ports/read-your-writes.ts';

interface RemoveSourceDeps {
  readonly execute: Execute;
  readonly connectors: Connectors;
  readonly tombstones: Pick<Tombstones, 'putSource'>;
  readonly clock: Clock;
}

/**
 * Removes a document. When it resolves, no new read shows the document; `erase-removed` deletes its bytes later. A
 * later job that finds the document stores it as a new one; a running job does not.
 *
 * The knowledge about its page is deleted first, so that after a crash at any point a later job reads the page again.
 */
const removeSource = async (
  deps: RemoveSourceDeps,
  caller: Caller,
  record: SourceRecord,
): Promise<Written<SourceRecord>> => {
  const { id: sourceId, sourceGroupId: dataSourceId } = record;
  const { tenant, context } = caller;
  const generation = await nextGeneration(deps, tenant, dataSourceId);
  await forgetDocument(deps.connectors, { dataSourceId, generation }, sourceId);
  let files: readonly string[] = [];
  const note = (before: SourceState): void => {
    const content = before.status === 'none' ? null : before.content;
    files = content === null ? [] : [content.raw, content.chunkSet];
  };
  const command = {
    type: 'remove',
    reason: 'requested',
    jobId: '',
    generation,
    at: deps.clock.now(),
  } as const;
  const done = await deps.execute(source, sourceStream(sourceId), command, context, { guard: note });
  const { position, events } = done;
  const revision = done.revision as bigint;
  await deps.tombstones.putSource({
    sourceId,
    dataSourceId,
    tenant,
    revision,
    generation,
    position,
    files,
  });
  return { record, position, changed: events.length > 0 };
};

/** The number of the next job of the data source. */
const nextGeneration = async (
  { execute }: RemoveSourceDeps,
  tenant: string,
  dataSourceId: string,
): Promise<number> => {
  const state = (await execute.load(dataSource, dataSourceStream(dataSourceId), tenant))?.state;
  return state === undefined || state.status === 'none' ? 1 : state.job.generation + 1;
};

export interface SourceDeps extends RemoveSourceDeps, ShownTodayDeps {
  readonly catalog: Catalog;
  readonly files: FileAreas;
  readonly accessTo: AccessTo;
}

/** The stored bytes of a document, unopened. */
export interface RawFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly mediaType: string;
  /** File name: the last segment of the URL's path. */
  readonly name: string;
  /** @throws DomainError raw_not_kept, RangeNotSatisfiable */
  readonly open: (range?: ByteRange) => Promise<OpenFile>;
}

/**
 * Operations on stored documents and their chunks. All throw DomainError `not_found` for what the caller may not see.
 * Reads respect the policy for the given principal, and throw `authz_policy_not_found`.
 */
export const createSourceOperations = (deps: SourceDeps) => {
  const { catalog, execute, clock, accessTo } = deps;
  const shownToday = createShownToday(deps);

  const get = async (caller: Caller, id: string, onBehalfOf: OnBehalfOf = {}): Promise<SourceRecord> => {
    const scope = await accessTo(caller, onBehalfOf);
    const { past } = caller;
    const then = past === undefined ? undefined : await past.sources.get(caller.tenant, id);
    const record =
      then === undefined ? await catalog.getSource(scope, id) : then && (await shownToday(scope, then));
    if (record === null) throw noSuchSource();
    return record;
  };
  /** For writes: a caller who may label documents is not bound by policies on these labels. */
  const getForWrite = async (caller: Caller, id: string): Promise<SourceRecord> => {
    const record = await catalog.getSource({ ...scopeOf(caller), access: null }, id);
    if (record === null) throw noSuchSource();
    return record;
  };

  return {
    get,

    /** Newest first, or in the order of `sort`. @throws DomainError invalid_request for an order of the past */
    list: async (
      caller: Caller,
      filter: SourceListFilter,
      page: PageRequest,
      onBehalfOf: OnBehalfOf = {},
      sort: SourceSort = 'newest',
    ): Promise<Page<SourceRecord>> => {
      const scope = await accessTo(caller, onBehalfOf);
      const { past } = caller;
      if (past === undefined) return catalog.listSources(scope, filter, page, sort);
      if (sort !== 'newest')
        throw new DomainError('invalid_request', 'the past comes newest first: leave out sort, or as_of');
      return past.sources.list(scope.tenant, scope.only, filter, page, (then) => shownToday(scope, then));
    },

    /**
     * Not found if the policy denies one of the chunks, because the file contains all of them.
     *
     * @throws DomainError raw_not_kept when nothing of the document was stored
     */
    raw: async (caller: Caller, id: string, onBehalfOf: OnBehalfOf = {}): Promise<RawFile> => {
      const record = await get(caller, id, onBehalfOf);
      if ((record.deniedCount ?? 0) > 0) throw noSuchSource();
      return rawOf(deps, record);
    },

    /** In reading order. */
    contents: async (
      caller: Caller,
      id: string,
      page: PassageRequest,
      onBehalfOf: OnBehalfOf = {},
    ): Promise<PassagePage> => {
      const contents = await catalog.contentsOfSource(await accessTo(caller, onBehalfOf), id, page);
      if (contents === null) throw noSuchSource();
      return contents;
    },

    content: async (caller: Caller, id: string, onBehalfOf: OnBehalfOf = {}): Promise<ContentRecord> => {
      const content = await catalog.getContent(await accessTo(caller, onBehalfOf), id);
      if (content === null) throw new DomainError('not_found', 'there is no such content');
      return content;
    },

    /**
     * Replaces all metadata of the source.
     *
     * @throws DomainError invalid_request for a value that cannot be read as its type
     */
    replaceMetadata: async (
      caller: Caller,
      id: string,
      records: readonly MetadataRecord[],
    ): Promise<Written<SourceRecord>> => {
      checkMetadata(records);
      const record = await getForWrite(caller, id);
      const command = { type: 'replace_metadata', records, at: clock.now() } as const;
      const done = await execute(source, sourceStream(id), command, caller.context);
      const written = { ...record, metadata: metadataOf(done.state) };
      return { record: written, position: done.position, changed: done.events.length > 0 };
    },

    /** Removes the document: see `removeSource`. */
    remove: async (caller: Caller, id: string): Promise<Written<SourceRecord>> =>
      removeSource(deps, caller, await getForWrite(caller, id)),

    deleteMetadata: async (caller: Caller, id: string): Promise<Written<SourceRecord>> => {
      const record = await getForWrite(caller, id);
      const command = { type: 'delete_metadata', at: clock.now() } as const;
      const done = await execute(source, sourceStream(id), command, caller.context);
      return {
        record: { ...record, metadata: [] },
        position: done.position,
        changed: done.events.length > 0,
      };
    },
  };
};
export type SourceOperations = ReturnType<typeof createSourceOperations>;

const noSuchSource = (): DomainError => new DomainError('not_found', 'there is no such source');

const metadataOf = (state: SourceState): readonly MetadataRecord[] =>
  state.status === 'none' ? [] : state.metadata;

/** The last segment of the URL's path, decoded if possible. Without a URL: the last segment of the locator. */
const nameOf = ({ url, locator }: SourceRecord): string => {
  const place = URL.parse(url)?.pathname;
  const segment = (place ?? locator).split('/').findLast((part) => part !== '') ?? 'index';
  if (place === undefined) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

const rawOf = ({ files }: SourceDeps, record: SourceRecord): RawFile => {
  const { sha256, size, mediaType, sourceGroupId } = record;
  const notKept = (): DomainError =>
    new DomainError('raw_not_kept', 'the bytes of this source are not stored');
  if (sha256 === null || size === null) throw notKept();
  return {
    sha256,
    bytes: size,
    mediaType: mediaType ?? 'application/octet-stream',
    name: nameOf(record),
    open: async (range) => {
      const opened = await (await files.area(sourceGroupId, 'caller')).open(sha256, range);
      if (opened === null) throw notKept();
      return opened;
    },
  };
};
