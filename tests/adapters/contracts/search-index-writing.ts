import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OpenedEngine, sourceOf, tenantOf } from './search-index-world.ts';

export const writingContract = (world: () => OpenedEngine): void => {
  describe('what is written', () => {
    it('is found from then on, by its text, its title and its headings', async () => {
      const { write, found } = tenantOf(world());
      const [id] = await write('a', { title: 'falcon', texts: [[['turbine'], 'valve']] });
      for (const query of ['valve', 'falcon', 'turbine']) expect(await found(query)).toEqual([id]);
      expect(await found('pump')).toEqual([]);
    });

    it('takes the place of what the source held before, and leaves other sources alone', async () => {
      const { write, found, rank } = tenantOf(world());
      const [other] = await write('other', { texts: ['old apple'] });
      const [, kept] = await write('a', { texts: ['old pear', 'falcon stays'] });
      const after = await write('a', { texts: ['falcon stays', 'brand new'] });
      expect(after[0]).toBe(kept);
      expect(await rank('old')).toMatchObject({ ranked: [{ contentId: other }], totalCandidates: 1 });
      expect(await found('pear')).toEqual([]);
      expect(await found('falcon')).toEqual([kept]);
      expect(await found('new')).toEqual([after[1]]);
    });

    it('is found by a new title, and no longer by the old one, where only the title has changed', async () => {
      const { write, found } = tenantOf(world());
      const before = await write('a', { title: 'falcon', texts: ['one', 'two'] });
      expect(await write('a', { title: 'eagle', texts: ['one', 'two'] })).toEqual(before);
      expect(await found('falcon')).toEqual([]);
      expect((await found('eagle')).toSorted()).toEqual(before.toSorted());
    });

    it('changes nothing when it is told twice', async () => {
      const { tenant, rank } = tenantOf(world());
      const { writer } = world();
      const some = [
        sourceOf(tenant, 'a', { title: 'falcon', texts: ['apple pear', 'apple'] }),
        sourceOf(tenant, 'b', { texts: ['apple apple falcon'] }),
      ];
      await writer.replace(some);
      const once = await rank('apple falcon');
      await writer.replace(some);
      await writer.replace(some.toReversed());
      expect(await rank('apple falcon')).toEqual(once);
      expect(once.ranked).toHaveLength(3);
    });

    it('is gone when it is removed, neither found nor counted, and comes back when it is written again', async () => {
      const { write, remove, rank, found } = tenantOf(world());
      const [a] = await write('a', { texts: ['falcon one'] });
      const [b] = await write('b', { texts: ['falcon two'] });
      await remove('a', 'nobody');
      await remove('a');
      expect(await rank('falcon')).toMatchObject({ ranked: [{ contentId: b }], totalCandidates: 1 });
      await write('a', { texts: ['falcon one'] });
      expect((await found('falcon')).toSorted()).toEqual([a!, b!].toSorted());
    });

    it('is gone with its data source, and nothing else is', async () => {
      const { write, removeGroup, found } = tenantOf(world());
      await write('a', { group: 'doomed', texts: ['falcon', 'falcon again'] });
      await write('b', { group: 'doomed', texts: ['falcon b'] });
      const [kept] = await write('c', { group: 'kept', texts: ['falcon c'] });
      const other = tenantOf(world());
      const [elsewhere] = await other.write('a', { group: 'doomed', texts: ['falcon'] });
      await removeGroup('doomed');
      expect(await found('falcon')).toEqual([kept]);
      expect(await other.found('falcon')).toEqual([elsewhere]);
    });

    it('is ranked as if it had been written at once, whatever came and went before', async () => {
      const fruit = fc.constantFrom('apple', 'pear', 'plum', 'fig');
      const texts = fc.uniqueArray(
        fc.array(fruit, { minLength: 1, maxLength: 6 }).map((words) => words.join(' ')),
        { maxLength: 3 },
      );
      const step = fc.record({ name: fc.constantFrom('a', 'b', 'c'), title: fruit, texts });
      const query = fc.array(fruit, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));
      const steps = fc.array(step, { minLength: 1, maxLength: 8 });
      const told = fc.asyncProperty(steps, query, async (all, asked) => {
        const [changed, atOnce] = [tenantOf(world()), tenantOf(world())];
        const living = new Map<string, ReturnType<typeof sourceOf>>();
        for (const { name, ...document } of all) {
          if (document.texts.length === 0) await changed.remove(name);
          else await changed.write(name, document);
          living.set(name, sourceOf(atOnce.tenant, name, document));
        }
        await world().writer.replace([...living.values()]);
        const scores = async ({ tenant, rank }: typeof changed) => {
          const named = new Map(
            [...living].flatMap(([name, { title, contents }]) =>
              sourceOf(tenant, name, { title, texts: contents.map(({ text }) => text) }).contents.map(
                ({ id, text }) => [id, `${name} ${text}`] as const,
              ),
            ),
          );
          const { ranked, totalCandidates } = await rank(asked);
          const scored = ranked.map(({ contentId, score }) => `${named.get(contentId)} ${score.toFixed(6)}`);
          return { totalCandidates, scored: scored.toSorted() };
        };
        expect(await scores(changed)).toEqual(await scores(atOnce));
      });
      await fc.assert(told, { numRuns: 20 });
    });

    it('gives no place to what is gone, however it stood', async () => {
      const { write, remove, removeGroup, rank } = tenantOf(world());
      for (let i = 0; i < 6; i++) {
        await write(`s${i}`, { group: 'strong', texts: ['prize prize prize'] });
        await write(`d${i}`, { group: 'doomed', texts: ['prize prize'] });
        await write(`w${i}`, {
          group: 'weak',
          texts: [`prize and a lot of other words that say nothing ${i}`],
        });
      }
      await remove(...Array.from({ length: 6 }, (_, i) => `s${i}`));
      await removeGroup('doomed');
      for (const filter of [{}, { sourceTypes: ['crawl'] }]) {
        const { ranked, totalCandidates } = await rank('prize', { filter, limit: 6 });
        expect([ranked.length, totalCandidates]).toEqual([6, 6]);
      }
    });
  });
};
