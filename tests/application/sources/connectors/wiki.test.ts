import { describe, expect, it, onTestFinished } from 'vitest';
import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { WikiParameters } from '../../../../domain/ingestion-setting/index.ts';
import { dying, Killed } from '../../../support/dying.ts';
import { idOf, paragraph } from '../../../support/wiki-host/blocks.ts';
import { openWikiHost, refuse } from '../../../support/wiki-host/wiki-host.ts';
import { WIKI, wikiSourceAt } from '../../../support/wiki-provider.ts';
import { HOSTILE_ANSWERS, type HostileAnswer } from '../../../support/hostile-answers.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedItemsContract } from './named-items-contract.ts';
import { type ConnectorUnderTest, underTest } from './under-test.ts';

/** One wiki for each data source of the tests, by the id of its database. */
const wikis = new Map<string, ListedSource<WikiParameters>>();

const anyWiki: ListedSource<WikiParameters> = {
  ...wikiSourceAt('http://127.0.0.1:1'),
  // There are no secrets in this world.
  needsSecret: false,
  open: (parameters, signal, of) => wikis.get(parameters.pageId)!.open(parameters, signal, of),
};

const CHILDREN = /^\/v1\/blocks\/([^/]+)\/children/;
const MAX_BYTES = 4_000;

/** A database is the place whose rows are items, and which is none itself. */
const openProvider = async (): Promise<ListedProvider> => {
  const wiki = await openWikiHost();
  const database = wiki.putDatabase(`database ${wikis.size}`, {});
  wikis.set(database, wikiSourceAt(wiki.url, { maxBytes: MAX_BYTES }));
  const nameOf = (name: string) => `${database} ${name}`;
  const locatorOf = (name: string) => idOf(nameOf(name));
  /** What is answered instead of what is in a row, by its id. */
  const instead = new Map<string, number>();
  const mood = { left: Infinity, rejects: false, hostile: null as HostileAnswer | null };
  wiki.hook = (response, { path }) => {
    mood.left -= 1;
    if (mood.hostile !== null) {
      HOSTILE_ANSWERS[mood.hostile](response);
      return true;
    }
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
    comeBack: () => void Object.assign(mood, { left: Infinity, hostile: null }),
    answer: (how) => void (mood.hostile = how),
    close: wiki.close,
  };
};

const wiki: ConnectorUnderTest<ListedProvider> = {
  connect: ({ database, clock, hash, steps }) => ({
    wiki: createListedConnector(
      { itemStore: dying(createItemStore(database), steps, ['commit', 'forget']), clock, hash },
      anyWiki,
    ),
  }),
  openProvider,
};

connectorContract('a wiki', wiki);
namedItemsContract('a wiki', wiki);
listedContract('a wiki', wiki);

/** Of each level as many below each page, and a database with as many rows below the last one: by their ids. */
const openTree = async (width: number) => {
  const tree = await openWikiHost();
  onTestFinished(() => tree.close());
  const root = `tree ${wikis.size}`;
  const pages = [root];
  const put = (name: string, above?: string): void =>
    void tree.put(name, { ...(above !== undefined && { in: above }), blocks: [paragraph(`about ${name}`)] });
  put(root);
  for (let i = 0; i < width; i += 1) {
    const middle = `${root} ${i}`;
    put(middle, root);
    const leaves = Array.from({ length: width }, (_, k) => `${middle} ${k}`);
    for (const leaf of leaves) put(leaf, middle);
    pages.push(middle, ...leaves);
  }
  const table = `${root} table`;
  tree.putDatabase(table, { in: pages.at(-1)! });
  const rows = Array.from({ length: width }, (_, k) => `${table} ${k}`);
  for (const row of rows) put(row, table);
  pages.push(...rows);
  wikis.set(idOf(root), wikiSourceAt(tree.url));
  const parameters = { ...WIKI, pageId: idOf(root) };
  return { tree, parameters, pages, put, all: Object.fromEntries(pages.map((name) => [idOf(name), name])) };
};

describe('a wiki whose pages lie below each other', { timeout: 180_000 }, () => {
  const { world, synced, ended, since } = underTest(wiki);
  const started = async (width: number) => {
    const made = await openTree(width);
    return { ...made, id: await world().create(made.parameters) };
  };

  it('is read as a whole wherever its job was killed, and nothing of it is told twice', async () => {
    const measured = await started(5);
    await world().attempt(measured.id);
    const steps = world().steps.count;
    let kills = 0;
    for (let killAt = 1; killAt <= steps; killAt += 7) {
      const { id, all, pages } = await started(5);
      const attempt = await world()
        .attempt(id, { killAt })
        .catch((error: unknown) => error);
      if (attempt instanceof Killed) kills += 1;
      if ((await world().stateOf(id)).status !== 'queued') await world().requeue(id);
      await world().attempt(id);
      expect([killAt, await world().documents(id)]).toEqual([killAt, all]);
      expect([killAt, await since(id, 0)]).toEqual([killAt, pages.map(() => 'SourceIndexed')]);
      // What is known by then is enough for the next job.
      await synced(id);
      expect(await ended(id)).toMatchObject({ status: 'success', unchanged: pages.length });
    }
    expect(kills).toBeGreaterThan(4);
  });

  it('keeps the pages below one that cannot be read, and loses those below one that is gone', async () => {
    const { id, tree, all, pages } = await started(2);
    await world().attempt(id);
    const [middle, other] = [idOf(pages[1]!), pages[4]!];
    const below = pages.slice(4).map(idOf);
    tree.hook = (response, { path }) => {
      const breaks = path.includes(`/blocks/${middle}/`);
      if (breaks) refuse(response, 500, 'internal_server_error');
      return breaks;
    };
    for (const how of [[], ['full']] as const) {
      await synced(id, ...how);
      expect([how, await world().documents(id)]).toEqual([how, all]);
      expect(await ended(id)).toMatchObject({ status: 'success', failed: 1 });
    }
    tree.hook = () => false;
    tree.trash(other);
    await synced(id);
    expect(await world().documents(id)).toEqual(
      Object.fromEntries(Object.entries(all).filter(([locator]) => !below.includes(locator))),
    );
  });

  it('reads all else while a database does not answer, removes nothing, and is tried again', async () => {
    const { id, tree, all, pages, put } = await started(2);
    await world().attempt(id);
    // Behind the database in their order.
    put('late', pages[0]);
    tree.trash(pages[1]!);
    tree.hook = (response, { path }) => {
      const breaks = path.endsWith('/query');
      if (breaks) refuse(response, 503, 'service_unavailable');
      return breaks;
    };
    await synced(id);
    const whole = { ...all, [idOf('late')]: 'late' };
    expect([(await ended(id)).status, await world().documents(id)]).toEqual(['queued', whole]);
    tree.hook = () => false;
    world().later();
    await world().attempt(id);
    expect((await ended(id)).status).toBe('success');
    expect(await world().documents(id)).not.toHaveProperty(idOf(pages[1]!));
  });
});
