import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RankRequest } from '../../../application/ports/search-engine.ts';
import { type OpenedEngine, sourceOf, tenantOf } from './search-index-world.ts';

export interface Words {
  readonly title: readonly string[];
  readonly text: readonly string[];
}

/** Writes each document as a source with one content, in groups 0 to 2, and answers how to rank them. */
export const corpusIn = async ({ index, writer }: OpenedEngine, docs: readonly Words[], batchSize = 4) => {
  const of = tenantOf({ index, writer } as OpenedEngine);
  const sources = docs.map(({ title, text }, i) =>
    sourceOf(of.tenant, `doc ${i}`, { title: title.join(' '), group: `${i % 3}`, texts: [text.join(' ')] }),
  );
  for (let i = 0; i < sources.length; i += batchSize) await writer.replace(sources.slice(i, i + batchSize));
  const ids = sources.map(({ contents }) => contents[0]?.id ?? '');
  const reference = docs.map((doc, i) => ({ id: ids[i] ?? '', ...doc }));
  const rank = (query: string, rest: Partial<RankRequest> = {}, only: readonly string[] | null = null) =>
    of.rank(query, rest, of.scope(only));
  return { ...of, ids, reference, rank };
};

export const rankingContract = (world: () => OpenedEngine): void => {
  const corpus = (docs: readonly Words[], batchSize?: number) => corpusIn(world(), docs, batchSize);

  describe('a ranking by words', () => {
    it('is of what the filter and the key let through, by either way the same', async () => {
      const { group, rank, ids } = await corpus(
        Array.from({ length: 12 }, (_, i) => ({
          title: [],
          text: ['apple', `x${i}`, ...Array<string>(i).fill('pear')],
        })),
      );
      const allowed = ids.filter((_, i) => i % 3 === 1);
      const byFilter = await rank('apple pear', { filter: { sourceGroupIds: [group('1')] } });
      const byKey = await rank('apple pear', {}, ['1']);
      expect(byFilter.ranked.map(({ contentId }) => contentId).toSorted()).toEqual(allowed.toSorted());
      expect(byKey).toEqual(byFilter);
      expect(byKey.totalCandidates).toBe(allowed.length);
    });

    it('has scores from 1 at most down to 0, the best first', async () => {
      const { rank } = await corpus(
        Array.from({ length: 9 }, (_, i) => ({
          title: [],
          text: ['apple', ...Array<string>(i).fill('pear')],
        })),
      );
      const scores = (await rank('apple')).ranked.map(({ score }) => score);
      expect(scores).toHaveLength(9);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(scores.every((score) => score > 0 && score <= 1)).toBe(true);
    });

    it('with a postfilter scores as without a filter, and fills the limit from what passes', async () => {
      const docs = Array.from({ length: 30 }, (_, i) => ({
        title: [],
        text: ['apple', `x${i}`, ...Array<string>(i).fill('pear')],
      }));
      const { group, rank, ids } = await corpus(docs);
      const filter = { sourceGroupIds: [group('2')] };
      const all = await rank('apple pear');
      const after = await rank('apple pear', { filter, usePostfilter: true, limit: 10 });
      const inGroup = new Set(ids.filter((_, i) => i % 3 === 2));
      expect(after.ranked).toEqual(all.ranked.filter(({ contentId }) => inGroup.has(contentId)).slice(0, 10));
      expect(after.ranked).toHaveLength(10);
      expect(after.totalCandidates).toBe(all.totalCandidates);
      const forged = { filter, usePostfilter: true };
      expect((await rank('apple', forged, ['1'])).ranked).toEqual([]);
    });

    it('orders equal contents by their id, and cuts them there', async () => {
      const { rank, ids } = await corpus(
        Array.from({ length: 12 }, () => ({ title: ['same'], text: ['twin', 'words'] })),
        1,
      );
      const sorted = ids.toSorted();
      const all = await rank('twin');
      expect(all.ranked.map(({ contentId }) => contentId)).toEqual(sorted);
      expect(new Set(all.ranked.map(({ score }) => score))).toEqual(new Set([1]));
      const five = await rank('twin', { limit: 5 });
      expect(five.ranked.map(({ contentId }) => contentId)).toEqual(sorted.slice(0, 5));
      expect(five.totalCandidates).toBe(12);
    });

    it('scores equal contents equally, whatever words were written beside them', async () => {
      const words = Array.from({ length: 12 }, (_, i) => `q${i}`);
      const shuffled = (seed: number) =>
        fc.sample(fc.shuffledSubarray(words, { minLength: 12 }), { numRuns: 1, seed })[0] ?? [];
      const twin = words.flatMap((name, i) => Array<string>(1 + (i % 5)).fill(name));
      const docs = Array.from({ length: 10 }, (_, i) => [
        { title: [], text: shuffled(i).slice(0, 11) },
        { title: [], text: twin },
      ]).flat();
      const { rank, ids } = await corpus(docs, 2);
      const scores = new Map(
        (await rank(words.join(' '))).ranked.map(({ contentId, score }) => [contentId, score]),
      );
      expect(new Set(ids.filter((_, i) => i % 2 === 1).map((id) => scores.get(id))).size).toBe(1);
    });

    it.each(['', '   ', 'the of and', '“—”', '\0', 'unheardof'])(
      'finds nothing for %j, without an error',
      async (query) => {
        const { rank } = await corpus([{ title: [], text: ['something', 'else'] }]);
        expect(await rank(query)).toEqual({ ranked: [], totalCandidates: 0 });
      },
    );

    it('finds nothing where nothing was written', async () => {
      const { rank } = await corpus([]);
      expect(await rank('anything')).toEqual({ ranked: [], totalCandidates: 0 });
    });

    it('takes operators, quotes and long queries as plain words', async () => {
      const { rank, ids } = await corpus([{ title: [], text: ['alpha', 'beta'] }]);
      const query = `"alpha" & !beta | (gamma:* <-> delta) %_\\'; ${'zeta '.repeat(700)}`;
      expect((await rank(query)).ranked.map(({ contentId }) => contentId)).toEqual(ids);
    });

    it('finds what is like the best contents of a long query, by their words that it may see', async () => {
      const query = 'falcon eagle kestrel heron osprey merlin';
      const { write, found, scope } = tenantOf(world());
      for (let i = 0; i < 20; i++) await write(`other ${i}`, { texts: [`nothing of the kind ${i}`] });
      const [best] = await write('best', { texts: [`${query} windmill windmill`] });
      const [like] = await write('like', { texts: ['a windmill'] });
      await write('hidden', { group: 'closed', texts: [`${query} ${query} lighthouse lighthouse`] });
      await write('like hidden', { texts: ['a lighthouse'] });
      expect(await found(query, {}, scope(['group']))).toEqual([best, like]);
    });

    it('takes words of the best contents in the forms of their language', async () => {
      const { write, found } = tenantOf(world());
      const query = 'falke adler reiher milan bussard sperber';
      for (let i = 0; i < 20; i++) await write(`other ${i}`, { texts: [`nothing of the kind ${i}`] });
      const [best] = await write('best', { language: 'de', texts: [`${query} Zeitungen Zeitungen`] });
      const [like] = await write('like', { language: 'de', texts: ['die Zeitung von gestern'] });
      await write('english', { texts: ['zeitungen'] });
      expect((await found(query)).slice(0, 2)).toEqual([best, like]);
    });

    it('counts how often the query says a word', async () => {
      const { rank, ids } = await corpus([
        { title: [], text: ['apple', 'q1', 'q2'] },
        { title: [], text: ['pear', 'q3', 'q4'] },
      ]);
      const first = async (query: string) => ids.indexOf((await rank(query)).ranked[0]?.contentId ?? '');
      expect(await first('apple apple pear')).toBe(0);
      expect(await first('apple pear pear')).toBe(1);
    });

    it('leaves out what scores below the minimum and still counts it', async () => {
      const { rank } = await corpus([
        { title: [], text: ['apple', 'apple', 'apple'] },
        { title: [], text: ['apple', ...Array<string>(40).fill('other')] },
      ]);
      const all = await rank('apple');
      const [best, last] = all.ranked;
      const { ranked, totalCandidates } = await rank('apple', {
        minScore: (best!.score + last!.score) / 2,
      });
      expect([ranked, totalCandidates]).toEqual([[best], 2]);
      expect((await rank('apple', { minScore: 1.5 })).totalCandidates).toBe(2);
    });

    it('never sees another tenant', async () => {
      const one = await corpus([{ title: ['secret'], text: ['secret'] }]);
      const other = await corpus([{ title: [], text: ['public'] }]);
      expect((await other.rank('secret')).ranked).toEqual([]);
      expect((await one.rank('secret', { limit: 1 })).ranked).toHaveLength(1);
      const nobody = { ...one.scope(), tenant: 'nobody' };
      expect((await world().index.rank(nobody, { query: 'secret', filter: {}, limit: 1 })).ranked).toEqual(
        [],
      );
    });
  });
};
