import { setTimeout as wait } from 'node:timers/promises';
import type { ReadStatus, ServiceStatus } from '../adapters/http/routes/status.ts';
import type { Caller } from '../application/access/caller.ts';
import { createRecentlyUsed } from '../application/event-sourcing/recently-used.ts';
import type { Holding } from '../application/ports/source-group-view.ts';
import { sourceTypeOf } from '../application/sources/source-groups/source-type.ts';
import { DomainError } from '../domain/shared/domain-error.ts';
import { FIRST_TENANT } from './bootstrap.ts';
import type { Config } from './config/config.ts';
import type { Measurements } from './measurements.ts';
import type { Readiness } from './readiness.ts';

/** How old what is told may be. Nobody looks more often, and many may look at once. */
const MAX_AGE_MS = 2_000;
/** A database has many files, and does not grow quickly. */
const MAX_SIZE_AGE_MS = 60_000;
const MAX_CALLERS = 1_000;
/** How long it waits for the event store. */
const PATIENCE_MS = 2_000;

export interface StatusDeps {
  readonly config: Config;
  /** Whether this program runs the database. */
  readonly embedded: boolean;
  readonly version: string;
  readonly holdings: (caller: Caller) => Promise<readonly Holding[]>;
  readonly readiness: () => Promise<Readiness>;
  readonly measurements: Pick<
    Measurements,
    'views' | 'lags' | 'jobs' | 'queues' | 'deliveryAge' | 'databaseBytes'
  >;
  readonly now: () => number;
}

/** The status of the service for one caller: of work and storage it tells those of the tenant alone. */
export const createReadStatus = (deps: StatusDeps): ReadStatus => {
  const { config, version, measurements, now } = deps;
  const recently = createRecently(now);
  const models = modelsSetUp(config);
  const stores = recently(MAX_AGE_MS, async () => storesOf(deps, await deps.readiness()));
  const views = recently(MAX_AGE_MS, () => viewsOf(measurements));
  const size = recently(MAX_SIZE_AGE_MS, measurements.databaseBytes);
  /** Reads by key: whatever has one key is the same. */
  const keyed = <T>(): ((key: string, read: () => Promise<T>) => Promise<T>) => {
    const known = createRecentlyUsed<() => Promise<T>>(MAX_CALLERS);
    return (key, read) => {
      const recent = known.get(key) ?? recently(MAX_AGE_MS, read);
      known.put(key, recent);
      return recent();
    };
  };
  const [ofTenants, ofCallers] = [keyed<Work>(), keyed<ServiceStatus['knowledge']>()];
  return async (caller) => {
    const { id, tenant, grant } = caller;
    const isRestricted = grant.sourceGroupIds !== null;
    const isOperator = tenant === FIRST_TENANT && !isRestricted;
    const [knowledge, told, ofViews, ofTenant, bytes] = await Promise.all([
      ofCallers(`${tenant} ${id}`, () => knowledgeOf(deps, caller)),
      stores(),
      views(),
      isRestricted ? {} : ofTenants(tenant, () => workOf(measurements, tenant)),
      isOperator ? size() : undefined,
    ]);
    return {
      version,
      time: Math.floor(now() / 1_000),
      authz: config.authz,
      ...(knowledge !== undefined && { knowledge }),
      stores: told,
      ...(ofViews !== null && { views: ofViews }),
      ...ofTenant,
      ...(bytes !== undefined && { storage: { database_bytes: bytes } }),
      models,
    };
  };
};

/** Reads what is older than `ms` again; those who ask meanwhile share one reading. A failure is not kept. */
const createRecently =
  (now: () => number) =>
  <T>(ms: number, read: () => Promise<T>): (() => Promise<T>) => {
    let last: { readonly at: number; readonly value: Promise<T> } | undefined;
    return () => {
      if (last !== undefined && now() - last.at < ms) return last.value;
      const mine = { at: now(), value: read() };
      last = mine;
      mine.value.catch(() => {
        if (last === mine) last = undefined;
      });
      return mine.value;
    };
  };

/** Undefined where authorization is on and no policy says what a request without one may see. */
const knowledgeOf = async (
  { holdings }: Pick<StatusDeps, 'holdings'>,
  caller: Caller,
): Promise<ServiceStatus['knowledge']> => {
  const held = await holdings(caller).catch((error: unknown) => {
    if (error instanceof DomainError && error.code === 'authz_policy_not_found') return undefined;
    throw error;
  });
  return held?.map(({ kind, newestSyncAt: newest, oldestSyncAt: oldest, ...counts }) => ({
    source_type: sourceTypeOf(kind),
    source_group_count: counts.groupCount,
    source_count: counts.sourceCount,
    content_count: counts.contentCount,
    ...(counts.bytes !== null && { stored_bytes: counts.bytes }),
    never_synced: counts.neverSynced,
    ...(newest !== null && { newest_sync_time: Math.floor(newest / 1_000) }),
    ...(oldest !== null && { oldest_sync_time: Math.floor(oldest / 1_000) }),
  }));
};

type Work = Pick<ServiceStatus, 'queues' | 'jobs'>;
const workOf = async (
  { queues, deliveryAge, jobs }: StatusDeps['measurements'],
  tenant: string,
): Promise<Work> => {
  const [ages, delivery, counts] = await Promise.all([queues(tenant), deliveryAge(tenant), jobs(tenant)]);
  return {
    queues: [
      ...ages.map(({ kind, seconds }) => ({ kind, age_seconds: seconds })),
      { kind: 'webhook_delivery', age_seconds: delivery },
    ],
    jobs: counts.flatMap(({ status, count, since }) =>
      status === 'removed' ? [] : [{ status, count, since: Math.floor(since / 1_000) }],
    ),
  };
};

/** Null where the database does not answer; without lags where the event store does not. */
const viewsOf = async ({
  views,
  lags,
}: StatusDeps['measurements']): Promise<NonNullable<ServiceStatus['views']> | null> => {
  const late = wait(PATIENCE_MS, null, { ref: false });
  const [all, behind] = await Promise.all([
    views().catch(() => null),
    Promise.race([lags(), late]).catch(() => null),
  ]);
  const seconds = new Map(behind?.map((lag) => [lag.view, lag.seconds]));
  return (
    all?.map(({ view, halted }) => {
      const lag = seconds.get(view);
      return { name: view, halted, ...(lag !== undefined && { lag_seconds: lag }) };
    }) ?? null
  );
};

/** A log in the database is judged with it. */
const storesOf = ({ config, embedded }: StatusDeps, { reasons }: Readiness): ServiceStatus['stores'] => {
  const apart = config.eventStoreUrl !== undefined;
  const log = reasons['event log'];
  const store = (
    name: ServiceStatus['stores'][number]['name'],
    product: string,
    reason: string | undefined,
  ): ServiceStatus['stores'][number] => ({
    name,
    product,
    up: reason === undefined,
    ...(reason !== undefined && { reason }),
  });
  return [
    store(
      'database',
      embedded ? 'PostgreSQL of this program' : 'PostgreSQL',
      reasons['database'] ?? (apart ? undefined : log),
    ),
    ...(apart ? [store('event store', 'EventStoreDB', reasons['event store'] ?? log)] : []),
    store('files', config.files === undefined ? 'data directory' : 'S3', reasons['files']),
    ...(config.openSearch === undefined
      ? []
      : [store('search engine', 'OpenSearch', reasons['search engine'])]),
  ];
};

type Model = ServiceStatus['models'][number];

/** Providers by their interface and models by their names: no address, no key. */
const modelsSetUp = ({
  languageModel,
  agents,
  embeddings,
  rerank,
  transcription,
  webSearch,
}: Config): Model[] => {
  const { provider = '', model = '', others = [] } = languageModel ?? {};
  const chat = languageModel === undefined ? [] : [model, ...others];
  return [
    ...chat.map((name) => ({ use: 'answers' as const, provider, model: name })),
    // A run takes the first.
    ...chat.slice(0, 1).map((name) => ({ use: 'agent_runs' as const, provider, model: name })),
    ...Object.entries(agents.providers).map(([name, { model: of }]) => ({
      use: 'agent_runs' as const,
      provider: of.provider,
      model: of.model,
      chosen_by: name,
    })),
    ...(agents.runtime === null ? [] : [{ use: 'agent_runs' as const, provider: 'agentcore' }]),
    ...(embeddings === undefined ? [] : [named('embeddings', embeddings, 'openai')]),
    ...(rerank === undefined ? [] : [named('reranker', rerank, 'rerank')]),
    ...(transcription === undefined ? [] : [named('transcription', transcription, 'openai')]),
    ...(webSearch === undefined ? [] : [{ use: 'web_search' as const, provider: 'searxng' }]),
  ];
};

const named = (
  use: Model['use'],
  model: { readonly local: string } | { readonly model: string | undefined },
  provider: string,
): Model => {
  if ('local' in model) return { use, provider: 'local', model: model.local };
  return { use, provider, ...(model.model !== undefined && { model: model.model }) };
};
