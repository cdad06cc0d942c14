import type { CreateDataSource } from '../../../application/sources/ingestion/create-data-source.ts';
import type { DataSourceOperations } from '../../../application/sources/ingestion/operations.ts';
import type { TestConnection } from '../../../application/sources/ingestion/test-connection.ts';
import { disconnectSignal } from '../begin-request.ts';
import { accepted, created, ok } from '../json-response.ts';
import { pageRequestOf, paginationOf } from '../parameters.ts';
import { type AnyRoute, route } from '../route.ts';
import { Nothing } from '../schemas/common.ts';
import { ConnectionTest, DataSourceListQuery } from '../schemas/data-source.ts';
import { ClientGone, type StreamDeps } from '../stream-response.ts';
import { type AnyDataSourceHttp, listedAs } from './kind.ts';

export interface DataSourceRoutesDeps extends Pick<StreamDeps, 'takeSlot'> {
  readonly createDataSource: CreateDataSource;
  readonly testConnection: TestConnection;
  readonly dataSources: DataSourceOperations;
}

const READS = ['data_source', 'ingestion_setting'] as const;

/** Create, list, read, delete, cancel and sync data sources of one kind. */
export const dataSourceRoutes = (deps: DataSourceRoutesDeps, of: AnyDataSourceHttp): readonly AnyRoute[] => {
  const { createDataSource, dataSources } = deps;
  const { kind, one, many, path, noun, toRecord } = of;
  const common = { tag: of.tag, scope: 'ingestion:manage' } as const;
  const Record = of.record;
  const secrets = of.namesSecret === true ? (['secret'] as const) : [];
  return [
    ...createRoute(createDataSource, of),
    ...testRoute(deps, of),
    route({
      ...common,
      method: 'get',
      path,
      operationId: `list${many}`,
      summary: `List ${noun} data sources, newest first`,
      description: 'Includes data sources that are being deleted, until the deletion is complete.',
      query: DataSourceListQuery,
      reads: READS,
      rewinds: 'id',
      answers: { 200: of.list },
      handler: async ({ caller, query }) => {
        const request = pageRequestOf(query);
        const { status, name } = query;
        const filter = { ...(status !== undefined && { status }), ...(name !== undefined && { name }) };
        const page = await dataSources.list(caller, kind, request, filter);
        const pagination = paginationOf(page, request.limit, ({ row }) => row.id);
        return ok({ [listedAs(path)]: page.rows.map(toRecord), pagination });
      },
    }),
    route({
      ...common,
      method: 'get',
      path: `${path}/{id}`,
      operationId: `get${one}`,
      summary: `Get a ${noun} data source`,
      description: 'With the status of its newest job, and what was wrong where that failed.',
      reads: READS,
      rewinds: 'id',
      answers: { 200: Record },
      handler: async ({ caller, id }) => ok(toRecord(await dataSources.get(caller, kind, id))),
    }),
    route({
      ...common,
      method: 'delete',
      path: `${path}/{id}`,
      operationId: `delete${one}`,
      summary: `Start the deletion of a ${noun} data source`,
      description:
        'Its content is hidden from every read from this moment. Sent again after a failure, it retries.',
      writes: true,
      settles: ['data_source', 'catalog', 'tag', ...secrets],
      answers: { 202: Record },
      handler: async ({ caller, id }) => {
        const { record, position } = await dataSources.remove(caller, kind, id);
        return accepted(toRecord(record), position);
      },
    }),
    route({
      ...common,
      method: 'post',
      path: `${path}/{id}/cancel`,
      operationId: `cancel${one}`,
      summary: `Cancel the job of a ${noun}`,
      description: 'What is indexed stays indexed. A job that has ended already stays as it is (200).',
      body: Nothing,
      bodyOptional: true,
      writes: true,
      settles: ['data_source'],
      answers: { 202: Record, 200: Record },
      handler: async ({ caller, id }) => {
        const { record, position, changed } = await dataSources.cancel(caller, kind, id);
        // A cancellation that already waits for its worker is accepted work, just like a new one.
        const answer = changed || record.row.status === 'canceling' ? accepted : ok;
        return answer(toRecord(record), position);
      },
    }),
    ...syncRoute(dataSources, of),
  ];
};

const syncRoute = (dataSources: DataSourceOperations, of: AnyDataSourceHttp): readonly AnyRoute[] => {
  const { kind, one, path, tag, sync, record: Record, toRecord } = of;
  if (sync === undefined) return [];
  return [
    route({
      tag,
      scope: 'ingestion:manage',
      method: 'post',
      path: `${path}/{id}/sync`,
      operationId: `sync${one}`,
      summary: sync.summary,
      description: sync.description,
      body: sync.body,
      bodyOptional: true,
      writes: true,
      settles: ['data_source'],
      answers: { 202: Record, 200: Record },
      problems: ['source_deleting'],
      handler: async ({ caller, id, body }) => {
        const mode = (body as { mode?: 'incremental' | 'full' }).mode ?? 'incremental';
        const items = sync.itemsIn(body);
        const { record, position, changed } = await dataSources.sync(caller, kind, id, mode, items);
        return (changed ? accepted : ok)(toRecord(record), position);
      },
    }),
  ];
};

/** Problems of requests that name a secret. */
export const problemsOfSecrets = ({ namesSecret }: Pick<AnyDataSourceHttp, 'namesSecret'>) =>
  namesSecret === true ? (['secret_not_found', 'key_restricted'] as const) : [];

const createRoute = (createDataSource: CreateDataSource, of: AnyDataSourceHttp): readonly AnyRoute[] => {
  const { create, one, path, noun, tag, record, toRecord } = of;
  if (create === undefined) return [];
  const secrets = of.namesSecret === true ? (['secret'] as const) : [];
  return [
    route({
      tag,
      scope: 'ingestion:manage',
      method: 'post',
      path,
      operationId: `create${one}`,
      summary: `Create a ${noun} data source and start ingestion`,
      description: create.description,
      body: create.body,
      idempotent: true,
      writes: true,
      settles: [...READS, ...secrets],
      answers: { 201: record },
      problems: [...create.problems, ...problemsOfSecrets(of)],
      handler: async ({ caller, body, idempotencyKey }) => {
        const made = await createDataSource(caller, create.toNew(body), idempotencyKey);
        return created(toRecord(made.record), `${path}/${made.record.row.id}`, made);
      },
    }),
  ];
};

/** Of kinds that a provider is asked for with a secret: a crawl has `POST /scrape`. */
const testRoute = (
  { testConnection, takeSlot }: Pick<DataSourceRoutesDeps, 'testConnection' | 'takeSlot'>,
  of: AnyDataSourceHttp,
): readonly AnyRoute[] => {
  const { create, namesSecret, one, path, noun, tag } = of;
  if (create === undefined || namesSecret !== true) return [];
  const ofTests = create.problems.filter((type) => !NOT_OF_TESTS.has(type));
  return [
    route({
      tag,
      scope: 'ingestion:manage',
      method: 'post',
      path: `${path}/test`,
      operationId: `test${one}`,
      summary: `Test the address and the secret of a ${noun}, and keep nothing`,
      description:
        'Takes the body of the creation, asks the provider for the first page of what there is, and tells what a first job ' +
        'would find or fail with. Name, schedule and metadata do not matter. It takes 60 s at most, and counts among the streams that are open.',
      body: create.body,
      answers: { 200: ConnectionTest },
      problems: [...ofTests, ...problemsOfSecrets(of)],
      handler: async ({ caller, body, res }) => {
        takeSlot(caller.id, res);
        const gone = disconnectSignal(res);
        const { parameters } = create.toNew(body);
        const found = await testConnection(caller, parameters, gone).catch((error: unknown) => {
          throw gone.aborted ? new ClientGone() : error;
        });
        return ok(testRecord(found));
      },
    }),
  ];
};

const NOT_OF_TESTS: ReadonlySet<string> = new Set(['invalid_rrule', 'idempotency_conflict']);

const testRecord = (found: Awaited<ReturnType<TestConnection>>): ConnectionTest => {
  if (found.kind !== 'reached') {
    const code = found.kind === 'failed' ? found.code : 'transient_error';
    return { reached: false, error: { code, ...found.error } };
  }
  const { items, more, firstItem } = found;
  return { reached: true, items, more, ...(firstItem !== null && { first_item: firstItem }) };
};
