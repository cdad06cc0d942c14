import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestProject } from 'vitest/node';
import { openBacking, storeOf } from './backing.ts';
import { serverAddress } from './postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers `/tenant` with a SharedTenant, and `/prepared` with a data directory to copy, both as JSON. */
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
  const startShared = async () => {
    const { startSharedService } = await import('./shared-service.ts');
    const postgres = () => serverAddress(project.getProvidedContext().postgresBroker);
    const shared = await startSharedService(await openBacking(store, { postgres, prepared }));
    closing.push(shared.close);
    return shared;
  };
  const makePrepared = async (): Promise<string> => {
    const { prepareData } = await import('./prepared-data.ts');
    const { dataDir, remove } = await prepareData();
    closing.push(remove);
    return dataDir;
  };
  let shared: ReturnType<typeof startShared> | undefined;
  let made: Promise<string> | undefined;
  const prepared = (): Promise<string> => (made ??= makePrepared());
  const answer = async (path: string): Promise<unknown> =>
    path === '/prepared' ? prepared() : (await (shared ??= startShared())).newTenant();

  const broker = createServer((request, response) => {
    answer(request.url ?? '').then(
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
