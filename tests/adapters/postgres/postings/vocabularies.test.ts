import { expect, it } from 'vitest';
import { createVocabularies } from '../../../../adapters/postgres/postings/vocabularies.ts';
import { createHistory, openCatalog } from '../catalog/catalog-fixture.ts';

it('the words of a tenant are the same whether they fit into memory or not', async () => {
  const fixture = await openCatalog();
  const of = createHistory(fixture.files).of('words', 'ds words');
  for (const word of ['falcon', 'kestrel', 'osprey'])
    await fixture.apply(of.indexed(word, { chunks: [word] }));
  const state = {
    version: 1,
    tenantNo: 1,
    deadBatches: [],
    segments: [1, 2, 3].map((segment) => ({ segment, firstNo: 0, lastNo: 0 })),
  };
  for (const capacity of [0, 10, 1_000]) {
    const read = createVocabularies(capacity);
    for (let again = 0; again < 3; again++) {
      const seen: string[] = [];
      await read(fixture.db, state, ({ lines }) => seen.push(lines));
      expect(seen).toHaveLength(3);
      expect(seen.join('\n')).toMatch(/falcon[^]*kestrel[^]*osprey/u);
    }
  }
  await fixture.close();
});

it('words of large segments come once, for as long as one of these has them', async () => {
  const fixture = await openCatalog();
  const of = createHistory(fixture.files).of('words', 'ds words');
  for (const word of ['falcon', 'kestrel', 'osprey'])
    await fixture.apply(of.indexed(word, { chunks: [`${word} hunts`] }));
  const read = createVocabularies();
  const wordsIn = async (...segments: readonly (readonly [segment: number, numbers: number])[]) => {
    const seen: string[] = [];
    const state = {
      version: 1,
      tenantNo: 1,
      deadBatches: [],
      segments: segments.map(([segment, numbers]) => ({ segment, firstNo: 1, lastNo: numbers })),
    };
    await read(fixture.db, state, ({ lines }) => seen.push(...lines.split('\n')));
    const birds = ['falcon', 'kestrel', 'osprey', 'hunts hunt'];
    return seen.filter((line) => birds.includes(line)).toSorted();
  };
  const [small, large] = [16_384, 16_385];
  expect(await wordsIn([1, large], [2, large])).toEqual(['falcon', 'hunts hunt', 'kestrel']);
  expect(await wordsIn([1, large], [2, large], [3, large])).toEqual([
    'falcon',
    'hunts hunt',
    'kestrel',
    'osprey',
  ]);
  expect(await wordsIn([2, large], [3, large])).toEqual(['hunts hunt', 'kestrel', 'osprey']);
  expect(await wordsIn([1, large], [3, small])).toEqual(['falcon', 'hunts hunt', 'hunts hunt', 'osprey']);
  await fixture.close();
});
