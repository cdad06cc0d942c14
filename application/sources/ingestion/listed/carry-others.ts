import type { ListedDeps, ListedRun } from './listed-run.ts';
import type { ListedUnit } from './listed-source.ts';
import { visitUnits } from './visit-units.ts';

const AT_ONCE = 100;

/**
 * Ends a listing of changes alone. Units that it did not name and that are owed (those that failed, say) are asked for
 * by their names; all others are taken for unchanged. What is there no more is left for the sweep.
 */
export const carryOthers = async (
  deps: ListedDeps,
  of: ListedRun,
  gone: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> => {
  const { ledger, clock } = deps;
  const { listing, run, ingestion } = of;
  if (listing.find === undefined)
    throw new Error('this provider lists changes, and cannot find units by their names');
  const except = new Set(gone);
  for (;;) {
    signal.throwIfAborted();
    const owed = await ledger.owed(run, except, AT_ONCE);
    if (owed.length === 0) {
      ingestion.job.stillOurs();
      const rest = { except, mark: listing.mark?.() ?? null };
      // A caller may have taken a document out meanwhile.
      if (await ledger.carryRest(run, rest, clock.now())) return;
      continue;
    }
    const found = await listing.find(owed, signal);
    for (const [i, locator] of owed.entries()) if (found[i]?.locator !== locator) except.add(locator);
    const there = found.filter((unit): unit is ListedUnit => unit !== null);
    await visitUnits(deps, of, there, signal);
  }
};
