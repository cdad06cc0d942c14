import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OpenSearch } from '../../../adapters/opensearch/connection.ts';
import { createSearchEngineIndexes } from '../../../adapters/opensearch/indexes.ts';
import { SearchEngineUnavailable } from '../../../application/ports/search-engine.ts';
import { parseFilter } from '../../../domain/filter/parse-filter.ts';
import { openSearchHere } from '../../support/opensearch/opensearch.ts';
import { sourceOf, tenantOf } from '../contracts/search-index-world.ts';
import { openEngine } from './opened-engine.ts';

const url = await openSearchHere();

describe.skipIf(url === null)('an index of OpenSearch', { timeout: 120_000 }, () => {
  let engine: Awaited<ReturnType<typeof openEngine>>;
  beforeAll(async () => {
    engine = await openEngine(url!);
  });
  afterAll(() => engine.close());

  it('ignores a state of a source that is older than its own, also where it was removed', async () => {
    const { tenant, found } = tenantOf(engine);
    const { writer } = engine;
    const state = (...texts: readonly string[]) => sourceOf(tenant, 'a', { texts });
    const [first, second, removed, last] = [state('falcon'), state('eagle'), state(), state('heron')];
    await writer.replace([second]);
    await writer.replace([first]);
    expect([await found('falcon'), await found('eagle')]).toEqual([[], [second.contents[0]!.id]]);
    await writer.replace([removed]);
    await writer.replace([first, second]);
    expect(await found('falcon eagle')).toEqual([]);
    await writer.replace([first, last, second]);
    expect(await found('falcon eagle heron')).toEqual([last.contents[0]!.id]);
  });

  it('completes a write that was broken off when it is repeated', async () => {
    const { tenant, found } = tenantOf(engine);
    const before = sourceOf(tenant, 'a', { texts: ['falcon'] });
    const after = sourceOf(tenant, 'a', { texts: ['eagle'] });
    await engine.writer.replace([before]);
    // As after the first of its requests: the state is known, its contents are not there.
    await engine.writer.replace([{ ...after, contents: [] }]);
    await engine.writer.replace([after]);
    expect(await found('falcon eagle')).toEqual([after.contents[0]!.id]);
  });

  /** A writer that does something between the document of its source and its contents. */
  const interrupted = (meanwhile: () => Promise<void>) => {
    let bulks = 0;
    const ask: OpenSearch['ask'] = async (request) => {
      if (request.path.endsWith('_bulk') && (bulks += 1) === 2) await meanwhile();
      return engine.cluster.ask(request);
    };
    return createSearchEngineIndexes({ ...engine.cluster, ask }, engine).writer('v1');
  };

  it('keeps nothing of a state that another writer has replaced meanwhile', async () => {
    const { tenant, rank, found } = tenantOf(engine);
    const before = sourceOf(tenant, 'a', { texts: ['falcon before', 'falcon stays'] });
    const after = sourceOf(tenant, 'a', { texts: ['falcon stays', 'falcon after'] });
    await interrupted(() => engine.writer.replace([after])).replace([before]);
    expect((await found('falcon')).toSorted()).toEqual(after.contents.map(({ id }) => id).toSorted());
    expect((await rank('falcon')).totalCandidates).toBe(2);
  });

  it('keeps nothing of a data source that was removed meanwhile, and takes nothing of it later', async () => {
    const { tenant, rank, found, write } = tenantOf(engine);
    const [kept] = await write('kept', { texts: ['falcon kept'] });
    const doomed = sourceOf(tenant, 'a', { texts: ['falcon'], group: 'doomed' });
    const remove = () => engine.writer.removeDataSource(tenant, doomed.dataSourceId);
    await interrupted(remove).replace([doomed]);
    expect(await found('falcon')).toEqual([kept]);
    await engine.writer.replace([doomed]);
    expect(await rank('falcon')).toMatchObject({ ranked: [{ contentId: kept }], totalCandidates: 1 });
  });

  it('ranks and counts nothing that is being deleted', async () => {
    const { tenant, write, rank, group } = tenantOf(engine);
    const [doomed] = await write('a', { group: 'doomed', texts: ['falcon a'] });
    const [erased] = await write('b', { texts: ['falcon b'] });
    const [kept] = await write('c', { texts: ['falcon c'] });
    expect((await rank('falcon')).ranked.map(({ contentId }) => contentId).toSorted()).toEqual(
      [doomed!, erased!, kept!].toSorted(),
    );
    engine.hidden.hiddenDataSources.push(group('doomed'));
    engine.hidden.hiddenSources.push(sourceOf(tenant, 'b', { texts: [] }).id);
    expect(await rank('falcon')).toMatchObject({ ranked: [{ contentId: kept }], totalCandidates: 1 });
  });

  it('keeps its position, and loses it with what it has', async () => {
    const { indexes } = engine;
    await indexes.create('other');
    expect(await indexes.position('other')).toBeNull();
    await indexes.keepPosition('other', '17');
    await indexes.keepPosition('other', '42');
    expect(await indexes.position('other')).toBe('42');
    await indexes.create('other');
    expect(await indexes.position('other')).toBeNull();
    await indexes.drop('other');
    await indexes.drop('other');
    expect(await indexes.position('other')).toBeNull();
  });

  it('makes no index in place of one that was lost', async () => {
    const { indexes } = engine;
    const source = sourceOf('lost', 'a', { texts: ['falcon'] });
    await indexes.create('lost');
    await indexes.writer('lost').replace([source]);
    await indexes.drop('lost');
    const writer = indexes.writer('lost');
    const lost = new SearchEngineUnavailable('OpenSearch does not have the index');
    await expect(writer.replace([source])).rejects.toEqual(lost);
    await expect(writer.removeDataSource('lost', source.dataSourceId)).rejects.toEqual(lost);
    await expect(indexes.keepPosition('lost', '1')).rejects.toEqual(lost);
    expect(await indexes.position('lost')).toBeNull();
  });

  it('writes what is longer than one request', async () => {
    const { tenant, rank, found } = tenantOf(engine);
    const texts = Array.from({ length: 1_200 }, (_, i) => `falcon number n${i}x`);
    await engine.writer.replace([sourceOf(tenant, 'a', { texts })]);
    expect((await rank('falcon')).totalCandidates).toBe(1_200);
    expect(await found('n1100x')).toHaveLength(1);
  });

  it('stands beside one whose name begins like it', async () => {
    const beside = await openEngine(url!, `${engine.prefix}-two`);
    const { write, found } = tenantOf(beside);
    const ids = await write('a', { texts: ['falcon'] });
    expect(await found('falcons')).toEqual(ids);
    await beside.close();
  });

  it('takes 200 characters that a value contains, whatever they are, and refuses more with what to do', async () => {
    const { write, found } = tenantOf(engine);
    const of = (val: string) => ({
      sourceMetadata: [parseFilter({ filters: [{ key: 'note', operator: 'contains', val }] }, new Map())],
    });
    const part = '*?\\é'.repeat(50);
    const metadata = [{ key: 'note', val: `a${part}b`, type: 'string' as const }];
    const ids = await write('a', { texts: ['falcon'], metadata });
    expect(await found('falcon', { filter: of(part) })).toEqual(ids);
    expect(await found('falcon', { filter: of(`${part.slice(1)}c`) })).toEqual([]);
    await expect(found('falcon', { filter: of(`${part}b`) })).rejects.toThrow(/at most 200 characters/);
  });

  it('takes a long query, and searches the rarest of its words', async () => {
    const { write, found } = tenantOf(engine);
    const filler = Array.from({ length: 60 }, (_, i) => `filler${i}`);
    const [id] = await write('a', { texts: ['a needle in hay'] });
    for (let i = 0; i < 3; i++) await write(`h${i}`, { texts: [filler.join(' ')] });
    const long = Array.from({ length: 300 }, (_, i) => `unheard${i}`);
    expect(await found([...filler, 'needle', ...long].join(' '))).toContain(id);
  });

  it('takes a long query beside contents in every language', async () => {
    const { tenant, found } = tenantOf(engine);
    const words = Array.from({ length: 40 }, (_, i) => `word${i}`).join(' ');
    const languages = 'ar ca da de en es et eu fi fr ga hu hy it lt nl no pt ro ru sv tr'.split(' ');
    const sources = languages.map((language) => sourceOf(tenant, language, { language, texts: [words] }));
    await engine.writer.replace(sources);
    expect(await found(words)).toHaveLength(languages.length);
    const { write, found: foundOfOne } = tenantOf(engine);
    const texts = Array.from({ length: 40 }, (_, i) => `word${i}`);
    await write('a', { language: 'de', texts });
    expect(await foundOfOne(words)).toHaveLength(texts.length);
  });
});
