import { describe, expect, it } from 'vitest';
import { type OpenSearchIndex, tenantOf } from './search-index-world.ts';

export const spellingContract = (world: () => OpenSearchIndex): void => {
  describe('spelling', () => {
    const writeTwo = async () => {
      const { write, rank } = tenantOf(world());
      await write('a', { texts: ['Replication slots keep what a standby needs. Vacuum it.'] });
      await write('b', { texts: ['The handbook says: call pg_dump. It is in the Straße by the café.'] });
      return rank;
    };

    it.each([
      ['vaccum', 'vacuum'],
      ['How do replicaton slots work?', 'How do replication slots work?'],
      ['pg_dmup', 'pg_dump'],
      ['handbok', 'handbook'],
      ['eplication', 'replication'],
    ])('searches %j as %j', async (query, corrected) => {
      const rank = await writeTwo();
      const asked = await rank(corrected);
      expect(asked.ranked).not.toEqual([]);
      expect(await rank(query)).toEqual({ ...asked, correctedQuery: corrected });
    });

    it.each(['strasse', 'cafe', 'SLOT', 'xylophones', 'dmp', 'pg_dump17'])(
      'leaves %j as it is',
      async (query) => expect((await (await writeTwo())(query)).correctedQuery).toBeUndefined(),
    );

    it('takes the nearest word, and of several the one that most contents have', async () => {
      const { write, rank } = tenantOf(world());
      await write('a', { texts: ['The fender', 'A fender', 'One fender', 'My manager'] });
      await write('b', { texts: ['The vender'] });
      expect((await rank('wender')).correctedQuery).toBe('fender');
      expect((await rank('manger')).correctedQuery).toBe('manager');
    });

    it('never takes one that some content has for another', async () => {
      const { write, rank } = tenantOf(world());
      await write('a', { texts: ['vacuum', 'vacuum the floor', 'it is spelled vaccum here'] });
      const { ranked, correctedQuery } = await rank('vaccum');
      expect([ranked.length, correctedQuery]).toEqual([1, undefined]);
    });

    it('shows no word that the scope does not see, or that is gone', async () => {
      const { write, rank, scope, remove } = tenantOf(world());
      await write('a', { group: 'open', texts: ['an open word'] });
      await write('b', { group: 'closed', texts: ['a confidential word'] });
      const corrected = async (only: readonly string[] | null) =>
        (await rank('confidentail', {}, scope(only))).correctedQuery;
      expect([await corrected(null), await corrected(['open'])]).toEqual(['confidential', undefined]);
      await remove('b');
      expect(await corrected(null)).toBeUndefined();
    });
  });
};
