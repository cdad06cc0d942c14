import type { ListedDeps, ListedRun } from './listed-run.ts';

const AT_ONCE = 100;

/** Removes the documents whose units the provider lists no more, and those that no unit is known of. */
export const sweepUnlisted = async (
  { ledger }: ListedDeps,
  { ingestion: { documents, job }, run }: ListedRun,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const units = await ledger.unseen(run, AT_ONCE);
    if (units.length === 0) break;
    await documents.remove(
      units.map(({ sourceId }) => sourceId),
      'not_seen',
    );
    job.stillOurs();
    await ledger.forget(
      run,
      units.map(({ locator }) => locator),
    );
  }
  for (let after: string | null = null; ;) {
    signal.throwIfAborted();
    const ids: readonly string[] = await ledger.strays(run, after, AT_ONCE);
    // Where the catalog lags behind they are removed once more, which leads to no event.
    await documents.remove(ids, 'not_seen');
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? null;
  }
};
