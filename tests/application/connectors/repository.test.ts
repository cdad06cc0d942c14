import { createUnitLedger } from '../../../adapters/postgres/work/unit-ledger.ts';
import { createListedConnector } from '../../../application/ingestion/listed/listed-connector.ts';
import type { ListedSource } from '../../../application/ingestion/listed/listed-source.ts';
import type { RepoParameters } from '../../../domain/ingestion-setting/index.ts';
import { dying } from '../../support/dying.ts';
import { blobSha, type HostedEntry } from '../../support/repository-host/objects.ts';
import { openRepositoryHost, refuse } from '../../support/repository-host/repository-host.ts';
import { REPOSITORY, repositorySourceAt } from '../../support/repository-provider.ts';
import { page } from '../../support/site.ts';
import { connectorContract } from './contract.ts';
import { listedContract, type ListedProvider } from './listed-contract.ts';
import { namedUnitsContract } from './named-units-contract.ts';
import type { ConnectorUnderTest } from './under-test.ts';

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

const openProvider = async (): Promise<ListedProvider> => {
  const repository = `acme/docs-${hosts.size}`;
  const host = await openRepositoryHost(repository);
  hosts.set(repository, repositorySourceAt(host.url));
  /** What is answered instead of a blob, by its hash. */
  const instead = new Map<string, number>();
  const mood = { left: Infinity, rejects: false };
  host.hook = (response, { path }) => {
    mood.left -= 1;
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
    vanish: (name) => says(name, 404),
    addOddNames: () => {
      host.extra = ['', `${'x'.repeat(2_001)}.html`, 'nul\0.html', 'one.html'].map(odd);
    },
    fetched: () => host.asked.filter(({ path }) => BLOB.test(path)).length,
    reject: (after) => void Object.assign(mood, { left: after, rejects: true }),
    leave: (after) => void Object.assign(mood, { left: after, rejects: false }),
    comeBack: () => void Object.assign(mood, { left: Infinity }),
    close: host.close,
  };
};

const repository: ConnectorUnderTest<ListedProvider> = {
  connect: ({ db, clock, hash, steps }) => ({
    repo: createListedConnector(
      { ledger: dying(createUnitLedger(db), steps, ['commit', 'forget']), clock, hash },
      anyHost,
    ),
  }),
  openProvider,
};

connectorContract('a repository', repository);
namedUnitsContract('a repository', repository);
listedContract('a repository', repository);
