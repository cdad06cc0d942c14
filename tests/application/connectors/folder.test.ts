import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUnitLedger } from '../../../adapters/postgres/work/unit-ledger.ts';
import { createListedConnector } from '../../../application/ingestion/listed/listed-connector.ts';
import {
  type ListedSource,
  type ListedUnit,
  type Listing,
  SourceRefused,
} from '../../../application/ingestion/listed/listed-source.ts';
import type { LocalFileGroupParameters } from '../../../domain/ingestion-setting/index.ts';
import { dying } from '../../support/dying.ts';
import { folderSource } from '../../support/folder-connector.ts';
import { page } from '../../support/site.ts';
import { connectorContract, type Provider } from './contract.ts';

/** What a test does to one folder. */
interface Mood {
  fetched: number;
  /** Requests that are answered yet. */
  left: number;
  odd: readonly ListedUnit[];
}
const moods = new Map<string, Mood>();

/** The folder, in the mood that the test has put it in. */
const moody: ListedSource<LocalFileGroupParameters> = {
  ...folderSource,
  open: async (parameters, signal) => {
    const listing = await folderSource.open(parameters, signal);
    const mood = moods.get(parameters.chunk_metadata_keys[0] ?? '')!;
    const ask = (): void => {
      mood.left -= 1;
      if (mood.left < 0)
        throw new SourceRefused('forbidden', 'Credentials rejected', 'the token is not valid');
    };
    const asked: Listing = {
      ...listing,
      list: async (cursor, aborted) => {
        ask();
        const { units, next } = await listing.list(cursor, aborted);
        return { units: [...units, ...mood.odd], next };
      },
      fetch: async (unit, aborted) => {
        ask();
        mood.fetched += 1;
        return listing.fetch(unit, aborted);
      },
    };
    return asked;
  },
};

const openProvider = async (): Promise<Provider> => {
  const folder = mkdtempSync(join(tmpdir(), 'knowledger-folder-'));
  const mood: Mood = { fetched: 0, left: Infinity, odd: [] };
  moods.set(folder, mood);
  const place = (name: string) => join(folder, `${name}.html`);
  const clear = (name: string) => rmSync(place(name), { recursive: true, force: true });
  return {
    parameters: { kind: 'local_file_group', chunk_metadata_keys: [folder] },
    locatorOf: (name) => `${name}.html`,
    put: (name, title) => {
      clear(name);
      writeFileSync(place(name), page(title, `about ${name}`));
    },
    remove: clear,
    break: (name) => {
      clear(name);
      mkdirSync(place(name));
    },
    addOddNames: () => {
      const odd = ['', `${'x'.repeat(2_001)}.html`, 'nul\0.html', 'one.html'];
      mood.odd = odd.map((locator) => ({ locator, fingerprint: '1' }));
    },
    fetched: () => mood.fetched,
    reject: (after) => (mood.left = after),
    close: async () => rmSync(folder, { recursive: true }),
  };
};

connectorContract('a folder', {
  connect: ({ db, clock, hash, steps }) => ({
    local_file_group: createListedConnector(
      { ledger: dying(createUnitLedger(db), steps, ['commit', 'forget']), clock, hash },
      moody,
    ),
  }),
  openProvider,
});
