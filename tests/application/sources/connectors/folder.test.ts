import { describe, expect, it } from 'vitest';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import {
  type FetchedItem,
  type ListedSource,
  type ListedItem,
  type Listing,
  SourceUnavailable,
  SourceRefused,
} from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { LocalFileGroupParameters } from '../../../../domain/ingestion-setting/index.ts';
import { dying } from '../../../support/dying.ts';
import { folderSource } from '../../../support/folder-connector.ts';
import { page } from '../../../support/site.ts';
import { RECORDING } from '../../../adapters/extraction/corpus/recording.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedItemsContract } from './named-items-contract.ts';
import { type ConnectorUnderTest, underTest } from './under-test.ts';

/** What a test does to one folder. */
interface Mood {
  fetched: number;
  /** Requests that are answered yet. */
  left: number;
  odd: readonly ListedItem[];
  /** What is said of files, by their names, instead of what they hold. */
  readonly says: Map<string, FetchedItem>;
  /** Why requests are not answered. */
  why: Error;
}
const moods = new Map<string, Mood>();

/** The folder, in the mood that the test has put it in. */
const moody: ListedSource<LocalFileGroupParameters> = {
  ...folderSource,
  open: async (parameters, signal, of) => {
    const listing = await folderSource.open(parameters, signal, of);
    const mood = moods.get(parameters.chunkMetadataKeys[0]?.key ?? '')!;
    const ask = (): void => {
      mood.left -= 1;
      if (mood.left < 0) throw mood.why;
    };
    const asked: Listing = {
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
    return asked;
  },
};

const REFUSED = new SourceRefused('forbidden', 'Credentials rejected', 'the token is not valid');
const AWAY = new SourceUnavailable('it does not answer');

interface Folder extends ListedProvider {
  readonly postpone: (until: number) => void;
}

const openProvider = async (): Promise<Folder> => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledger-folder-'));
  const mood: Mood = { fetched: 0, left: Infinity, odd: [], says: new Map(), why: REFUSED };
  moods.set(folder, mood);
  const place = (name: string) => join(folder, `${name}.html`);
  const locatorOf = (name: string) => `${name}.html`;
  const says = (name: string, what: FetchedItem): void => {
    writeFileSync(place(name), what.kind);
    mood.says.set(locatorOf(name), what);
  };
  return {
    parameters: { kind: 'local_file_group', chunkMetadataKeys: [{ key: folder, type: 'string' }] },
    locatorOf,
    put: (name, title) => {
      mood.says.delete(locatorOf(name));
      writeFileSync(place(name), page(title, `about ${name}`));
    },
    remove: (name) => rmSync(place(name)),
    break: (name) => says(name, { kind: 'failed', code: 'broken', message: 'it cannot be had' }),
    leaveOut: (name) => says(name, { kind: 'skipped', reason: 'too_large', message: 'it is too large' }),
    vanish: (name) => says(name, { kind: 'gone' }),
    addOddNames: () => {
      const odd = ['', `${'x'.repeat(2_001)}.html`, 'nul\0.html', 'one.html'];
      mood.odd = odd.map((locator) => ({ locator, fingerprint: '1' }));
    },
    fetched: () => mood.fetched,
    reject: (after) => void Object.assign(mood, { left: after, why: REFUSED }),
    leave: (after) => void Object.assign(mood, { left: after, why: AWAY }),
    postpone: (notBefore) =>
      void Object.assign(mood, { left: 0, why: new SourceUnavailable('it asks to wait', { notBefore }) }),
    comeBack: () => void Object.assign(mood, { left: Infinity }),
    close: async () => rmSync(folder, { recursive: true }),
  };
};

const folder: ConnectorUnderTest<Folder> = {
  connect: ({ database, clock, hash, steps }) => ({
    local_file_group: createListedConnector(
      { itemStore: dying(createItemStore(database), steps, ['commit', 'forget']), clock, hash },
      moody,
    ),
  }),
  openProvider,
};

connectorContract('a folder', folder, 1);

describe('a provider that asks to wait', () => {
  const { world, stored, synced } = underTest(folder);

  it('is not asked before the time that it names, and no attempt is used up', async () => {
    const { provider, id } = await stored();
    const notBefore = Date.now() + 1_800_000;
    provider.postpone(notBefore);
    await synced(id);
    expect(await world().stateOf(id)).toMatchObject({
      status: 'queued',
      job: { attempt: 1, notBefore },
    });
  });
});
namedItemsContract('a folder', folder);
listedContract('a folder', folder);

describe('a recording in a folder', { timeout: 120_000 }, () => {
  const { world, stored, synced, ended } = underTest(folder);

  it('is a document under its name, listed as lacking a provider, and looked at again by each sync', async () => {
    const { provider, id } = await stored();
    const [path] = (provider.parameters as LocalFileGroupParameters).chunkMetadataKeys;
    const locator = provider.locatorOf('two');
    writeFileSync(join(path!.key, locator), RECORDING);
    await synced(id);
    expect(await world().documents(id)).toMatchObject({ [locator]: 'two' });
    expect(await world().errors(id)).toMatchObject([{ locator, code: 'not_configured' }]);
    expect(await ended(id)).toMatchObject({ status: 'success', indexed: 1, unchanged: 4, failed: 0 });
    const fetched = provider.fetched();
    await synced(id);
    expect(provider.fetched()).toBe(fetched + 1);
    expect(await world().errors(id)).toHaveLength(1);
  });
});
