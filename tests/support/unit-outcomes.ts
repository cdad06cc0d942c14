import type { MemoryUnitLedger } from '../../adapters/memory/unit-ledger.ts';

/** Outcomes of the units of a data source, by locator. */
export const outcomesIn = (
  ledger: MemoryUnitLedger,
  dataSourceId: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(ledger.unitsOf(dataSourceId).map(({ locator, outcome }) => [locator, outcome]));
