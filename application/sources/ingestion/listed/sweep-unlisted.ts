import type { ListedDeps, ListedRun } from './listed-run.ts';

const AT_ONCE = 100;

/** Removes documents whose items the provider no longer lists, and documents without a known item. */
export const sweepUnlisted = async (
  { itemStore }: ListedDeps,
  { ingestion: { documents, job }, run }: ListedRun,
  signal: AbortSignal,
): Promise<void> => {
  for (;;) {
    signal.throwIfAborted();
    const items = await itemStore.unseen(run, AT_ONCE);
    if (items.length === 0) break;
    await documents.remove(
      items.map(({ sourceId }) => sourceId),
      'not_seen',
    );
    job.assertLeaseHeld();
    await itemStore.forget(
      run,
      items.map(({ locator }) => locator),
    );
  }
  for (let after: string | null = null; ;) {
    signal.throwIfAborted();
    const ids: readonly string[] = await itemStore.orphans(run, after, AT_ONCE);
    // If the catalog lags, a repeated removal appends no event.
    await documents.remove(ids, 'not_seen');
    if (ids.length < AT_ONCE) return;
    after = ids.at(-1) ?? null;
  }
};
