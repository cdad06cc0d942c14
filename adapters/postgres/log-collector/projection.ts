import type { Exported } from '../../../application/audit/export-log.ts';
import {
  CollectorRefused,
  CollectorUnavailable,
  type LogCollector,
} from '../../../application/audit/log-collector.ts';
import type { ReadGate } from '../../../application/ports/read-gate.ts';
import { PoisonEvent } from '../projections/apply-batch.ts';
import type { StoredProjection } from '../projections/projection.ts';

/** How long a batch waits for the tree before it is repeated. */
const TREE_MS = 10_000;

/**
 * Sends every event to a collector, at least once and in order: a view whose rows are elsewhere. A batch is accepted
 * before the checkpoint moves. It waits for the tree of the log, which names the leaf of each event. What the collector
 * refuses halts the view.
 */
export const createCollectorProjection = ({
  collector,
  exported,
  gate,
}: {
  readonly collector: LogCollector;
  readonly exported: Exported;
  readonly gate: ReadGate;
}): StoredProjection => ({
  view: 'log_collector',
  shape: 1,
  filter: {},
  batchSize: 500,
  tables: [],
  create: async () => {},
  applyStored: async (_trx, _schema, events) => {
    const hasTree = await gate.reached(['log_tree'], events.at(-1)!.position, TREE_MS);
    const { events: sent, isBehind } = await exported(events);
    if (!hasTree || isBehind) throw new CollectorUnavailable('the tree of the log has not read as far');
    try {
      if (sent.length > 0) await collector.send(sent);
    } catch (error) {
      if (!(error instanceof CollectorRefused)) throw error;
      throw new PoisonEvent(
        events.find(({ position }) => position === error.first.position)!,
        error,
      );
    }
  },
});
