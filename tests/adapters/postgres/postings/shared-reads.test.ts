import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSearchIndex } from '../../../../adapters/postgres/postings/search-index.ts';
import { createSharedReads } from '../../../../adapters/postgres/postings/shared-reads.ts';
import { type CatalogFixture, createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';
import { recording } from '../explained.ts';

describe('reads that are shared', () => {
  /** Reads wait until they are let go; `x` is never found. */
  const open = () => {
    const read = createSharedReads<string>();
    const asked: (readonly string[])[] = [];
    const { promise: gate, resolve: go, reject: fail } = Promise.withResolvers<void>();
    const of = (...keys: readonly string[]) =>
      read(keys, async (wanted) => {
        asked.push(wanted);
        await gate;
        return new Map(wanted.filter((key) => key !== 'x').map((key) => [key, key.toUpperCase()]));
      });
    return { of, asked, go, fail };
  };

  it('ask once for what several want, and say what was not found', async () => {
    const { of, asked, go } = open();
    const answers = [of('a', 'b'), of('b', 'c', 'x'), of('a', 'x'), of()];
    go();
    expect((await Promise.all(answers)).map((found) => [...found])).toEqual([
      [
        ['a', 'A'],
        ['b', 'B'],
      ],
      [
        ['b', 'B'],
        ['c', 'C'],
      ],
      [['a', 'A']],
      [],
    ]);
    expect(asked).toEqual([
      ['a', 'b'],
      ['c', 'x'],
    ]);
  });

  it('are made anew when they are over, and after a failure, which all hear of', async () => {
    const { of, asked, fail } = open();
    const failing = Promise.allSettled([of('a'), of('a', 'b')]);
    fail(new Error('away'));
    expect((await failing).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(of('a')).rejects.toThrow('away');
    expect(asked).toEqual([['a'], ['b'], ['a']]);
  });
});

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
