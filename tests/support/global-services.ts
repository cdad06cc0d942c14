import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { openBacking, storeOf } from './backing.ts';
import { serverAddress } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * Answers as JSON: `/tenant` a SharedTenant, `/program` the path of the program to start, `/prepared` a data directory
     * to copy, `/template/STORE` the name of a database to copy, and `/opensearch` its `url`, or why it is `missing`.
     */
    readonly serviceBroker: string;
  }
}

/**
 * One service for each store of a run, which the files of journeys share that neither end nor configure theirs: each has
 * a tenant of its own. Started when the first file asks; what it is made of is imported only then.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const closing: (() => Promise<void>)[] = [];
  const store = storeOf(project.config.env?.['KNOWLEDGER_TEST_STORE']);
  const postgres = () => serverAddress(project.getProvidedContext().postgresBroker);
  const program = once(async () => (await import('./program.ts')).prepareProgram());
  const prepared = once(async () => {
    const { prepareData } = await import('./prepared-data.ts');
    const { dataDir, remove } = await prepareData();
    closing.push(remove);
    return dataDir;
  });
  const templateOf = (events: 'postgres' | 'eventstoredb') =>
    once(async () => {
      const { prepareDatabase } = await import('./prepared-data.ts');
      const { name, remove } = await prepareDatabase(events, postgres);
      closing.push(remove);
      return name;
    });
  const templates = { postgres: templateOf('postgres'), eventstoredb: templateOf('eventstoredb') };
  const shared = once(async () => {
    const { startSharedService } = await import('./shared-service.ts');
    const template = (events: keyof typeof templates) => templates[events]();
    const service = await startSharedService(
      await openBacking(store, { postgres, prepared, template }),
      await program(),
    );
    closing.push(service.close);
    return service;
  });
  const opensearch = once(async () => {
    const given = process.env['OPENSEARCH_TEST_URL'];
    if (given) return { url: given };
    const { startOpenSearch } = await import('./opensearch/node.ts');
    try {
      const { url, close } = await startOpenSearch();
      closing.push(close);
      return { url };
    } catch (error) {
      return { missing: (error as Error).message };
    }
  });
  const answers: { readonly [path: string]: () => Promise<unknown> } = {
    '/tenant': async () => (await shared()).newTenant(),
    '/program': program,
    '/prepared': prepared,
    '/template/postgres': templates.postgres,
    '/template/eventstoredb': templates.eventstoredb,
    '/opensearch': opensearch,
  };

  const broker = createServer((request, response) => {
    Promise.resolve(request.url)
      .then((url) => answers[url ?? '']!())
      .then(
        (found) => response.end(JSON.stringify(found)),
        (error: unknown) => response.writeHead(500).end(String((error as Error).stack)),
      );
  });
  await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve));
  project.provide('serviceBroker', `http://127.0.0.1:${(broker.address() as AddressInfo).port}`);
  return async () => {
    broker.closeAllConnections();
    broker.close();
    for (const close of closing.toReversed()) await close();
  };
};

/** Made at the first call, and the same for all. */
const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};
