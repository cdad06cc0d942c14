import { expect, it } from 'vitest';
import { createSearchIndex } from '../../../../adapters/postgres/postings/search-index.ts';
import { createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';

it('an index that has searched ranks as one that has not, whatever came, went or was merged since', async () => {
  const fixture = await openCatalog();
  const of = createHistory(fixture.files).of('birds', 'ds birds');
  const request = { query: 'falcon nests', filter: {}, limit: 100 };
  const rankings: string[] = [];
  const searched = async (): Promise<void> => {
    const kept = await fixture.searchIndex.rank(scope('birds'), request);
    expect(kept).toEqual(await createSearchIndex(fixture.db).rank(scope('birds'), request));
    rankings.push(JSON.stringify(kept));
  };
  const page = (n: number) =>
    of.indexed(`page ${n}`, {
      chunks: [`falcon ${'nests '.repeat(n)}`, `kestrel ${n}`, 'nests of a falcon'],
    });
  for (let n = 0; n < 8; n++) await fixture.apply(page(n));
  await searched();
  await fixture.apply(of.indexed('more', { chunks: ['falcon falcon', 'falcon'] }));
  await searched();
  await fixture.apply(of.removed('page 1'), of.removed('page 2'), of.removed('page 3'));
  await searched();
  while ((await fixture.merge(fixture.schema)) > 0);
  await searched();
  // Each time something else was ranked or counted, but for the merge, which changes nothing.
  expect(new Set(rankings).size).toBe(3);
  await fixture.close();
});
