import {
  databaseBytes,
  dataSourcesByStatus,
  viewHealth,
  viewLags,
} from '../adapters/postgres/projections/health.ts';
import { contentsWithoutVector } from '../adapters/postgres/vectors/vector-store.ts';
import { deliveryAge } from '../adapters/postgres/webhooks/webhook-deliveries.ts';
import { agentRunWork } from '../adapters/postgres/work/agent-work.ts';
import { jobWork, purgeWork } from '../adapters/postgres/work/data-source-work.ts';
import { queueAges } from '../adapters/postgres/work/work-leases.ts';
import type { PostgresDatabase } from '../adapters/postgres/connection.ts';
import type { Config } from './config/config.ts';
import type { MeasuredEventFeed, StoreWatches } from './event-log.ts';

export interface MeasuredParts {
  readonly config: Pick<Config, 'embeddings'>;
  readonly db: PostgresDatabase['db'];
  readonly feed: MeasuredEventFeed;
  readonly watches: Pick<StoreWatches, 'events'>;
}

/** What is measured of a running service: for metrics, and for the status that the API tells. Nothing is cached. */
export const createMeasurements = ({ config, db, feed, watches }: MeasuredParts) => ({
  views: async () =>
    (await viewHealth(db)).map(({ view, haltedBecause, movedAt }) => ({
      view,
      halted: haltedBecause !== null,
      idleSeconds: (Date.now() - movedAt.getTime()) / 1000,
    })),
  lags: () => viewLags(db, feed, Date.now()),
  jobs: (tenant?: string) => dataSourcesByStatus(db, tenant),
  queues: (tenant?: string) => queueAges(db, [jobWork, purgeWork, agentRunWork], Date.now(), tenant),
  deliveryAge: (tenant?: string) => deliveryAge(db, Date.now(), tenant),
  hiddenMs: feed.oldestHiddenAgeMs,
  eventStoreUp: () => watches.events.unavailableSince() === null,
  contentsWithoutVector: async () => (config.embeddings === undefined ? null : contentsWithoutVector(db)),
  databaseBytes: () => databaseBytes(db),
});
export type Measurements = ReturnType<typeof createMeasurements>;
