import { dataSource } from '../../../domain/data-source/index.ts';
import type { LocalFileGroupParameters } from '../../../domain/ingestion-setting/index.ts';
import { source } from '../../../domain/source/decider.ts';
import { dataSourceStream, derivedId, sourceStream } from '../../event-sourcing/streams.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import type { Connector } from '../ingestion/connector.ts';
import { createListedConnector } from '../ingestion/listed/listed-connector.ts';
import type { ListedDeps } from '../ingestion/listed/listed-run.ts';
import type { FetchedItem, ListedSource, Listing } from '../ingestion/listed/listed-source.ts';
import type { FileAreas } from '../../ports/file-store.ts';
import { type FileList, type GroupFile, readList } from '../uploads/file-list.ts';

export interface LocalFilesDeps {
  readonly execute: Pick<Execute, 'load'>;
  readonly files: FileAreas;
  readonly hash: ListedDeps['hash'];
  /** URL of a source's bytes in this service. */
  readonly urlOf: (sourceId: string) => string;
}

/** Files per page of the listing. */
const PAGE = 500;

/** Groups of uploaded files. An item is a file, named by its file name; its bytes are in the area of the group. */
export const createLocalFilesConnector = (
  deps: LocalFilesDeps,
  listed: ListedDeps,
): Connector<LocalFileGroupParameters> => ({
  ...createListedConnector(listed, createLocalFiles(deps)),
  // Somebody chose each of these files: one that is not read must not be missing in silence.
  errors: (id, page) => listed.itemStore.errors(id, page, 'and skipped'),
  retainedFiles: async (id, without = new Set()) => {
    const newest = await newestPart(deps, id);
    if (newest === null) return new Set();
    const { files, parts } = await readList(await deps.files.area(id), newest);
    const left = files.filter(({ name }) => !without.has(sourceIdOf(deps, id, name)));
    return new Set([...parts, ...left.map(({ sha256 }) => sha256)]);
  },
});

export const createLocalFiles = (deps: LocalFilesDeps): ListedSource<LocalFileGroupParameters> => ({
  kind: 'local_file_group',
  sourceType: 'local_file',
  contentParameters: ['chunkMetadataKeys'],
  check: () => {},
  subjectOf: ({ chunkMetadataKeys }) => ({ kind: 'local_file_group', chunkMetadataKeys }),
  itemsToSync: async (_, names) => [...new Set(names)],
  open: async (parameters, _, { dataSourceId }) => {
    const newest = await newestPart(deps, dataSourceId);
    const list = await readList(await deps.files.area(dataSourceId), newest);
    return listingOf(deps, { dataSourceId, newest, list, parameters });
  },
});

interface Opened {
  readonly dataSourceId: string;
  readonly newest: string | null;
  readonly list: FileList;
  readonly parameters: LocalFileGroupParameters;
}

const itemOf = ({ name, sha256 }: GroupFile) => ({ locator: name, fingerprint: sha256 });

const listingOf = (deps: LocalFilesDeps, opened: Opened): Listing => {
  const { newest, list } = opened;
  const byName = new Map(list.files.map((file) => [file.name, file]));
  return {
    list: async (cursor) => {
      const from = offsetIn(cursor, newest);
      const next = from + PAGE;
      return {
        items: list.files.slice(from, next).map(itemOf),
        next: next < list.files.length ? `${newest} ${next}` : null,
      };
    },
    find: async (names) =>
      names.map((name) => {
        const file = byName.get(name);
        return file === undefined ? null : itemOf(file);
      }),
    fetch: async ({ locator }) => fetchFile(deps, opened, byName.get(locator)),
  };
};

/** Starts over if the list has changed since; items already visited are not visited again. */
const offsetIn = (cursor: string | null, newest: string | null): number => {
  const [list, offset] = cursor?.split(' ') ?? [];
  return list === newest ? Number(offset) : 0;
};

const fetchFile = async (
  deps: LocalFilesDeps,
  { dataSourceId, parameters }: Opened,
  file: GroupFile | undefined,
): Promise<FetchedItem> => {
  if (file === undefined) return { kind: 'gone' };
  const { name: fileName, sha256, bytes } = file;
  const id = sourceIdOf(deps, dataSourceId, fileName);
  if (!(await (await deps.files.area(dataSourceId)).has(sha256))) return missing(deps, id);
  const { chunkMetadataKeys } = parameters;
  const document = { body: { sha256, bytes }, fileName, url: deps.urlOf(id), chunkMetadataKeys };
  return { kind: 'document', document };
};

/** If a caller removed the document, its bytes were erased; otherwise they are lost. */
const missing = async ({ execute }: LocalFilesDeps, id: string): Promise<FetchedItem> => {
  const found = await execute.load(source, sourceStream(id), undefined);
  if (found?.state.status === 'removed') return { kind: 'gone' };
  return { kind: 'failed', code: 'bytes_missing', message: 'its bytes are missing: upload it again' };
};

const sourceIdOf = ({ hash }: LocalFilesDeps, dataSourceId: string, name: string): string =>
  derivedId(hash, 'source', dataSourceId, name);

const newestPart = async ({ execute }: LocalFilesDeps, id: string): Promise<string | null> => {
  const found = await execute.load(dataSource, dataSourceStream(id), undefined);
  return found === null || found.state.status === 'none' ? null : (found.state.uploaded?.list ?? null);
};
