import { describe, expect, it } from 'vitest';
import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { CloudDriveParameters } from '../../../../domain/ingestion-setting/index.ts';
import { type DriveHost, openDriveHost, refuse } from '../../../support/drive-host/drive-host.ts';
import { DRIVE, driveSourceAt, folderUrlOf } from '../../../support/drive-provider.ts';
import { dying, Killed } from '../../../support/dying.ts';
import { HOSTILE_ANSWERS, type HostileAnswer } from '../../../support/hostile-answers.ts';
import { page } from '../../../support/site.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedItemsContract } from './named-items-contract.ts';
import { type ConnectorUnderTest, underTest } from './under-test.ts';

/** One host for each data source of the tests, by the address of its folder. */
const hosts = new Map<string, ListedSource<CloudDriveParameters>>();

const anyHost: ListedSource<CloudDriveParameters> = {
  ...driveSourceAt('http://127.0.0.1:1'),
  // There are no secrets in this world.
  needsSecret: false,
  open: (parameters, signal, of) =>
    hosts.get(parameters.folderUrl)!.open({ ...parameters, secretId: DRIVE.secretId }, signal, of),
};

interface CloudDrive extends ListedProvider {
  readonly host: DriveHost;
  readonly root: string;
}

const locatorOf = (name: string): string => `file-id-${name}`;
const odd = (id: string) => ({
  id,
  name: id,
  mimeType: 'text/html',
  trashed: false,
  version: '1',
  parents: [''],
});

const openProvider = async (): Promise<CloudDrive> => {
  const host = await openDriveHost();
  const root = `the-root-folder-${hosts.size}`;
  const folderUrl = folderUrlOf(root);
  hosts.set(folderUrl, driveSourceAt(host.url));
  host.folder(root, null);
  /** What is answered instead of the bytes of a file. */
  const instead = new Map<string, number>();
  const mood = { left: Infinity, rejects: false, hostile: null as HostileAnswer | null };
  host.hook = (response, { path, query }) => {
    mood.left -= 1;
    if (mood.hostile !== null) {
      HOSTILE_ANSWERS[mood.hostile](response);
      return true;
    }
    if (mood.left < 0) {
      if (mood.rejects) refuse(response, 401, 'authError', 'Invalid Credentials');
      else response.socket?.resetAndDestroy();
      return true;
    }
    const status = query.get('alt') === 'media' ? instead.get(path.split('/').at(-1) ?? '') : undefined;
    if (status !== undefined) refuse(response, status, 'notFound', 'so the test wants it');
    return status !== undefined;
  };
  const put = (name: string, text: string, more = {}): void => {
    instead.delete(locatorOf(name));
    host.put(locatorOf(name), root, text, { name: `${name}.html`, ...more });
  };
  const says = (name: string, status: number): void => {
    put(name, `${name} answers ${status}`);
    instead.set(locatorOf(name), status);
  };
  return {
    host,
    root,
    parameters: { ...DRIVE, folderUrl, secretId: null },
    locatorOf,
    put: (name, title) => put(name, page(title, `about ${name}`)),
    remove: (name) => host.remove(locatorOf(name)),
    break: (name) => says(name, 500),
    leaveOut: (name) => put(name, 'not to be had', { canDownload: false }),
    vanish: (name) => says(name, 404),
    addOddNames: () => {
      host.extra = ['', 'x'.repeat(2_001), 'nul\0', locatorOf('one')].map(odd);
    },
    fetched: () => host.asked.filter(({ query }) => query.get('alt') === 'media').length,
    reject: (after) => void Object.assign(mood, { left: after, rejects: true }),
    leave: (after) => void Object.assign(mood, { left: after, rejects: false }),
    comeBack: () => void Object.assign(mood, { left: Infinity, hostile: null }),
    answer: (how) => void (mood.hostile = how),
    close: host.close,
  };
};

const cloudDrive: ConnectorUnderTest<CloudDrive> = {
  connect: ({ database, clock, hash, steps }) => ({
    cloud_drive: createListedConnector(
      {
        itemStore: dying(createItemStore(database), steps, ['commit', 'forget', 'markRestUnchanged']),
        clock,
        hash,
      },
      anyHost,
    ),
  }),
  openProvider,
};

connectorContract('a cloud drive', cloudDrive);
namedItemsContract('a cloud drive', cloudDrive);
listedContract('a cloud drive', cloudDrive);

describe('a sync of a cloud drive by its changes', { timeout: 120_000 }, () => {
  const { world, stored, synced, ended, since } = underTest(cloudDrive);

  it('costs one request where nothing has changed, and its files count as unchanged', async () => {
    const { provider, id } = await stored();
    provider.leaveOut('two');
    await synced(id);
    for (let again = 0; again < 2; again += 1) {
      const [asked, before] = [provider.host.asked.length, (await world().facts(id)).length];
      await synced(id);
      expect(provider.host.asked.slice(asked).map(({ path }) => path)).toEqual(['/changes']);
      expect(await since(id, before)).toEqual([]);
      expect(await ended(id)).toMatchObject({ status: 'success', seen: 5, unchanged: 4, skipped: 1 });
    }
  });

  it('asks for a file that failed by its name, though nothing says that it has changed', async () => {
    const { provider, id } = await stored();
    provider.break!('two');
    await synced(id);
    expect(await world().errors(id)).toEqual([expect.objectContaining({ locator: locatorOf('two') })]);
    provider.host.hook = () => false;
    const asked = provider.host.asked.length;
    await synced(id);
    expect(provider.host.asked.slice(asked).map(({ path }) => path)).toEqual([
      '/changes',
      `/files/${locatorOf('two')}`,
      `/files/${locatorOf('two')}`,
    ]);
    expect([await ended(id), await world().errors(id)]).toEqual([
      expect.objectContaining({ status: 'success', indexed: 1, unchanged: 4, failed: 0 }),
      [],
    ]);
  });

  it('asks again for a file of which rows failed, until all of them are read', async () => {
    const { provider, id } = await stored();
    const rows = (...lines: readonly string[]) =>
      provider.host.put('file-of-rows-1', provider.root, lines.join('\n'), {
        name: 'rows.jsonl',
        mimeType: 'application/jsonl',
      });
    const failed = [expect.objectContaining({ locator: 'file-of-rows-1#row=2', code: 'row_invalid' })];
    // The second time a version of it is known that was read whole.
    for (let times = 0; times < 2; times += 1) {
      rows('{"text":"one"}', `no JSON ${times}`);
      await synced(id);
      const fetched = provider.fetched();
      await synced(id);
      expect([await world().errors(id), provider.fetched()]).toEqual([failed, fetched + 1]);
      rows('{"text":"one"}', `{"text":"two ${times}"}`);
      await synced(id);
      await synced(id);
      expect([await world().errors(id), provider.fetched()]).toEqual([[], fetched + 2]);
    }
  });

  it('goes on after a kill at any step, and ends as if there had been none', async () => {
    const change = ({ provider: { put, remove, host, root } }: Awaited<ReturnType<typeof stored>>): void => {
      put('two', 'Another title');
      remove('three');
      host.folder('a-new-folder', root);
      put('six', 'Title six');
      host.move(locatorOf('six'), 'a-new-folder');
    };
    const expected = {
      [locatorOf('one')]: 'Title one',
      [locatorOf('two')]: 'Another title',
      [locatorOf('four')]: 'Title four',
      [locatorOf('five')]: 'Title five',
      [locatorOf('six')]: 'Title six',
    };
    let kills = 0;
    for (let killAt = 1; ; killAt += 1) {
      const made = await stored();
      change(made);
      const { id } = made;
      await world().sync(id);
      const attempt = await world()
        .attempt(id, { killAt })
        .catch((error: unknown) => error);
      if (!(attempt instanceof Killed)) break;
      kills += 1;
      // What changes between two attempts is seen by this job or by the next.
      made.provider.put('one', 'Changed late');
      if ((await world().stateOf(id)).status !== 'queued') await world().requeue(id);
      await world().attempt(id);
      expect([killAt, (await ended(id)).status]).toEqual([killAt, 'success']);
      expect([killAt, await world().documents(id)]).toMatchObject([
        killAt,
        { ...expected, [locatorOf('one')]: expect.stringMatching(/^(?:Title one|Changed late)$/) },
      ]);
      await synced(id);
      expect([killAt, await world().documents(id)]).toEqual([
        killAt,
        { ...expected, [locatorOf('one')]: 'Changed late' },
      ]);
    }
    expect(kills).toBeGreaterThan(5);
  });
});
