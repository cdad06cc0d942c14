import { createUnitLedger } from '../../../adapters/postgres/work/unit-ledger.ts';
import { createListedConnector } from '../../../application/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../application/ingestion/listed/listed-source.ts';
import type { WikiParameters } from '../../../domain/ingestion-setting/index.ts';
import { dying } from '../../support/dying.ts';
import { idOf, paragraph } from '../../support/wiki-host/blocks.ts';
import { openWikiHost, refuse } from '../../support/wiki-host/wiki-host.ts';
import { WIKI, wikiSourceAt } from '../../support/wiki-provider.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedUnitsContract } from './named-units-contract.ts';
import type { ConnectorUnderTest } from './under-test.ts';

/** One wiki for each data source of the tests, by the id of its database. */
const wikis = new Map<string, ListedSource<WikiParameters>>();

const anyWiki: ListedSource<WikiParameters> = {
  ...wikiSourceAt('http://127.0.0.1:1'),
  open: (parameters, signal, of) => wikis.get(parameters.pageId)!.open(parameters, signal, of),
};

const CHILDREN = /^\/v1\/blocks\/([^/]+)\/children/;
const MAX_BYTES = 4_000;

/** A database is the place whose rows are units, and which is none itself. */
const openProvider = async (): Promise<ListedProvider> => {
  const wiki = await openWikiHost();
  const database = wiki.putDatabase(`database ${wikis.size}`, {});
  wikis.set(database, wikiSourceAt(wiki.url, { maxBytes: MAX_BYTES }));
  const nameOf = (name: string) => `${database} ${name}`;
  const locatorOf = (name: string) => idOf(nameOf(name));
  /** What is answered instead of what is in a row, by its id. */
  const instead = new Map<string, number>();
  const mood = { left: Infinity, rejects: false };
  wiki.hook = (response, { path }) => {
    mood.left -= 1;
    if (mood.left < 0) {
      if (mood.rejects) refuse(response, 401, 'unauthorized');
      else response.socket?.resetAndDestroy();
      return true;
    }
    const status = instead.get(CHILDREN.exec(path)?.[1] ?? '');
    if (status !== undefined) refuse(response, status, 'so the test wants it');
    return status !== undefined;
  };
  const put = (name: string, title: string, words = `about ${name}`): void => {
    instead.delete(locatorOf(name));
    wiki.put(nameOf(name), { in: database, title, blocks: [paragraph(words)] });
  };
  const says = (name: string, status: number): void => {
    put(name, `${name} answers ${status}`);
    instead.set(locatorOf(name), status);
  };
  return {
    parameters: { ...WIKI, pageId: database },
    locatorOf,
    put,
    remove: (name) => wiki.trash(nameOf(name)),
    break: (name) => says(name, 500),
    leaveOut: (name) => put(name, name, 'x'.repeat(MAX_BYTES)),
    vanish: (name) => says(name, 404),
    addOddNames: () => {
      wiki.oddRows = ['', 'x'.repeat(2_001), 'nul\0', locatorOf('one')];
    },
    fetched: () => wiki.asked.filter(({ path }) => CHILDREN.test(path)).length,
    reject: (after) => void Object.assign(mood, { left: after, rejects: true }),
    leave: (after) => void Object.assign(mood, { left: after, rejects: false }),
    comeBack: () => void Object.assign(mood, { left: Infinity }),
    close: wiki.close,
  };
};

const wiki: ConnectorUnderTest<ListedProvider> = {
  connect: ({ db, clock, hash, steps }) => ({
    wiki: createListedConnector(
      { ledger: dying(createUnitLedger(db), steps, ['commit', 'forget']), clock, hash },
      anyWiki,
    ),
  }),
  openProvider,
};

connectorContract('a wiki', wiki);
namedUnitsContract('a wiki', wiki);
listedContract('a wiki', wiki);
