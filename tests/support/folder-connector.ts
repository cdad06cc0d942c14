import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sha256 } from '../../adapters/system/identity.ts';
import {
  type Listing,
  type ListedSource,
  type ListedItem,
  SourceRefused,
} from '../../application/sources/ingestion/listed/listed-source.ts';
import type { LocalFileGroupParameters } from '../../domain/ingestion-setting/index.ts';

/** Files of a page of the listing. */
const PAGE = 2;

/** The files of a folder: about the least that a connector can be. An item is a file, named as it is in the folder. */
export const folderSource: ListedSource<LocalFileGroupParameters> = {
  kind: 'local_file_group',
  sourceType: 'local_file',
  contentParameters: ['chunkMetadataKeys'],
  check: () => {},
  subjectOf: () => ({ kind: 'local_file_group' }),
  itemsToSync: async (_, names) => [...new Set(names)],
  // Its only parameter says where the folder is, as a test has no other place for it.
  open: async ({ chunkMetadataKeys: [{ key: folder } = { key: '' }] }): Promise<Listing> => {
    const item = async (locator: string): Promise<ListedItem> => ({
      locator,
      fingerprint: sha256.sha256(await readFile(join(folder, locator))),
    });
    const names = async () => (await readdir(folder).catch(noFolder)).toSorted();
    return {
      list: async (cursor) => {
        const left = (await names()).filter((name) => cursor === null || name > cursor);
        const page = left.slice(0, PAGE);
        const next = left.length > PAGE ? page.at(-1)! : null;
        return { items: await Promise.all(page.map(item)), next };
      },
      find: async (wanted) => {
        const there = new Set(await names());
        return Promise.all(wanted.map(async (name) => (there.has(name) ? item(name) : null)));
      },
      fetch: async ({ locator: fileName }) => {
        const file = join(folder, fileName);
        const url = pathToFileURL(file).href;
        const body = await readFile(file);
        return { kind: 'document', document: { body, fileName, mediaType: 'text/html', url } };
      },
    };
  },
};

const noFolder = (): never => {
  throw new SourceRefused('not_found', 'Not found at the provider', 'the folder is not there');
};
