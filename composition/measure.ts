import type { Container } from 'inversify';
import { dataSourcesByStatus, viewHealth } from '../adapters/postgres/projections/health.ts';
import { registerMetrics } from '../adapters/telemetry/metrics.ts';
import type { Databases } from './startup.ts';
import { TOKENS as T } from './tokens.ts';

/** Has a running service measured. Answers how to end that. */
export const measure = (container: Container, { views: { db } }: Databases): (() => void) =>
  registerMetrics({
    views: async () =>
      (await viewHealth(db)).map(({ view, haltedBecause, movedAt }) => ({
        view,
        halted: haltedBecause !== null,
        idleSeconds: (Date.now() - movedAt.getTime()) / 1000,
      })),
    jobs: () => dataSourcesByStatus(db),
    hiddenMs: container.get(T.EventFeed).oldestHiddenAgeMs,
    eventStoreUp: () => container.get(T.StoreWatches).events.awaySince() === null,
  });
