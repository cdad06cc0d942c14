import { describe, expect, it } from 'vitest';
import { type OpenedEngine, tenantOf } from './search-index-world.ts';

export const spellingContract = (world: () => OpenedEngine): void => {
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

export const raritiesContract = (world: () => OpenedEngine): void => {
  describe('the rarities of the words of a query', () => {
    const open = async () => {
      const opened = tenantOf(world());
      await opened.write('a', {
        group: 'open',
        texts: ['Replication slots keep what a standby needs.', 'Slots.'],
      });
      await opened.write('b', { group: 'closed', texts: ['A confidential handbook.'] });
      const rarities = async (query: string, only: readonly string[] | null = null) =>
        (await opened.rank(query, {}, opened.scope(only))).rarities;
      return { ...opened, rarities };
    };

    it('are 1 for a word that no content has, and fall with the contents that have it; stop words have none', async () => {
      const { rarities } = await open();
      const [gizmo, slots, standby] = (await rarities('the gizmo of slots standby'))!;
      expect([gizmo, slots!.word, standby!.word]).toEqual([{ word: 'gizmo', rarity: 1 }, 'slots', 'standby']);
      expect(slots!.rarity).toBeGreaterThan(0);
      expect(standby!.rarity).toBeGreaterThan(slots!.rarity);
      expect(standby!.rarity).toBeLessThan(1);
    });

    it('are those of the corrected query', async () => {
      const { rank } = await open();
      const { correctedQuery, rarities } = await rank('replicaton gizmo');
      expect([correctedQuery, rarities?.map(({ word }) => word)]).toEqual([
        'replication gizmo',
        ['replication', 'gizmo'],
      ]);
    });

    it('are absent where nothing was found', async () => {
      const { rarities } = await open();
      expect(await rarities('gizmo')).toBeUndefined();
    });

    it('count all contents of the tenant, whatever the scope', async () => {
      const { rarities } = await open();
      const [confidential] = (await rarities('confidential slots', ['open']))!;
      expect(confidential!.rarity).toBeLessThan(1);
    });
  });
};

export const vocabularyContract = (world: () => OpenedEngine): void => {
  describe('the vocabulary', () => {
    it('has a term for each word, in their order, and an empty one for a stop word', async () => {
      const terms = await world().index.terms(['the', 'falcon', 'of', '東京', 'falcon', '2026', 'naïve']);
      expect(terms.map((term) => term === '')).toEqual([true, false, true, false, false, false, false]);
      expect(terms[1]).toBe(terms[4]);
      expect(new Set(terms).size).toBe(5);
      expect(await world().index.terms([])).toEqual([]);
    });

    it('has one term for the singular and the plural of a word', async () => {
      const terms = await world().index.terms(['valve', 'valves', 'policy', 'policies']);
      expect(terms[0]).toBe(terms[1]);
      expect(terms[2]).toBe(terms[3]);
      expect(terms[0]).not.toBe(terms[2]);
    });

    it('is that of the index: words of one term find each other, and others do not', async () => {
      const words = ['valve', 'valves', 'policy', 'policies', 'falcon', '京都', '1e5'];
      const terms = await world().index.terms(words);
      for (const [i, written] of words.entries()) {
        const { write, found } = tenantOf(world());
        const ids = await write('doc', { texts: [written] });
        for (const [j, asked] of words.entries())
          expect(await found(asked)).toEqual(terms[i] === terms[j] ? ids : []);
      }
    });

    it('ranks a name first that stands there as it was asked, before its parts', async () => {
      const { write, found } = tenantOf(world());
      const parts = 'The size of the wal is at most max: max wal size, wal size max, size max wal.';
      const [apart] = await write('parts', { texts: [parts] });
      const [whole] = await write('whole', {
        texts: ['Among much else that it tells, max_wal_size is one.'],
      });
      expect(await found('max_wal_size')).toEqual([whole, apart]);
    });

    it('ranks the page first whose title a query is, and what defines it, before what repeats it', async () => {
      const { write, found } = tenantOf(world());
      const prose = 'tells of many other things and of how they are to be done by all of you';
      await write('x', { title: 'Create table notes', texts: [`create table create table: ${prose}`] });
      const [titled] = await write('y', { title: 'CREATE TABLE — Manual', texts: [`Synopsis. It ${prose}`] });
      for (let i = 0; i < 3; i++)
        await write(`z${i}`, {
          title: `${i} — Manual`,
          texts: [`port port and port of a port ${prose} ${i}`],
        });
      const text = `host (string)\n\nWhere it ${prose}\n\nport (integer)\n\nSets what ${prose}`;
      const [defined] = await write('d', { title: 'Connections — Manual', texts: [text] });
      expect((await found('create table'))[0]).toBe(titled);
      expect((await found('What is a port?'))[0]).toBe(defined);
    });

    it('finds a phrase of stop words alone', async () => {
      const { write, found } = tenantOf(world());
      await write('other', { texts: ['To falter, or to ask: this is not all that can be.'] });
      const [hamlet] = await write('hamlet', { texts: ['He asks whether to be or not to be, and falters.'] });
      expect((await found('to be or not to be'))[0]).toBe(hamlet);
    });

    it('finds what is called like a stop word first, and then texts that hold it', async () => {
      const { write, found } = tenantOf(world());
      await write('other', { texts: ['A falcon falters.'] });
      const [said] = await write('said', { texts: ['The falcon falters where it flies.'] });
      const [defined] = await write('defined', { texts: ['where [ -a ] name\n\nSame as whence.'] });
      const [titled] = await write('titled', { texts: [[['Where'], 'A falcon.']], title: 'Where' });
      expect(new Set((await found('where')).slice(0, 2))).toEqual(new Set([defined, titled]));
      expect((await found('where'))[2]).toBe(said);
    });

    it('finds a name in humps by its parts', async () => {
      const { write, found } = tenantOf(world());
      const [id] = await write('a', { texts: ['Make an HTTPServerFactory.'] });
      for (const query of ['factory', 'http server', 'HTTPServerFactory'])
        expect(await found(query)).toEqual([id]);
    });

    it('folds case and width, and takes scripts without spaces by pairs', async () => {
      const { write, found } = tenantOf(world());
      const [policy] = await write('a', { texts: [[['Returns Policy'], 'Send it back.']] });
      const [tokyo] = await write('b', { texts: ['東京都の天気'] });
      expect(await found('ＰＯＬＩＣＩＥＳ')).toEqual([policy]);
      expect(await found('京都')).toEqual([tokyo]);
    });
  });
};
