import { expect, it } from 'vitest';
import { createIdSource } from '../../../adapters/system/identity.ts';
import { jobs, type OpenUnitLedger, visit, WRONG } from './unit-ledger-world.ts';

const { newId } = createIdSource();
const AT_ITS_BEGINNING = { cursor: null, complete: false, mark: null };

/** What the port promises of how far units are listed, and of those that were not met. */
export const listingContract = (world: () => OpenUnitLedger): void => {
  const ledger = () => world().ledger;

  it('goes on where this job has come in its listing, and begins anew for the next', async () => {
    const run = jobs();
    expect(await ledger().listing(run(1))).toEqual(AT_ITS_BEGINNING);
    await ledger().commit(run(1), [visit('indexed', 'v1')], { cursor: 'page 2', complete: false });
    await ledger().commit(run(1), [visit('indexed', 'v1', { locator: 'another' })]);
    expect(await ledger().listing(run(1))).toEqual({ cursor: 'page 2', complete: false, mark: null });
    expect([...(await ledger().known(run(1), ['shop.csv', 'another'])).keys()]).toHaveLength(2);
    expect(await ledger().listing(run(2))).toEqual(AT_ITS_BEGINNING);
    expect(await ledger().listing(jobs()(1))).toEqual(AT_ITS_BEGINNING);
  });

  it('keeps a mark from one complete listing to the next', async () => {
    const run = jobs();
    await ledger().commit(run(1), [], { cursor: null, complete: true, mark: 'first' });
    expect(await ledger().listing(run(1))).toEqual({ cursor: null, complete: true, mark: 'first' });
    expect(await ledger().listing(run(2))).toEqual({ ...AT_ITS_BEGINNING, mark: 'first' });
    await ledger().commit(run(2), [], { cursor: 'page 2', complete: false, mark: 'too early' });
    expect(await ledger().listing(run(2))).toEqual({ cursor: 'page 2', complete: false, mark: 'first' });
    await ledger().commit(run(2), [], { cursor: null, complete: true, mark: 'second' });
    expect(await ledger().listing(run(3))).toMatchObject({ mark: 'second' });
    await ledger().commit(run(3), [], { cursor: null, complete: true });
    expect(await ledger().listing(run(4))).toEqual(AT_ITS_BEGINNING);
  });

  it('keeps the listing of a newer job, until the data source is forgotten', async () => {
    const run = jobs();
    await ledger().commit(run(2), [], { cursor: 'page 2', complete: false });
    await ledger().commit(run(1), [], { cursor: null, complete: true, mark: 'late' });
    await ledger().carryRest(run(1), { except: new Set(), mark: 'late' }, 9);
    expect(await ledger().listing(run(2))).toEqual({ cursor: 'page 2', complete: false, mark: null });
    await ledger().purge(run(2).dataSourceId);
    expect(await ledger().listing(run(2))).toEqual(AT_ITS_BEGINNING);
  });

  it('names sources that earlier jobs knew and this one did not come by', async () => {
    const run = jobs();
    const [c, a, b] = [newId(), newId(), newId()];
    const before = [
      visit('indexed', 'v1', { locator: 'c', sourceId: c }),
      visit('failed', null, { locator: 'a', sourceId: a, ...WRONG }),
      visit('skipped', 'v1', { locator: 'without', sourceId: null, ...WRONG }),
      visit('indexed', 'v1', { locator: 'met' }),
    ];
    await ledger().commit(run(1), before);
    await ledger().commit(run(2), [visit('unchanged', 'v1', { locator: 'b', sourceId: b })]);
    await ledger().commit(run(3), [visit('unchanged', 'v1', { locator: 'met' })]);
    const of = [
      { locator: 'a', sourceId: a },
      { locator: 'b', sourceId: b },
      { locator: 'c', sourceId: c },
    ];
    expect(await ledger().unseen(run(3), 9)).toEqual(of);
    expect(await ledger().unseen(run(3), 2)).toEqual(of.slice(0, 2));
    expect(await ledger().unseen(jobs()(3), 9)).toEqual([]);
  });

  it('has locators in the order of their bytes', async () => {
    const run = jobs();
    const names = ['Z', 'a', 'é', 'ﬀ', '😀'];
    const units = names.map((locator) => visit('failed', null, { locator, ...WRONG }));
    await ledger().commit(run(1), units.toReversed(), { cursor: null, complete: true });
    const unseen = await ledger().unseen(run(2), 9);
    expect(unseen.map(({ locator }) => locator)).toEqual(names);
    expect(await ledger().owed(run(2), new Set(), 9)).toEqual(names);
    const errors = await ledger().errors(run(1).dataSourceId, { limit: 9, after: 'ﬀ' });
    expect(errors.rows.map(({ locator }) => locator)).toEqual(['😀']);
  });

  it('names the sources that the catalog has and no unit is known of', async () => {
    const run = jobs();
    const [known, removed, ...lost] = Array.from({ length: 5 }, newId).toSorted() as [
      string,
      string,
      ...string[],
    ];
    const { dataSourceId } = run(1);
    await world().catalog(dataSourceId, [...lost.toReversed(), known], [removed]);
    await ledger().commit(run(1), [visit('indexed', 'v1', { sourceId: known })]);
    expect(await ledger().strays(run(2), null, 9)).toEqual(lost);
    expect(await ledger().strays(run(2), null, 2)).toEqual(lost.slice(0, 2));
    expect(await ledger().strays(run(2), lost[0]!, 9)).toEqual(lost.slice(1));
    expect(await ledger().strays(jobs()(2), null, 9)).toEqual([]);
  });
};
