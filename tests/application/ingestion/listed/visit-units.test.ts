import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import type { DocumentFact } from '../../../../application/ingestion/document-fact.ts';
import type { FetchedUnit, ListedUnit } from '../../../../application/ingestion/listed/listed-source.ts';
import type { ListedDeps, ListedRun } from '../../../../application/ingestion/listed/listed-run.ts';
import { visitUnits } from '../../../../application/ingestion/listed/visit-units.ts';
import type { KnownUnit, VisitedUnit } from '../../../../application/ports/unit-ledger.ts';
import { NO_COUNTS, type SyncMode } from '../../../../domain/data-source/index.ts';

const AT = 1_800_000_000_000;
const never = new AbortController().signal;
const unit = (locator: string, fingerprint = '1'): ListedUnit => ({ locator, fingerprint });
const known = (more: Partial<KnownUnit> = {}): KnownUnit => ({
  seen: false,
  fingerprint: '1',
  failed: false,
  skipped: null,
  ...more,
});
const LEFT_OUT: FetchedUnit = { kind: 'skipped', reason: 'too_large', message: 'it is too large' };

/** A job on units of which this is known. Each is left out once it was fetched: no documents need to be read. */
const setUp = (before: Readonly<Record<string, KnownUnit>> = {}, mode: SyncMode = 'incremental') => {
  const fetched: string[] = [];
  const told: (readonly ['facts' | 'visits', readonly string[]])[] = [];
  const visits: VisitedUnit[] = [];
  const world = {
    underWay: 0,
    mostAtOnce: 0,
    onFetch: (_locator: string): void => {},
    stillOurs: (): void => {},
  };
  const deps = {
    clock: { now: () => AT },
    hash: sha256,
    ledger: {
      known: async (_: object, locators: readonly string[]) =>
        new Map(locators.flatMap((name) => (before[name] === undefined ? [] : [[name, before[name]]]))),
      commit: async (_: object, visited: readonly VisitedUnit[]) => {
        visits.push(...visited);
        told.push(['visits', visited.map(({ locator }) => locator)]);
      },
      counts: async () => NO_COUNTS,
    },
  } as unknown as ListedDeps;
  const of = {
    fetches: 3,
    run: { dataSourceId: 'ds', generation: 2, judgedSince: 0 },
    listing: {
      fetch: async ({ locator }: ListedUnit) => {
        world.mostAtOnce = Math.max(world.mostAtOnce, (world.underWay += 1));
        fetched.push(locator);
        world.onFetch(locator);
        await new Promise((resolve) => setImmediate(resolve));
        world.underWay -= 1;
        return LEFT_OUT;
      },
    },
    ingestion: {
      job: { job: { mode, attempt: 1 }, progress: async () => {}, stillOurs: () => world.stillOurs() },
      documents: {
        idOf: (locator: string) => `id of ${locator}`,
        read: async () => [],
        record: async (facts: readonly DocumentFact[]) => {
          if (facts.length > 0) told.push(['facts', facts.map(({ locator }) => locator)]);
          return facts.map(({ locator }) => ({ sourceId: `id of ${locator}`, same: false }));
        },
      },
    },
  } as unknown as ListedRun;
  const visit = (units: readonly ListedUnit[], signal = never) => visitUnits(deps, of, units, signal);
  return { visit, fetched, told, visits, world };
};
const outcomes = (visits: readonly VisitedUnit[]) => visits.map(({ locator, outcome }) => [locator, outcome]);

describe('looking at the units of a list', () => {
  it('neither fetches nor records those that this generation has looked at already', async () => {
    const { visit, fetched, told } = setUp({
      a: known({ seen: true }),
      b: known({ seen: true, failed: true }),
    });
    await visit([unit('a', '2'), unit('b'), unit('c')]);
    expect(fetched).toEqual(['c']);
    expect(told).toEqual([
      ['facts', ['c']],
      ['visits', ['c']],
    ]);
  });

  it('does not fetch those whose fingerprint is that of their last success, and says that it looked', async () => {
    const skipped = { code: 'too_large', message: 'it is too large' };
    const { visit, fetched, visits } = setUp({ same: known(), out: known({ skipped }), other: known() });
    await visit([unit('same'), unit('out'), unit('other', '2'), unit('new')]);
    expect(fetched).toEqual(['other', 'new']);
    expect(outcomes(visits)).toEqual([
      ['same', 'unchanged'],
      ['out', 'skipped'],
      ['other', 'skipped'],
      ['new', 'skipped'],
    ]);
    expect(visits[1]).toMatchObject({ ...skipped, fingerprint: '1' });
  });

  it.each<[string, KnownUnit, SyncMode]>([
    ['that failed since', known({ failed: true }), 'incremental'],
    ['whose last version is not trusted', known({ fingerprint: null }), 'incremental'],
    ['of a full sync', known(), 'full'],
  ])('fetches one %s although its fingerprint is the same', async (_, before, mode) => {
    const { visit, fetched } = setUp({ a: before }, mode);
    await visit([unit('a')]);
    expect(fetched).toEqual(['a']);
  });

  it('fetches a unit once that is listed twice, and records one without a usable name as failed', async () => {
    const { visit, fetched, visits } = setUp();
    await visit([unit('a'), unit('a', '2'), unit('')]);
    expect(fetched).toEqual(['a']);
    expect(visits.map(({ outcome, code }) => [outcome, code])).toEqual([
      ['failed', 'locator_empty'],
      ['skipped', 'too_large'],
    ]);
  });

  it('fetches so many at once, and records facts before visits, 64 units together', async () => {
    const { visit, fetched, told, world } = setUp();
    const units = Array.from({ length: 70 }, (_, i) => unit(`u${i}`));
    await visit(units);
    const names = units.map(({ locator }) => locator);
    expect([fetched, world.mostAtOnce]).toEqual([names, 3]);
    expect(told).toEqual([
      ['facts', names.slice(0, 64)],
      ['visits', names.slice(0, 64)],
      ['facts', names.slice(64)],
      ['visits', names.slice(64)],
    ]);
  });

  it('records nothing more once it is told to stop', async () => {
    const { visit, fetched, told, world } = setUp();
    const stop = new AbortController();
    world.onFetch = (locator) => locator === 'u66' && stop.abort(new Error('told to stop'));
    const units = Array.from({ length: 200 }, (_, i) => unit(`u${i}`));
    await expect(visit(units, stop.signal)).rejects.toThrow('told to stop');
    expect(told.map(([what, names]) => [what, names.length])).toEqual([
      ['facts', 64],
      ['visits', 64],
    ]);
    expect(fetched.length).toBeLessThan(200);
    const before = fetched.length;
    await expect(visit([unit('late')], stop.signal)).rejects.toThrow('told to stop');
    expect(fetched).toHaveLength(before);
  });

  it('leaves the ledger alone when the job is no longer its own', async () => {
    const { visit, told, world } = setUp();
    world.stillOurs = () => {
      throw new Error('the lease is lost');
    };
    await expect(visit([unit('a')])).rejects.toThrow('the lease is lost');
    expect(told).toEqual([['facts', ['a']]]);
  });
});
