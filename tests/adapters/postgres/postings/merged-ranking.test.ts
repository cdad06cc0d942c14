import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAN_IN } from '../../../../domain/ranking/merge-segments.ts';
import type { RankedContent } from '../../../../application/ports/search-engine.ts';
import { contradictions, emptyCatalog } from '../catalog/catalog-dump.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';

let live: CatalogFixture;
/** Indexes at once what the other one has come to. */
let readAll: CatalogFixture;
beforeAll(async () => {
  [live, readAll] = await Promise.all([openCatalog(), openCatalog()]);
});
afterAll(() => Promise.all([live.close(), readAll.close()]));

const SOURCES = 12;
const GROUPS = 3;
const groupOf = (source: number): string => `group ${source % GROUPS}`;

const word = fc.nat({ max: 24 }).map((n) => `w${Math.floor((n * n) / 24)}`);
const words = (minLength: number, maxLength: number) =>
  fc.array(word, { minLength, maxLength }).map((list) => list.join(' '));
const page = fc.record({
  title: words(0, 3),
  chunks: fc.array(words(1, 10), { minLength: 1, maxLength: 4 }),
});
type Page = typeof page extends fc.Arbitrary<infer P> ? P : never;

const source = fc.nat({ max: SOURCES - 1 });
const indexed = fc.record({ kind: fc.constant('indexed' as const), source, page });
const removed = fc.record({ kind: fc.constant('removed' as const), source });
const merge = fc.record({ kind: fc.constant('merge' as const) });
/** The last group stays, so that there is always something to rank. */
const group = fc.nat({ max: GROUPS - 2 });
const deletionRequested = fc.record({ kind: fc.constant('deletionRequested' as const), group });
const step = fc.oneof(
  { weight: 10, arbitrary: indexed },
  { weight: 4, arbitrary: removed },
  { weight: 3, arbitrary: merge },
  { weight: 1, arbitrary: deletionRequested },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Each indexing makes a segment, and as many as that are merged. */
const mergeable = fc.array(indexed, { minLength: FAN_IN, maxLength: FAN_IN + 2 });
/** Anything, then a merge for sure; then anything, and at the end pages that are changed once more. */
const histories = fc
  .tuple(
    fc.array(step, { maxLength: 12 }),
    mergeable,
    merge,
    fc.array(step, { minLength: 8, maxLength: 16 }),
    fc.array(indexed, { minLength: 4, maxLength: 6 }),
  )
  .map(([before, many, merging, after, last]): readonly Step[] => [
    ...before,
    ...many,
    merging,
    ...after,
    ...last,
  ]);

const QUERIES = ['w1 w3', 'w0 w6 w10 w0 w24'];

const rankings = (of: CatalogFixture) =>
  Promise.all(QUERIES.map((query) => of.searchIndex.rank(scope(), { query, filter: {}, limit: 100 })));

/** Takes the steps one by one, each in a transaction of its own; answers the pages that are left. */
const liveThrough = async (steps: readonly Step[], onMerge: () => Promise<number>) => {
  const history = createHistory(live.files);
  const pages = new Map<number, Page>();
  const hidden = new Set<string>();
  for (const taken of steps) {
    if (taken.kind === 'merge') await onMerge();
    else if (taken.kind === 'deletionRequested') {
      hidden.add(`group ${taken.group}`);
      await live.apply(history.of('t1', `group ${taken.group}`).deletionRequested());
    } else {
      const of = history.of('t1', groupOf(taken.source));
      const name = `page ${taken.source}`;
      if (taken.kind === 'indexed') {
        pages.set(taken.source, taken.page);
        await live.apply(of.indexed(name, taken.page));
      } else if (pages.delete(taken.source)) await live.apply(of.removed(name));
    }
  }
  return [...pages].filter(([of]) => !hidden.has(groupOf(of)));
};

const sameScores = (a: readonly RankedContent[], b: readonly RankedContent[]): void => {
  const scoresOf = (ranked: readonly RankedContent[]) =>
    new Map(ranked.map(({ contentId, score }) => [contentId, score]));
  const [left, right] = [scoresOf(a), scoresOf(b)];
  expect([...left.keys()].toSorted()).toEqual([...right.keys()].toSorted());
  for (const [id, score] of left) expect(Math.abs(score - (right.get(id) ?? -1))).toBeLessThan(1.5e-9);
};

describe('a search', () => {
  it('answers the same before, during and after merges, as over an index built at once', async () => {
    const reached = { merges: 0, rewrites: 0, dead: 0, ranked: 0 };
    const mergeBesideSearches = async (): Promise<number> => {
      const before = await rankings(live);
      const [merged, during, beside] = await Promise.all([
        live.merge(live.schema),
        rankings(live),
        live.merge(live.schema),
      ] as const);
      const after = await rankings(live);
      for (const ranking of [during, after])
        for (const [i, { ranked, totalCandidates }] of ranking.entries()) {
          sameScores(ranked, before[i]?.ranked ?? []);
          expect(totalCandidates).toBe(before[i]?.totalCandidates);
        }
      for (const segments of [merged, beside]) {
        reached.merges += segments > 1 ? 1 : 0;
        reached.rewrites += segments === 1 ? 1 : 0;
      }
      return merged + beside;
    };
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        await emptyCatalog(live.db, live.schema);
        await emptyCatalog(readAll.db, readAll.schema);
        const left = await liveThrough(steps, mergeBesideSearches);
        const { rows } = await sql`select from read.lexical_dead`.execute(live.db);
        reached.dead += rows.length;
        const history = createHistory(readAll.files);
        const events = left.map(([of, at]) => history.of('t1', groupOf(of)).indexed(`page ${of}`, at));
        if (events.length > 0) await readAll.apply(...events);
        const expected = await rankings(readAll);
        for (const [i, { ranked, totalCandidates }] of (await rankings(live)).entries()) {
          sameScores(ranked, expected[i]?.ranked ?? []);
          expect(totalCandidates).toBe(expected[i]?.totalCandidates);
          reached.ranked += ranked.length;
        }
        while ((await mergeBesideSearches()) > 0);
        expect(await contradictions(live.db, live.schema)).toEqual([]);
      }),
      { numRuns: 8 },
    );
    expect(reached.merges).toBeGreaterThan(5);
    expect(reached.rewrites).toBeGreaterThan(5);
    expect(reached.dead).toBeGreaterThan(12);
    expect(reached.ranked).toBeGreaterThan(100);
  }, 60_000);
});
