import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type SegmentMergingDeps,
  runSegmentMerging,
} from '../../../../adapters/postgres/projections/catalog/merge-index-segments.ts';
import {
  createVersion,
  dropRetired,
  schemaOf,
  switchOver,
} from '../../../../adapters/postgres/projections/versions.ts';
import { contradictions, dumpCatalog } from '../catalog/catalog-dump.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';

let fixture: CatalogFixture;
beforeAll(async () => {
  fixture = await openCatalog();
});
afterAll(() => fixture.close());

const segments = async (schema: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from ${sql.id(schema, 'lexical_segment')}`.execute(fixture.db);
  return rows[0]?.n ?? 0;
};

/** Runs until nothing is left to merge for the `looks`-th time. */
const runUntilIdle = async (
  over: Partial<SegmentMergingDeps> = {},
  looks = 1,
): Promise<readonly string[]> => {
  const warnings: string[] = [];
  const ended = new AbortController();
  let idled = 0;
  const log = {
    info: () => {},
    error: () => {},
    warn: (message: string) => {
      warnings.push(message);
    },
  };
  await runSegmentMerging(
    {
      db: fixture.db,
      projection: fixture.projection,
      log,
      sleep: async () => {},
      waitForWork: async () => {
        idled += 1;
        if (idled === looks) ended.abort();
      },
      ...over,
    },
    ended.signal,
  );
  return warnings;
};

const fill = async (tenant: string, pages: number): Promise<void> => {
  const of = createHistory(fixture.files).of(tenant, `ds ${tenant}`);
  for (let i = 0; i < pages; i++)
    await fixture.apply(of.indexed(`${tenant} ${i}`, { chunks: [`lasting word${i}`] }));
};

describe('runSegmentMerging', () => {
  it('merges until there is nothing left to merge, in two processes as in one', async () => {
    await fill('two', 20);
    const dump = await dumpCatalog(fixture.db, fixture.schema);
    await Promise.all([runUntilIdle(), runUntilIdle()]);
    await runUntilIdle();
    expect(await segments(fixture.schema)).toBeLessThan(8);
    expect(await dumpCatalog(fixture.db, fixture.schema)).toEqual(dump);
  });

  it('waits for no projection and no search, and lets none wait', async () => {
    await fill('beside', 8);
    const of = createHistory(fixture.files).of('beside', 'ds beside');
    const found = async () =>
      (await fixture.searchIndex.rank(scope('beside'), { query: 'lasting', filter: {}, limit: 100 })).ranked
        .length;
    // What a merge holds to its end is held here, while the projector and a search do their work from first to last.
    await fixture.db.transaction().execute(async (held) => {
      expect(await fixture.projection.merge(held, fixture.schema)).toBeGreaterThan(0);
      await fixture.apply(of.indexed('beside 8', { chunks: ['lasting newcomer'] }));
      expect(await found()).toBe(9);
      await fixture.apply(of.removed('beside 8'));
      expect(await found()).toBe(8);
    });
    expect(await found()).toBe(8);
    expect(await contradictions(fixture.db, fixture.schema)).toEqual([]);
  });

  it('goes on after a failure, and says so', async () => {
    let failures = 1;
    const failing: SegmentMergingDeps['projection'] = {
      ...fixture.projection,
      merge: async (trx, schema) => {
        if (failures-- > 0) throw new Error('no space left');
        return fixture.projection.merge(trx, schema);
      },
    };
    await fill('failing', 8);
    const before = await segments(fixture.schema);
    expect(await runUntilIdle({ projection: failing }, 2)).toEqual([
      'merging index segments failed and will be retried',
    ]);
    expect(await segments(fixture.schema)).toBeLessThan(before);
  });

  it('merges what a rebuild fills, and lets a version be dropped between two steps', async () => {
    const next = await createVersion(fixture.db, fixture.projection, false);
    const schema = schemaOf(next.view, next.version);
    const of = createHistory(fixture.files).of('rebuilt', 'ds rebuilt');
    for (let i = 0; i < 8; i++) {
      const event = of.indexed(`rebuilt ${i}`, { chunks: [`lasting word${i}`] });
      await fixture.db.transaction().execute((trx) => fixture.projection.apply(trx, schema, [event]));
    }
    // Moves all versions to one position.
    await fixture.apply();
    let switched = false;
    let dropped: Promise<void> | undefined;
    const switching: SegmentMergingDeps['projection'] = {
      ...fixture.projection,
      merge: async (trx, place) => {
        if (dropped === undefined) {
          switched = await switchOver(fixture.db, fixture.projection, next);
          dropped = dropRetired(fixture.db, fixture.projection, next.version);
        }
        return fixture.projection.merge(trx, place);
      },
    };
    expect(await runUntilIdle({ projection: switching })).toEqual([]);
    await dropped;
    expect(switched).toBe(true);
    expect(await segments(schema)).toBe(1);
    expect(await contradictions(fixture.db, schema)).toEqual([]);
    await expect(segments(fixture.schema)).rejects.toThrow(/does not exist/);
  });

  it('leaves a version of another shape alone', async () => {
    const other = { ...fixture.projection, shape: fixture.projection.shape + 1 };
    let merged = 0;
    const counting = { ...other, merge: async () => (merged++, 0) };
    await runUntilIdle({ projection: counting });
    expect(merged).toBe(0);
  });
});
