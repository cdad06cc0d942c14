import { expect, it } from 'vitest';
import type { ListingState, UnitRun, VisitedUnit } from '../../../application/ports/item-store.ts';
import { jobs, type OpenUnitLedger, visit, WRONG } from './unit-ledger-world.ts';

const LISTED: ListingState = { cursor: null, complete: true, mark: 'version 1' };
const NONE: ReadonlySet<string> = new Set();
const well = (locator: string): VisitedUnit => visit('indexed', 'v1', { locator });
const broken = (locator: string): VisitedUnit => visit('failed', null, { locator, ...WRONG });
const leftOut = (locator: string): VisitedUnit => visit('skipped', 'v1', { locator, ...WRONG });
const badRow = (locator: string): VisitedUnit =>
  visit('row_failed', null, { locator, sourceId: null, ...WRONG });
const NOTHING = { seen: 0, indexed: 0, unchanged: 0, skipped: 0, failed: 0, bytes: 0 };

/** What the port promises of units that a job takes for unchanged although it does not look at them. */
export const carriedUnitsContract = (world: () => OpenUnitLedger): void => {
  const ledger = () => world().ledger;
  /** Names of those of these that this job has seen. */
  const seen = async (run: UnitRun, locators: readonly string[]): Promise<readonly string[]> => {
    const known = await ledger().known(run, locators);
    return locators.filter((locator) => known.get(locator)?.seen === true);
  };
  const rest = (mark: string | null, ...except: readonly string[]) => ({ except: new Set(except), mark });

  it('takes every unit for seen and as it was where nothing has changed since the mark', async () => {
    const [run, other] = [jobs(), jobs()];
    await ledger().commit(run(1), [well('a'), leftOut('b')], LISTED);
    await ledger().commit(other(1), [well('a')], LISTED);
    expect(await ledger().carryOver(run(2), 9)).toBe(true);
    expect(await ledger().counts(run(2))).toEqual({ ...NOTHING, seen: 2, unchanged: 1, skipped: 1 });
    expect(await ledger().listing(run(2))).toEqual(LISTED);
    expect((await ledger().known(run(3, 9), ['b'])).get('b')).toEqual({
      seen: false,
      fingerprint: 'v1',
      failed: false,
      skipped: WRONG,
    });
    expect((await ledger().known(run(3, 10), ['b'])).get('b')?.fingerprint).toBeNull();
    expect(await ledger().counts(other(2))).toEqual(NOTHING);
    expect(await ledger().carryOver(run(2), 9)).toBe(false);
    expect(await ledger().carryOver(run(3), 9)).toBe(true);
  });

  it.each<[string, readonly VisitedUnit[]]>([
    ['failed', [broken('b')]],
    ['is to be read again', [visit('indexed', null, { locator: 'b' })]],
    ['was indexed with something missing', [visit('indexed', 'v1', { locator: 'b', ...WRONG })]],
    ['was so unchanged', [visit('unchanged', 'v1', { locator: 'b', ...WRONG })]],
    ['was judged in another way', [visit('indexed', 'v1', { locator: 'b', at: 4 })]],
    ['has a row that failed', [well('b'), badRow('b#row=1')]],
  ])('has to look at units where one %s, and takes none for seen', async (_, units) => {
    const run = jobs();
    await ledger().commit(run(1), [well('b')]);
    await ledger().commit(run(1), [well('a'), ...units], LISTED);
    expect(await ledger().carryOver(run(2, 5), 9)).toBe(false);
    expect(await ledger().owed(run(2, 5), NONE, 9)).toEqual(['b']);
    expect(await ledger().carryRest(run(2, 5), rest('version 2'), 9)).toBe(false);
    expect(await seen(run(2), ['a', 'b'])).toEqual([]);
    expect(await ledger().listing(run(2))).toEqual({ cursor: null, complete: false, mark: 'version 1' });
  });

  it('has to look at units without a mark, and where a job has looked at one since it was left', async () => {
    const run = jobs();
    expect(await ledger().carryOver(run(1), 9)).toBe(false);
    await ledger().commit(run(1), [well('a')], { cursor: null, complete: true });
    expect(await ledger().carryOver(run(2), 9)).toBe(false);
    await ledger().commit(run(2), [well('a'), well('b')], LISTED);
    await ledger().commit(run(3), [well('b')]);
    expect(await ledger().carryOver(run(4), 9)).toBe(false);
    expect(await seen(run(3), ['a', 'b'])).toEqual(['b']);
  });

  it('owes what this job has not looked at and has to, in the order of locators', async () => {
    const run = jobs();
    const owed = [broken('c'), visit('indexed', null, { locator: 'a' }), broken('b')];
    const others = [well('d'), leftOut('e'), broken('met'), well('f.csv'), badRow('f.csv#row=20')];
    await ledger().commit(run(1), [...owed, ...others], LISTED);
    await ledger().commit(run(2), [broken('met')]);
    expect(await ledger().owed(run(2), NONE, 9)).toEqual(['a', 'b', 'c', 'f.csv']);
    expect(await ledger().owed(run(2), NONE, 2)).toEqual(['a', 'b']);
    expect(await ledger().owed(run(2), new Set(['a', 'c']), 9)).toEqual(['b', 'f.csv']);
    expect(await ledger().owed(run(2, 6), NONE, 9)).toEqual(['a', 'b', 'c', 'd', 'e', 'f.csv']);
    expect(await ledger().owed(jobs()(2), NONE, 9)).toEqual([]);
  });

  it('owes no unit for a row that failed in a job before its last, or of another unit', async () => {
    const run = jobs();
    await ledger().commit(run(1), [well('a'), badRow('a#row=1')], LISTED);
    await ledger().commit(run(2), [well('a'), badRow('b#row=1')], LISTED);
    expect(await ledger().owed(run(3), NONE, 9)).toEqual([]);
  });

  it('takes the rest for seen and as it was, all but what is there no more', async () => {
    const run = jobs();
    await ledger().commit(run(1), [well('a'), leftOut('b'), broken('gone'), well('changed')], LISTED);
    await ledger().commit(run(2), [visit('indexed', 'v2', { locator: 'changed' })]);
    expect(await ledger().carryRest(run(2), rest('version 2', 'gone'), 9)).toBe(true);
    const counts = { seen: 3, indexed: 1, unchanged: 1, skipped: 1, failed: 0, bytes: 1 };
    expect(await ledger().counts(run(2))).toEqual(counts);
    expect((await ledger().unseen(run(2), 9)).map(({ locator }) => locator)).toEqual(['gone']);
    expect(await ledger().listing(run(2))).toEqual({ cursor: null, complete: true, mark: 'version 2' });
    expect((await ledger().known(run(3, 9), ['a'])).get('a')?.fingerprint).toBe('v1');
    await ledger().forget(run(2), ['gone']);
    expect(await ledger().carryOver(run(3), 10)).toBe(true);
  });

  it('takes for no rest what was gone when the mark was left', async () => {
    const run = jobs();
    await ledger().commit(run(1), [well('a'), broken('gone'), well('gone too')], LISTED);
    await ledger().commit(run(2), [well('a')], LISTED);
    expect(await ledger().owed(run(3), NONE, 9)).toEqual([]);
    expect(await ledger().carryRest(run(3), rest(null), 9)).toBe(true);
    expect(await seen(run(3), ['a', 'gone', 'gone too'])).toEqual(['a']);
    expect(await ledger().listing(run(4))).toMatchObject({ mark: null });
  });
};
