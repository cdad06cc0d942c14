import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KeyDestroyed, type Vault } from '../../../application/ports/vault.ts';

export interface OpenVault {
  readonly vault: Vault;
  readonly close: () => Promise<void>;
}

const T = 'tenant-1';
const AGES = { olderMs: 0, youngerMs: 3_600_000 };

/** Every promise of the `Vault` port, for any adapter. */
export const vaultContract = (name: string, open: () => Promise<OpenVault>): void => {
  describe(`${name} as a vault`, () => {
    let opened: OpenVault;
    let vault: Vault;
    beforeAll(async () => {
      opened = await open();
      vault = opened.vault;
    });
    afterAll(() => opened?.close());

    const owned = async (...texts: readonly string[]): Promise<string> => {
      const owner = randomUUID();
      await vault.create(T, owner);
      await vault.put(
        T,
        owner,
        texts.map((text, i) => ({ id: `m${i}`, text })),
      );
      return owner;
    };
    const all = async (): Promise<readonly string[]> =>
      (await vault.writtenBetween(AGES, '', 1_000)).map(({ owner }) => owner);

    it('gives back every text as it was kept', async () => {
      const text = fc.string({ unit: 'grapheme', maxLength: 200 });
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(text, { maxLength: 5 }), async (texts) => {
          const owner = await owned(...texts);
          const ids = texts.map((_, i) => `m${i}`);
          expect(await vault.read(T, owner, ids)).toEqual(new Map(ids.map((id, i) => [id, texts[i]])));
        }),
        { numRuns: 20 },
      );
    });

    it('keeps a text of a megabyte, and NUL characters', async () => {
      const texts = ['ä'.repeat(500_000), 'a\u0000b', ''];
      const owner = await owned(...texts);
      const found = await vault.read(T, owner, ['m0', 'm1', 'm2']);
      expect([...found!.values()]).toEqual(texts);
    });

    it('answers only what was asked for, and leaves out what it does not know', async () => {
      const owner = await owned('a', 'b');
      expect(await vault.read(T, owner, ['m1', 'm9'])).toEqual(new Map([['m1', 'b']]));
      expect(await vault.read(T, owner, [])).toEqual(new Map());
    });

    it('keeps texts together with a key, and under the one that is there', async () => {
      const owner = randomUUID();
      await vault.create(T, owner, [{ id: 'm0', text: 'a' }]);
      await vault.create(T, owner, [
        { id: 'm1', text: 'b' },
        { id: 'm0', text: 'another' },
      ]);
      expect(await vault.read(T, owner, ['m0', 'm1'])).toEqual(
        new Map([
          ['m0', 'a'],
          ['m1', 'b'],
        ]),
      );
      const others = vault.create('tenant-2', owner, [{ id: 'm2', text: 'c' }]);
      await expect(others).rejects.toThrow(KeyDestroyed);
    });

    it('answers each of many who ask at once', async () => {
      const [first, second] = [await owned('a', 'b'), await owned('c')];
      const asked = [
        vault.read(T, second, ['m0']),
        vault.read(T, randomUUID(), ['m0']),
        vault.read(T, first, ['m1', 'm0']),
        vault.read('tenant-2', first, ['m0']),
        vault.read(T, first, []),
        vault.read(T, second, ['m1']),
      ];
      expect(await Promise.all(asked)).toEqual([
        new Map([['m0', 'c']]),
        null,
        new Map([
          ['m0', 'a'],
          ['m1', 'b'],
        ]),
        null,
        new Map(),
        new Map(),
      ]);
    });

    it('leaves a text as it is when another comes under its id', async () => {
      const owner = await owned('first');
      await vault.put(T, owner, [
        { id: 'm0', text: 'second' },
        { id: 'm1', text: 'new' },
      ]);
      expect([...(await vault.read(T, owner, ['m0', 'm1']))!.values()]).toEqual(['first', 'new']);
    });

    it('keeps the texts of an owner that is created again', async () => {
      const owner = await owned('a');
      await vault.create(T, owner);
      expect(await vault.read(T, owner, ['m0'])).toEqual(new Map([['m0', 'a']]));
    });

    it('knows nothing of an owner without a key', async () => {
      const owner = randomUUID();
      expect(await vault.read(T, owner, ['m0'])).toBeNull();
      await expect(vault.put(T, owner, [{ id: 'm0', text: 'a' }])).rejects.toThrow(KeyDestroyed);
      await vault.destroy(T, owner);
      await vault.forget(T, owner, ['m0']);
    });

    it('shows the texts of a tenant to no other, and lets none destroy them', async () => {
      const owner = await owned('a');
      expect(await vault.read('tenant-2', owner, ['m0'])).toBeNull();
      await expect(vault.put('tenant-2', owner, [{ id: 'm1', text: 'b' }])).rejects.toThrow(KeyDestroyed);
      await vault.forget('tenant-2', owner, ['m0']);
      await vault.destroy('tenant-2', owner);
      expect(await vault.read(T, owner, ['m0', 'm1'])).toEqual(new Map([['m0', 'a']]));
    });

    it('forgets single texts', async () => {
      const owner = await owned('a', 'b');
      await vault.forget(T, owner, ['m0', 'm9']);
      expect(await vault.read(T, owner, ['m0', 'm1'])).toEqual(new Map([['m1', 'b']]));
    });

    it('has nothing of an owner whose key was destroyed, and takes nothing more for it', async () => {
      const [gone, kept] = [await owned('a', 'b'), await owned('c')];
      await vault.destroy(T, gone);
      await vault.destroy(T, gone);
      expect(await vault.read(T, gone, ['m0'])).toBeNull();
      await expect(vault.put(T, gone, [{ id: 'm2', text: 'late' }])).rejects.toThrow(KeyDestroyed);
      expect(await all()).not.toContain(gone);
      expect(await vault.read(T, kept, ['m0'])).toEqual(new Map([['m0', 'c']]));
      // A key that is made again is another one: what was is not back.
      await vault.create(T, gone);
      expect(await vault.read(T, gone, ['m0', 'm1'])).toEqual(new Map());
    });

    it('leaves nothing behind when texts are written while their key is destroyed', async () => {
      const owner = await owned('a');
      const writes = Array.from({ length: 5 }, (_, i) => vault.put(T, owner, [{ id: `x${i}`, text: 'x' }]));
      const ended = await Promise.allSettled([...writes, vault.destroy(T, owner)]);
      const refused = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
      expect(refused.every((reason) => reason instanceof KeyDestroyed)).toBe(true);
      expect(await vault.read(T, owner, ['m0'])).toBeNull();
      expect(await all()).not.toContain(owner);
    });

    it('tells which owners something was written of, page by page, with their texts', async () => {
      const made = [await owned('a', 'b'), await owned(), await owned('c')].toSorted();
      const found: string[] = [];
      for (let after = ''; ;) {
        const page = await vault.writtenBetween(AGES, after, 2);
        found.push(...page.map(({ owner }) => owner));
        if (page.length < 2) break;
        after = page[1]!.owner;
      }
      expect(found).toEqual(found.toSorted());
      expect(found).toEqual(expect.arrayContaining(made));
      const holdings = await vault.writtenBetween(AGES, '', 1_000);
      const ids = made.map((owner) => holdings.find((holding) => holding.owner === owner)?.ids.length);
      expect(new Set(ids)).toEqual(new Set([0, 1, 2]));
      expect(holdings.every(({ tenant }) => tenant === T)).toBe(true);
    });

    it('leaves out what is younger or older than asked for', async () => {
      await owned('a');
      expect(await vault.writtenBetween({ olderMs: 3_600_000, youngerMs: 7_200_000 }, '', 10)).toEqual([]);
    });
  });
};
