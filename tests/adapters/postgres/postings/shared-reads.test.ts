import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../../adapters/postgres/postings/search-index.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';
import { recording } from '../explained.ts';

describe('searches that come all at once to an index of which nothing is in memory', () => {
  let fixture: CatalogFixture;
  beforeAll(async () => {
    fixture = await openCatalog();
  });
  afterAll(() => fixture.close());

  it('read what all of them want once', async () => {
    const of = createHistory(fixture.files).of('t1', 'ds');
    const words = ['falcon', 'kestrel', 'osprey', 'merlin', 'hobby', 'buzzard'];
    await fixture.apply(...words.map((word) => of.indexed(word, { chunks: [`the ${word} hunts`] })));
    const { db, sent } = recording(fixture.db);
    const { rank } = createSearchIndex(db);
    // Each has a word that is misspelt, so that the words of the tenant are needed too.
    const found = await Promise.all(
      words.map((word) => rank(scope(), { query: `${word} hnuts`, limit: 10, filter: {} })),
    );
    expect(found.map(({ correctedQuery }) => correctedQuery)).toEqual(words.map((word) => `${word} hunts`));
    const texts = sent.map((node) => JSON.stringify(node));
    const times = (part: string) => texts.filter((text) => text.includes(part)).length;
    expect([times('select segment, directory'), times('from read.lexical_vocabulary')]).toEqual([1, 1]);
    expect(times('from read.lexical_block') + times('join read.lexical_block')).toBeLessThanOrEqual(2);
  });
});
