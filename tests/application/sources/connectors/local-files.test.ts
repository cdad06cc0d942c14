import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import {
  createLocalFiles,
  createLocalFilesConnector,
} from '../../../../application/sources/local-files/connector.ts';
import { growList } from '../../../../application/sources/uploads/file-list.ts';
import type { Execute } from '../../../../application/event-sourcing/execute.ts';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import {
  type FetchedItem,
  type ListedSource,
  type ListedItem,
  SourceUnavailable,
  SourceRefused,
} from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { FileAreas } from '../../../../application/ports/file-store.ts';
import type { LocalFileGroupParameters } from '../../../../domain/ingestion-setting/index.ts';
import { dying } from '../../../support/dying.ts';
import { page } from '../../../support/site.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedItemsContract } from './named-items-contract.ts';
import type { ConnectorUnderTest } from './under-test.ts';

/** What a test does to one group. */
interface Mood {
  /** Texts of the files, by their names. */
  readonly texts: Map<string, string>;
  fetched: number;
  /** Requests that are answered yet. */
  left: number;
  odd: readonly ListedItem[];
  readonly says: Map<string, FetchedItem>;
  why: Error;
}
const moods = new Map<string, Mood>();
/** Newest parts of the lists, by the streams of their groups. */
const lists = new Map<string, string>();

const moodOf = ({ chunkMetadataKeys: [key] }: LocalFileGroupParameters): Mood =>
  moods.get(key?.key ?? '') as Mood;

/** Puts what the test has put into the group, and nothing else. */
const upload = async (files: FileAreas, dataSourceId: string, { texts }: Mood): Promise<void> => {
  const area = await files.area(dataSourceId);
  lists.delete(`dataSource-${dataSourceId}`);
  for (const [name, text] of texts) {
    const stored = await area.putText(text);
    const newest = lists.get(`dataSource-${dataSourceId}`) ?? null;
    const grown = await growList(area, newest, [{ name, ...stored, modified: 1 }]);
    lists.set(`dataSource-${dataSourceId}`, grown!.list.sha256);
  }
};

/** The state of a stream of which nothing counts but the list. */
const execute = {
  load: async (_: unknown, stream: string) => ({
    state: { status: 'started', uploaded: { list: lists.get(stream) } },
  }),
} as unknown as Pick<Execute, 'load'>;

/** Local files, in the mood that the test has put them in. */
const moody = (files: FileAreas, source: ListedSource<LocalFileGroupParameters>): typeof source => ({
  ...source,
  open: async (parameters, signal, of) => {
    const mood = moodOf(parameters);
    await upload(files, of.dataSourceId, mood);
    const listing = await source.open(parameters, signal, of);
    const ask = (): void => {
      mood.left -= 1;
      if (mood.left < 0) throw mood.why;
    };
    return {
      ...listing,
      list: async (cursor, aborted) => {
        ask();
        const { items, next } = await listing.list(cursor, aborted);
        return { items: [...items, ...mood.odd], next };
      },
      fetch: async (item, aborted) => {
        ask();
        mood.fetched += 1;
        return mood.says.get(item.locator) ?? listing.fetch(item, aborted);
      },
    };
  },
});

const REFUSED = new SourceRefused('forbidden', 'Credentials rejected', 'the token is not valid');
const AWAY = new SourceUnavailable('it does not answer');

let opened = 0;
const openProvider = async (): Promise<ListedProvider> => {
  const key = `group-${(opened += 1)}`;
  const mood: Mood = {
    texts: new Map(),
    fetched: 0,
    left: Infinity,
    odd: [],
    says: new Map(),
    why: REFUSED,
  };
  moods.set(key, mood);
  const locatorOf = (name: string) => `in/${name}.html`;
  const says = (name: string, what: FetchedItem): void => {
    mood.texts.set(locatorOf(name), what.kind);
    mood.says.set(locatorOf(name), what);
  };
  return {
    parameters: { kind: 'local_file_group', chunkMetadataKeys: [{ key, type: 'string' }] },
    locatorOf,
    put: (name, title) => {
      mood.says.delete(locatorOf(name));
      mood.texts.set(locatorOf(name), page(title, `about ${name}`));
    },
    remove: (name) => void mood.texts.delete(locatorOf(name)),
    break: (name) => says(name, { kind: 'failed', code: 'broken', message: 'it cannot be had' }),
    leaveOut: (name) => says(name, { kind: 'skipped', reason: 'too_large', message: 'it is too large' }),
    vanish: (name) => says(name, { kind: 'gone' }),
    addOddNames: () => {
      const odd = ['', `${'x'.repeat(2_001)}.html`, 'nul\0.html', locatorOf('one')];
      mood.odd = odd.map((locator) => ({ locator, fingerprint: '1' }));
    },
    fetched: () => mood.fetched,
    reject: (after) => void Object.assign(mood, { left: after, why: REFUSED }),
    leave: (after) => void Object.assign(mood, { left: after, why: AWAY }),
    comeBack: () => void Object.assign(mood, { left: Infinity }),
  };
};

const localFiles: ConnectorUnderTest<ListedProvider> = {
  connect: ({ database, files, clock, hash, steps }) => {
    const listed = { itemStore: dying(createItemStore(database), steps, ['commit', 'forget']), clock, hash };
    const deps = { execute, files, hash, urlOf: (id: string) => `/sources/${id}/raw` };
    const connector = createListedConnector(listed, moody(files, createLocalFiles(deps)));
    const whole = createLocalFilesConnector(deps, listed);
    return { local_file_group: { ...whole, run: (ingestion, signal) => connector.run(ingestion, signal) } };
  },
  openProvider,
};

connectorContract('a group of uploaded files', localFiles);
namedItemsContract('a group of uploaded files', localFiles);
listedContract('a group of uploaded files', localFiles);
