import { sha256 } from '../../../../adapters/system/identity.ts';
import type { Caller } from '../../../../application/access/caller.ts';
import { createEventCodec } from '../../../../application/event-sourcing/event-codec.ts';
import type { Connector, Connectors } from '../../../../application/sources/ingestion/connector.ts';
import {
  createCreateDataSource,
  type NewDataSource,
} from '../../../../application/sources/ingestion/create-data-source.ts';
import {
  createDataSourceOperations,
  createItemErrors,
} from '../../../../application/sources/ingestion/operations.ts';
import { createIngestionSettingOperations } from '../../../../application/sources/ingestion/setting-operations.ts';
import type { Position, RecordedEvent } from '../../../../application/ports/event-store.ts';
import type { OverlaidRow } from '../../../../application/ports/read-your-writes.ts';
import {
  dataSourceStream,
  ingestionSettingStream,
  secretStream,
} from '../../../../application/event-sourcing/streams.ts';
import { dataSource } from '../../../../domain/data-source/index.ts';
import type {
  CrawlParameters,
  LocalFileGroupParameters,
  Parameters,
  PushParameters,
  RepoParameters,
} from '../../../../domain/ingestion-setting/index.ts';
import type { Step } from '../../../domain/data-source/job-steps.ts';
import { callerOf, noOverlay } from '../../../support/conversations.ts';
import { crawlParameters } from '../../../support/crawl-parameters.ts';
import { dataSourceViewOf } from '../../../support/data-source-view.ts';
import { countingIds } from '../../../support/ids.ts';
import { openSecrets } from '../../../support/secrets.ts';

export const caller = callerOf('acme');
export const CRAWL = crawlParameters();
export const FILES: LocalFileGroupParameters = { kind: 'local_file_group', chunkMetadataKeys: [] };
export const PUSH: PushParameters = { kind: 'push' };
export const repoWith = (secretId: string | null): RepoParameters => ({
  kind: 'repo',
  repository: 'acme/docs',
  referenceType: 'default',
  referenceParam: '',
  pathFilters: [],
  secretId,
});

/** One that is never asked to do a job. */
const idle = <P extends Parameters>(connector: Partial<Connector<P>> & Pick<Connector<P>, 'kind'>) =>
  connector as Connector<P>;

/**
 * What callers do with data sources, in memory: crawls, which sync as a whole alone; repositories, which need a secret
 * and whose items may be named; groups of files; pushes, whose jobs are done outside. `told` has what is kept beside the
 * events, in the order in which it was.
 */
export const openDataSources = () => {
  const shared = openSecrets();
  const { execute, secretAttachments, operations: secrets } = shared.process();
  const told: unknown[] = [];
  const world = {
    /** What the connectors say of all parameters; null: nothing. */
    refusal: null as Error | null,
    /** The schedule of a rule; by default from the time of the request on. */
    schedule: async (rrule: string, at: number) => ({ rrule, start: at }),
  };
  const check = (): void => {
    if (world.refusal !== null) throw world.refusal;
  };
  const error = { locator: 'a', code: 'http_500', message: 'it broke', at: 1, attempt: 1 };
  const errors = async (id: string, { limit }: { readonly limit: number }) => ({
    rows: [{ ...error, message: `${id}, up to ${limit}` }],
    hasMore: false,
    total: 1,
  });
  const connectors: Connectors = {
    crawl: idle<CrawlParameters>({
      kind: 'crawl',
      check,
      errors,
      blocked: async (id, limit) => [`blocked of ${id}`, `up to ${limit}`],
      subjectOf: ({ startUrl }) => ({ kind: 'crawl', startUrl }),
    }),
    repo: idle<RepoParameters>({
      kind: 'repo',
      secretTypes: ['token', 'basic'],
      needsSecret: true,
      check,
      errors,
      subjectOf: ({ kind, repository, referenceType, referenceParam, pathFilters }) => ({
        kind,
        repository,
        referenceType,
        referenceParam,
        pathFilters,
      }),
      itemsToSync: async ({ dataSourceId, parameters: { repository } }, names) =>
        names.map((name) => `${dataSourceId} ${repository} ${name}`),
    }),
    local_file_group: idle<LocalFileGroupParameters>({
      kind: 'local_file_group',
      check,
      subjectOf: ({ chunkMetadataKeys }) => ({ kind: 'local_file_group', chunkMetadataKeys }),
    }),
    push: idle<PushParameters>({ kind: 'push', external: true, check, subjectOf: () => ({ kind: 'push' }) }),
  };
  const ids = countingIds();
  const view = dataSourceViewOf(shared.store, createEventCodec());
  const clock = { now: () => shared.time.now };
  const deps = { execute, view, connectors, secretAttachments, ids, clock, hash: sha256 };
  const scheduling = {
    schedule: (rrule: string, at: number) => world.schedule(rrule, at),
    occurrences: async ({ start }: { readonly start: number }, after: number, limit: number) =>
      Array.from({ length: limit }, (_, i) => start + after + i),
  };
  const overlay = {
    ...noOverlay,
    put: async (name: string, row: OverlaidRow, position: Position): Promise<void> => {
      const { events } = await shared.store.read('', {}, 1_000);
      told.push([name, row, { position, after: events.map(({ type }) => type) }]);
    },
  };
  const create = createCreateDataSource({ ...deps, scheduling, overlay });
  const tombstones = {
    putDataSource: async (tenant: string, id: string) => void told.push(['withheld', tenant, id]),
  } as never;

  return Object.assign(world, {
    shared,
    execute,
    secrets,
    connectors,
    view,
    told,
    overlay,
    create: (
      parameters: Parameters,
      {
        key,
        by = caller,
        ...more
      }: Partial<Omit<NewDataSource, 'parameters'>> & { readonly key?: string; readonly by?: Caller } = {},
    ) => create(by, { name: 'Docs', metadata: [], parameters, ...more }, key),
    operations: createDataSourceOperations({ ...deps, tombstones }),
    settings: createIngestionSettingOperations({ ...deps, scheduling }),
    errors: createItemErrors({ view, connectors }),
    /** A secret of the tenant, which a repository may name. */
    secret: async (secretType: 'token' | 'basic' = 'token') => {
      const request = { name: 'Host', secretType, value: 'user:pass', expiresAt: null };
      return (await secrets.create(caller, request, undefined)).record.id;
    },
    /** How many data sources use it. */
    usesOf: async (id: string) => (await secrets.change(caller, id, {})).record.inUse,
    /** What a worker does. */
    after: async (id: string, ...steps: readonly Step[]) => {
      for (const step of steps) {
        const state = (await execute.load(dataSource, dataSourceStream(id), undefined))!.state;
        await execute(dataSource, dataSourceStream(id), step(state, (shared.time.now += 1)), caller.context);
      }
    },
    factsOf: async (id: string) => typesAndData(await shared.store.readStream(dataSourceStream(id))),
    factsOfSetting: async (id: string) =>
      typesAndData(await shared.store.readStream(ingestionSettingStream(id))),
    positionOfSecret: async (id: string) =>
      (await shared.store.readStream(secretStream(id))).at(-1)!.position,
  });
};

const typesAndData = (events: readonly RecordedEvent[]) =>
  events.map(({ type, data }) => ({ type, ...data }));
