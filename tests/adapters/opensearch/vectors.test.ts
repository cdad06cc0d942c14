import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchableSource } from '../../../application/ports/search-engine.ts';
import { parseFilter } from '../../../domain/filter/parse-filter.ts';
import { openSearchHere } from '../../support/opensearch/opensearch.ts';
import { sourceOf, tenantOf } from '../contracts/search-index-world.ts';
import { openEngine } from './opened-engine.ts';

const url = await openSearchHere();
const DIMENSIONS = 8;

/** The first text is near the first axis; each next one turns away from it. */
const vectorAt = (degrees: number): Float32Array => {
  const radians = (degrees * Math.PI) / 180;
  return Float32Array.from({ length: DIMENSIONS }, (_, i) => [Math.cos(radians), Math.sin(radians)][i] ?? 0);
};
const embedded = (source: SearchableSource, degrees: readonly number[], model = 'm'): SearchableSource => ({
  ...source,
  contents: source.contents.map((content, i) => ({
    ...content,
    vectors: new Map([[model, vectorAt(degrees[i]!)]]),
  })),
});

describe.skipIf(url === null)('vectors in OpenSearch', { timeout: 120_000 }, () => {
  let engine: Awaited<ReturnType<typeof openEngine>>;
  beforeAll(async () => {
    engine = await openEngine(url!);
  });
  afterAll(() => engine.close());

  const open = async () => {
    const { tenant, scope, group } = tenantOf(engine);
    const sales = [{ key: 'department', val: 'sales', type: 'string' }] as const;
    const a = sourceOf(tenant, 'a', { texts: ['one', 'two', 'three'], metadata: sales });
    const b = sourceOf(tenant, 'b', { texts: ['four', 'five'], group: 'other' });
    await engine.writer.replace([embedded(a, [0, 30, 120]), embedded(b, [20, 60])]);
    const rank = (rest: object = {}, of = scope()) =>
      engine.vectors.rank(of, { model: 'm', vector: vectorAt(0), filter: {}, limit: 10, ...rest });
    const ids = [...a.contents, ...b.contents].map(({ id }) => id);
    return { tenant, scope, group, a, b, ids, rank };
  };
  const idsOf = (ranking: { readonly ranked: readonly { readonly contentId: string }[] }) =>
    ranking.ranked.map(({ contentId }) => contentId);

  it('rank by the cosine, the best first, relative to the best', async () => {
    const { ids, rank } = await open();
    const [first, second, third, fourth, fifth] = ids;
    const ranking = await rank();
    expect(idsOf(ranking)).toEqual([first, fourth, second, fifth, third]);
    const scores = ranking.ranked.map(({ score }) => score);
    for (const [i, degrees] of [0, 20, 30, 60].entries())
      expect(scores[i]).toBeCloseTo(Math.cos((degrees * Math.PI) / 180), 4);
    expect([scores[4], ranking.totalCandidates]).toEqual([0, 5]);
    expect(ranking.floor).toBeCloseTo((1 + 0.9397 + 0.866 + 0.5) / 5, 3);
    expect(idsOf(await rank({ limit: 2 }))).toEqual([first, fourth]);
  });

  it('leave out what filters, keys and policies do, before and after the ranking', async () => {
    const { ids, rank, scope, group } = await open();
    const [, , , fourth, fifth] = ids;
    const filter = { sourceGroupIds: [group('other')] };
    const [before, after] = [await rank({ filter }), await rank({ filter, usePostfilter: true })];
    expect([idsOf(before), before.ranked[0]!.score, before.totalCandidates]).toEqual([[fourth, fifth], 1, 2]);
    expect([idsOf(after), after.totalCandidates]).toEqual([[fourth, fifth], 5]);
    expect(after.ranked[0]!.score).toBeCloseTo(0.9397, 3);
    expect(idsOf(await rank({}, scope(['other'])))).toEqual([fourth, fifth]);
    const sources = parseFilter(
      { filters: [{ key: 'department', operator: 'eq', val: 'sales' }] },
      new Map(),
    );
    const access = { sources, chunks: { kind: 'group', logic: 'AND', parts: [] } } as const;
    const denied = await rank({}, { ...scope(), access });
    expect([denied.ranked.length, denied.totalCandidates]).toEqual([3, 3]);
  });

  it('tell which share of a tenant each model has embedded, as contents get them', async () => {
    const { tenant, scope } = tenantOf(engine);
    expect(await engine.vectors.coverage(tenant)).toEqual([]);
    const source = sourceOf(tenant, 'a', { texts: ['one', 'two'] });
    await engine.writer.replace([source]);
    expect(await engine.vectors.coverage(tenant)).toEqual([]);
    // Again with the same revision.
    const [first, second] = embedded(source, [0, 30]).contents;
    await engine.writer.replace([{ ...source, contents: [first!, source.contents[1]!] }]);
    const half = { model: 'm', dimensions: DIMENSIONS, share: 0.5 };
    expect(await engine.vectors.coverage(tenant)).toEqual([half]);
    const zeros = { ...second!, vectors: new Map([['m', new Float32Array(DIMENSIONS)]]) };
    await engine.writer.replace([{ ...source, contents: [first!, zeros] }]);
    expect(await engine.vectors.coverage(tenant)).toEqual([half]);
    const other = { model: 'other', vector: vectorAt(0), filter: {}, limit: 1 };
    expect(await engine.vectors.rank(scope(), other)).toEqual({ ranked: [], floor: 0, totalCandidates: 0 });
    const longer = { ...other, model: 'm', vector: new Float32Array(DIMENSIONS + 1).fill(1) };
    await expect(engine.vectors.rank(scope(), longer)).rejects.toThrow(
      'vectors of m have 8 dimensions, not 9',
    );
  });
});
