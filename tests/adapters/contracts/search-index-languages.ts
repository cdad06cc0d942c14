import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGE_PAIRS } from './language-pairs.ts';
import { type OpenedEngine, tenantOf } from './search-index-world.ts';

/** What an index finds that stems words by the language of their text: all of the table, in one tenant. */
export const languageContract = (name: string, open: () => Promise<OpenedEngine>): void => {
  describe(`words of twelve languages, indexed by ${name}`, () => {
    let world: OpenedEngine;
    let found: ReturnType<typeof tenantOf>['found'];
    const ids: string[] = [];
    beforeAll(async () => {
      world = await open();
      const tenant = tenantOf(world);
      found = tenant.found;
      for (const [i, [language, , text]] of LANGUAGE_PAIRS.entries())
        ids.push(...(await tenant.write(`${i}`, { texts: [text], language })));
    });
    afterAll(() => world.close());

    it.each(LANGUAGE_PAIRS.map((pair, i) => [...pair, i] as const))(
      '%s: %s finds %s',
      async (_language, query, _text, i) => expect((await found(query))[0]).toBe(ids[i]),
    );

    it('does not prefer the one text in another language that has a word of the others', async () => {
      const tenant = tenantOf(world);
      const texts = Array.from({ length: 8 }, (_, i) => `A directory in directory ${i} is a directory.`);
      const english = await tenant.write('english', { texts, language: 'en' });
      await tenant.write('german', { texts: ['Die Directory liegt neben den Dateien.'], language: 'de' });
      const all = await tenant.found('directory');
      expect(all).toHaveLength(9);
      expect(english).not.toContain(all[8]);
    });
  });
};
