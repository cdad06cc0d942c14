import { describe, expect, it } from 'vitest';
import { createItemStore } from '../../../../adapters/postgres/work/item-store.ts';
import { createListedConnector } from '../../../../application/sources/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../../application/sources/ingestion/listed/listed-source.ts';
import type { RepoParameters } from '../../../../domain/ingestion-setting/index.ts';
import { dying } from '../../../support/dying.ts';
import { blobSha, type HostedEntry } from '../../../support/repository-host/objects.ts';
import { openRepositoryHost, refuse } from '../../../support/repository-host/repository-host.ts';
import { REPOSITORY, repositorySourceAt } from '../../../support/repository-provider.ts';
import { HOSTILE_ANSWERS, type HostileAnswer } from '../../../support/hostile-answers.ts';
import { page } from '../../../support/site.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedItemsContract } from './named-items-contract.ts';
import { type ConnectorUnderTest, documentsOf, NAMES, underTest } from './under-test.ts';

/** One host for each data source of the tests, by the name of its repository. */
const hosts = new Map<string, ListedSource<RepoParameters>>();

const anyHost: ListedSource<RepoParameters> = {
  ...repositorySourceAt('http://127.0.0.1:1'),
  open: (parameters, signal, of) => hosts.get(parameters.repository)!.open(parameters, signal, of),
};

const BLOB = /\/git\/blobs\/([0-9a-f]+)$/;
const odd = (path: string): HostedEntry => ({
  path,
  mode: '100644',
  type: 'blob',
  sha: blobSha(Buffer.from(path)),
});

interface Repository extends ListedProvider {
  /** Requests that were answered. */
  readonly asked: () => number;
  /** The host knows nothing of what this item holds from now on. */
  readonly lose: (name: string) => void;
  /** Whatever broke answers again, without a new commit. */
  readonly heal: () => void;
}

const openProvider = async (): Promise<Repository> => {
  const repository = `acme/docs-${hosts.size}`;
  const host = await openRepositoryHost(repository);
  hosts.set(repository, repositorySourceAt(host.url));
  /** What is answered instead of a blob, by its hash. */
  const instead = new Map<string, number>();
  const mood = { left: Infinity, rejects: false, hostile: null as HostileAnswer | null };
  host.hook = (response, { path }) => {
    mood.left -= 1;
    if (mood.hostile !== null) {
      HOSTILE_ANSWERS[mood.hostile](response);
      return true;
    }
    if (mood.left < 0) {
      if (mood.rejects) refuse(response, 401, 'Bad credentials');
      else response.socket?.resetAndDestroy();
      return true;
    }
    const status = instead.get(BLOB.exec(path)?.[1] ?? '');
    if (status !== undefined) refuse(response, status, 'so the test wants it');
    return status !== undefined;
  };
  const locatorOf = (name: string) => `${name}.html`;
  const says = (name: string, status: number): void => {
    const text = `${name} answers ${status}`;
    host.put(locatorOf(name), text);
    instead.set(blobSha(Buffer.from(text)), status);
  };
  return {
    parameters: { ...REPOSITORY, repository },
    locatorOf,
    put: (name, title) => host.put(locatorOf(name), page(title, `about ${name}`)),
    remove: (name) => host.remove(locatorOf(name)),
    break: (name) => says(name, 500),
    leaveOut: (name) => host.put(locatorOf(name), '../elsewhere.html', '120000'),
    lose: (name) => says(name, 404),
    addOddNames: () => {
      host.extra = ['', `${'x'.repeat(2_001)}.html`, 'nul\0.html', 'one.html'].map(odd);
    },
    fetched: () => host.asked.filter(({ path }) => BLOB.test(path)).length,
    reject: (after) => void Object.assign(mood, { left: after, rejects: true }),
    leave: (after) => void Object.assign(mood, { left: after, rejects: false }),
    comeBack: () => void Object.assign(mood, { left: Infinity, hostile: null }),
    answer: (how) => void (mood.hostile = how),
    close: host.close,
    asked: () => host.asked.length,
    heal: () => instead.clear(),
  };
};

const repository: ConnectorUnderTest<Repository> = {
  connect: ({ database, clock, hash, steps }) => ({
    repo: createListedConnector(
      {
        itemStore: dying(createItemStore(database), steps, ['commit', 'forget', 'markAllUnchanged']),
        clock,
        hash,
      },
      anyHost,
    ),
  }),
  openProvider,
};

connectorContract('a repository', repository);
namedItemsContract('a repository', repository);
listedContract('a repository', repository);

describe('a repository to which nothing was pushed', { timeout: 120_000 }, () => {
  const { world, stored, synced, ended, since } = underTest(repository);

  it('costs one request, and its files count as unchanged', async () => {
    const { provider, id } = await stored();
    provider.leaveOut('two');
    await synced(id);
    for (let again = 0; again < 2; again += 1) {
      const [asked, before] = [provider.asked(), (await world().facts(id)).length];
      await synced(id);
      expect([provider.asked() - asked, await since(id, before)]).toEqual([1, []]);
      expect(await ended(id)).toMatchObject({
        status: 'success',
        seen: 5,
        unchanged: 4,
        skipped: 1,
        bytes: 0,
      });
    }
  });

  it('keeps every document while the host does not find its blobs, and reads them once it does', async () => {
    const { provider, id } = await stored();
    for (const name of ['one', 'two', 'three']) provider.lose(name);
    await synced(id);
    expect(await ended(id)).toMatchObject({ status: 'success', failed: 3, unchanged: 2 });
    expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
    provider.heal();
    await synced(id);
    expect(await ended(id)).toMatchObject({ failed: 0, indexed: 3 });
  });

  it('is looked at again after single files were, at another commit', async () => {
    const { provider, id } = await stored();
    provider.put('one', 'Another title');
    await world().sync(id, 'incremental', [provider.locatorOf('one')]);
    await world().attempt(id);
    // The branch is set back to the commit that was listed as a whole.
    provider.put('one', 'Title one');
    await synced(id);
    expect(await world().documents(id)).toEqual(documentsOf(NAMES, provider));
  });
});
