import { createIdSource } from '../../../adapters/system/identity.ts';
import type { UnitLedger, UnitOutcome, UnitRun, VisitedUnit } from '../../../application/ports/item-store.ts';

export interface OpenUnitLedger {
  readonly ledger: UnitLedger;
  /** Lets the catalog have these sources of a data source, and have had those that were removed. */
  readonly catalog: (
    dataSourceId: string,
    there: readonly string[],
    removed: readonly string[],
  ) => Promise<void>;
  readonly close: () => Promise<void>;
}

const { newId } = createIdSource();
export const sourceId = newId();
export const WRONG = { code: 'timed_out', message: 'it took too long' };

export const visit = (
  outcome: UnitOutcome,
  fingerprint: string | null,
  more: Partial<VisitedUnit> = {},
): VisitedUnit => ({
  locator: 'shop.csv',
  outcome,
  sourceId,
  fingerprint,
  code: null,
  message: null,
  bytes: 1,
  at: 5,
  attempt: 1,
  ...more,
});

/** A data source of its own: its jobs, one after the other. */
export const jobs = (): ((generation: number, judgedSince?: number) => UnitRun) => {
  const dataSourceId = newId();
  return (generation, judgedSince = 0) => ({ dataSourceId, generation, judgedSince });
};
