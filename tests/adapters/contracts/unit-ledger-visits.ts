import { expect, it } from 'vitest';
import type { VisitedUnit } from '../../../application/ports/item-store.ts';
import { jobs, type OpenUnitLedger, sourceId, visit, WRONG } from './unit-ledger-world.ts';

/** What the port promises of units that are visited. */
export const visitsContract = (world: () => OpenUnitLedger): void => {
  const ledger = () => world().ledger;

  /** What the third job knows of a unit that was indexed with the fingerprint `v1`, and then met this. */
  const knownAfter = async (second: VisitedUnit) => {
    const run = jobs();
    await ledger().commit(run(1), [visit('indexed', 'v1')]);
    await ledger().commit(run(2), [second]);
    return (await ledger().known(run(3), ['shop.csv'])).get('shop.csv');
  };

  it.each(['indexed', 'unchanged'] as const)(
    'forgets the fingerprint of a unit that was %s and is to be read again',
    async (outcome) => {
      expect(await knownAfter(visit(outcome, null))).toMatchObject({ fingerprint: null, failed: false });
    },
  );

  it('keeps the fingerprint of the last success for a unit that failed', async () => {
    expect(await knownAfter(visit('failed', null))).toMatchObject({ fingerprint: 'v1', failed: true });
  });

  it('takes the fingerprint of another version', async () => {
    expect(await knownAfter(visit('indexed', 'v2'))).toMatchObject({ fingerprint: 'v2', failed: false });
  });

  it('knows why a unit was left out, and nothing of one that is gone, or was never met', async () => {
    expect(await knownAfter(visit('skipped', 'v2', WRONG))).toMatchObject({ skipped: WRONG });
    expect(await knownAfter(visit('gone', null, { sourceId: null }))).toBeUndefined();
    expect(await ledger().known(jobs()(1), ['shop.csv'])).toEqual(new Map());
  });

  it('says whether this job has met a unit, and trusts nothing that was judged in another way', async () => {
    const run = jobs();
    await ledger().commit(run(2), [visit('indexed', 'v1')]);
    const of = async (generation: number, since = 0) =>
      (await ledger().known(run(generation, since), ['shop.csv'])).get('shop.csv');
    expect([(await of(2))?.seen, (await of(3))?.seen]).toEqual([true, false]);
    expect([(await of(3, 5))?.fingerprint, (await of(3, 6))?.fingerprint]).toEqual(['v1', null]);
  });

  it('keeps what a newer job has found', async () => {
    const run = jobs();
    await ledger().commit(run(2), [visit('indexed', 'v2')]);
    await ledger().commit(run(1), [visit('indexed', 'v1')]);
    expect((await ledger().known(run(2), ['shop.csv'])).get('shop.csv')?.fingerprint).toBe('v2');
  });

  it('counts what one job has met, rows left aside', async () => {
    const run = jobs();
    await ledger().commit(run(1), [visit('indexed', 'v1', { locator: 'of the job before' })]);
    const outcomes = ['indexed', 'indexed', 'unchanged', 'skipped', 'failed', 'row_failed'] as const;
    await ledger().commit(
      run(2),
      outcomes.map((outcome, i) => visit(outcome, null, { locator: `${i}` })),
    );
    const counts = { seen: 5, indexed: 2, unchanged: 1, skipped: 1, failed: 1, bytes: 6 };
    expect(await ledger().counts(run(2))).toEqual(counts);
  });

  it('keeps a unit that is called as a row that failed is', async () => {
    const run = jobs();
    await ledger().commit(run(1), [visit('indexed', 'v1', { locator: 'a#row=1' })]);
    const row = visit('row_failed', null, { locator: 'a#row=1', sourceId: null, ...WRONG });
    await ledger().commit(run(2), [row]);
    expect((await ledger().known(run(3), ['a#row=1'])).get('a#row=1')?.fingerprint).toBe('v1');
    expect((await ledger().errors(run(2).dataSourceId, { limit: 9 })).rows).toEqual([]);
  });

  it('forgets what was wrong with rows of one unit, and nothing of others', async () => {
    const run = jobs();
    const rows = ['shop.csv#row=1', 'shop.csv#row=20', 'shop.csv#row=x', 'other.csv#row=1', 'shop.csv'];
    await ledger().commit(
      run(1),
      rows.map((locator) => visit('row_failed', null, { locator, sourceId: null, ...WRONG })),
    );
    await ledger().forgetRows(run(1), 'shop.csv');
    const { rows: left } = await ledger().errors(run(1).dataSourceId, { limit: 9 });
    expect(left.map(({ locator }) => locator)).toEqual(['other.csv#row=1', 'shop.csv', 'shop.csv#row=x']);
  });

  it('lists what is wrong with units of the newest job, page by page', async () => {
    const run = jobs();
    await ledger().commit(run(1), [visit('failed', null, { locator: 'before', ...WRONG })]);
    const wrong = [
      visit('failed', null, { locator: 'c', ...WRONG }),
      visit('indexed', null, { locator: 'a', ...WRONG }),
      visit('row_failed', null, { locator: 'b#row=1', ...WRONG }),
    ];
    const well = [
      visit('indexed', 'v1', { locator: 'd' }),
      visit('skipped', 'v1', { locator: 'e', ...WRONG }),
    ];
    await ledger().commit(run(2), [...wrong, ...well]);
    const first = await ledger().errors(run(2).dataSourceId, { limit: 2 });
    expect(first).toMatchObject({ hasMore: true, total: 3 });
    expect(first.rows[0]).toEqual({ locator: 'a', ...WRONG, at: 5, attempt: 1 });
    const rest = await ledger().errors(run(2).dataSourceId, { limit: 2, after: 'b#row=1' });
    expect([rest.rows.map(({ locator }) => locator), rest.hasMore]).toEqual([['c'], false]);
    await expect(ledger().errors(run(2).dataSourceId, { limit: 2, after: 'nothing' })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
  });

  it('has the next job read a document again that earlier ones knew', async () => {
    const run = jobs();
    await ledger().commit(run(1), [visit('indexed', 'v1')]);
    await ledger().forgetDocument(run(1), sourceId);
    expect((await ledger().known(run(2), ['shop.csv'])).get('shop.csv')?.fingerprint).toBe('v1');
    await ledger().forgetDocument(run(2), sourceId);
    expect((await ledger().known(run(2), ['shop.csv'])).get('shop.csv')?.fingerprint).toBeNull();
  });

  it('forgets units that this job has not met, and no others', async () => {
    const run = jobs();
    await ledger().commit(run(1), [visit('indexed', 'v1')]);
    await ledger().commit(run(2), [visit('indexed', 'v1', { locator: 'met' })]);
    await ledger().forget(run(2), ['shop.csv', 'met', 'never there']);
    expect([...(await ledger().known(run(2), ['shop.csv', 'met'])).keys()]).toEqual(['met']);
  });

  it('knows when a job outside was heard of last, and forgets it with all else', async () => {
    const run = jobs();
    const { dataSourceId } = run(1);
    expect(await ledger().heardAt(dataSourceId)).toBe(0);
    await ledger().heard(run(1), 20);
    await ledger().heard(run(1), 10);
    await ledger().commit(run(1), [visit('indexed', 'v1')]);
    expect(await ledger().heardAt(dataSourceId)).toBe(20);
    await ledger().purge(dataSourceId);
    expect(await ledger().heardAt(dataSourceId)).toBe(0);
    expect(await ledger().known(run(2), ['shop.csv'])).toEqual(new Map());
  });
};
