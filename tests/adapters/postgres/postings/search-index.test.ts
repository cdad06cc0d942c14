import { expect, it } from 'vitest';
import { createSearchIndex } from '../../../../adapters/postgres/postings/search-index.ts';
import { tagProjection } from '../../../../adapters/postgres/projections/tags.ts';
import { createVersion, schemaOf } from '../../../../adapters/postgres/projections/versions.ts';
import type { WordIndex } from '../../../../application/ports/search-engine.ts';
import type { DomainEvent } from '../../../../application/event-sourcing/aggregates.ts';
import { exactRankingContract } from '../../contracts/search-index-exact.ts';
import { searchIndexContract } from '../../contracts/search-index.ts';
import { idOf, type OpenedEngine } from '../../contracts/search-index-world.ts';
import { createHistory, openCatalog, scope } from '../catalog/catalog-fixture.ts';
import { createToldByEvents } from './told-by-events.ts';

/** Answers as an index that keeps postings in memory, and fails where one that keeps none answers otherwise. */
const compared = (keeping: WordIndex, forgetful: WordIndex): WordIndex => ({
  terms: keeping.terms,
  rank: async (...asked) => {
    const [ranking, again] = await Promise.all([keeping, forgetful].map((index) => index.rank(...asked)));
    expect(again).toEqual(ranking);
    return ranking!;
  },
});

const open = async (): Promise<OpenedEngine> => {
  const fixture = await openCatalog();
  await createVersion(fixture.db, tagProjection, true);
  let revision = -1n;
  const told = (tenant: string, event: DomainEvent) => {
    revision += 1n;
    const actor = { kind: 'system', id: 'test' } as const;
    const metadata = { tenant, actor, correlationId: 'c', causationId: 'c', schemaVersion: 1 };
    const place = {
      stream: `tag-${tenant}`,
      streamId: tenant,
      revision,
      position: String(revision),
      recordedAt: 0,
    };
    return { id: `tag ${revision}`, ...place, event, metadata };
  };
  const created = new Set<string>();
  return {
    index: compared(fixture.searchIndex, createSearchIndex(fixture.db, { cacheBytes: 0 })),
    writer: createToldByEvents(fixture),
    tag: async (tenant, name, sourceGroupId) => {
      const tagId = idOf(`${tenant} tag ${name}`);
      const bindingId = idOf(`${tagId} on ${sourceGroupId}`);
      const isNew = !created.has(tagId);
      created.add(tagId);
      const events: readonly DomainEvent[] = [
        ...(isNew ? [{ type: 'TagCreated', tagId, name, description: '', at: 1 } as const] : []),
        { type: 'TagBound', bindingId, tagId, sourceGroupId, at: 1 },
      ];
      await fixture.db.transaction().execute((trx) =>
        tagProjection.apply(
          trx,
          schemaOf('tag', 1),
          events.map((event) => told(tenant, event)),
        ),
      );
    },
    close: fixture.close,
  };
};

searchIndexContract('Postgres', open);
exactRankingContract('Postgres', open);

it('the index of Postgres finds English words in any form', async () => {
  const fixture = await openCatalog();
  const history = createHistory(fixture.files).of('forms', 'ds forms');
  await fixture.apply(history.indexed('forms a', { title: 'Running shoes', chunks: ['Send them back.'] }));
  const { results } = await fixture.catalog.search(scope('forms'), { query: 'runs', filter: {}, limit: 5 });
  expect(results.map(({ content }) => content.text)).toEqual(['Send them back.']);
  await fixture.close();
});

it('the index of Postgres takes no word of the language for a misspelt one, but for how others spell it', async () => {
  const fixture = await openCatalog();
  const history = createHistory(fixture.files).of('words', 'ds words');
  await fixture.apply(
    history.indexed('words a', { title: 'Strange', chunks: ['A strange color of the system.'] }),
  );
  const words = ['strangers', 'colour'];
  const wordsOfLanguage = async () => (word: string) => words.includes(word);
  const index = createSearchIndex(fixture.db, { wordsOfLanguage });
  const correctedOf = async (query: string) =>
    (await index.rank(scope('words'), { query, filter: {}, limit: 5 })).correctedQuery;
  expect(await correctedOf('strangers colour')).toBe('strangers color');
  expect(await correctedOf('strangr')).toBe('strange');
  await fixture.close();
});
