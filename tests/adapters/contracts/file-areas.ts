import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileAreas } from '../../../application/ports/file-store.ts';

export interface OpenFileAreas {
  readonly areas: FileAreas;
  readonly close: () => Promise<void>;
}

const [ONE, OTHER] = [
  '01a1fb75-64cc-71f4-80d9-5adbfbf54f87',
  '01a1fb75-64cc-71f4-80d9-5adbfbf54f88',
] as const;
const LATER = Date.now() + 3_600_000;

/** Every promise of the `FileAreas` port, for any adapter. */
export const fileAreasContract = (name: string, open: () => Promise<OpenFileAreas>): void => {
  describe(`${name} as file areas`, () => {
    let opened: OpenFileAreas;
    let areas: FileAreas;
    beforeEach(async () => {
      opened = await open();
      areas = opened.areas;
    });
    afterEach(async () => {
      await Promise.all([ONE, OTHER].map((id) => areas.remove(id)));
      await areas.close();
      await opened.close();
    });

    it('are removed with all their files and nobody else’s', async () => {
      const [one, other] = [await areas.area(ONE), await areas.area(OTHER)];
      const { sha256 } = await one.putText('the same words');
      await other.putText('the same words');
      expect(await areas.remove(ONE)).toBe(14);
      expect(await one.has(sha256)).toBe(false);
      expect((await other.read(sha256))?.toString()).toBe('the same words');
      expect(await areas.remove(ONE)).toBe(0);
    });

    it('can be filled again after their removal', async () => {
      const { sha256 } = await (await areas.area(ONE)).putText('before');
      await areas.remove(ONE);
      await (await areas.area(ONE)).putText('before');
      expect(await (await areas.area(ONE)).has(sha256)).toBe(true);
    });

    it('lose in a sweep what is not kept, unless it is newer', async () => {
      const one = await areas.area(ONE);
      const [kept, stale] = [await one.putText('kept'), await one.putText('stale')];
      expect(await areas.sweep(ONE, new Set([kept.sha256]), 0)).toBe(0);
      expect(await areas.sweep(ONE, new Set([kept.sha256]), LATER)).toBe(1);
      expect([await one.has(kept.sha256), await one.has(stale.sha256)]).toEqual([true, false]);
      expect(await areas.sweep(OTHER, new Set(), LATER)).toBe(0);
    });

    it('are moved into others, where what was there stays', async () => {
      const [one, other] = [await areas.area(ONE), await areas.area(OTHER)];
      const [moved, both, stayed] = [
        await one.putText('moved'),
        await one.putText('in both'),
        await other.putText('stayed'),
      ];
      await other.putText('in both');
      await areas.move(ONE, OTHER);
      for (const [file, text] of [
        [moved, 'moved'],
        [both, 'in both'],
        [stayed, 'stayed'],
      ] as const) {
        expect((await other.read(file.sha256))?.toString()).toBe(text);
        expect(await (await areas.area(ONE)).has(file.sha256)).toBe(false);
      }
      await areas.move(ONE, OTHER);
      expect(await other.has(moved.sha256)).toBe(true);
    });

    it('refuse names that are no ids', async () => {
      await expect(areas.remove('../elsewhere')).rejects.toThrow('no area');
      expect(() => areas.area('..')).toThrow('no area');
    });

    it('keep the mark that their place has, and give none a second one', async () => {
      const mark = await areas.claim(null, 'a first mark');
      expect([null, 'a first mark']).toContain(mark);
      expect(await areas.claim(mark, 'another')).toBe(mark);
      expect(await areas.claim(null, 'another')).toBe(mark);
      expect(await areas.check()).toBeUndefined();
    });

    it('say that they can be used', async () => {
      expect(await areas.check()).toBeUndefined();
      expect(await areas.check(new AbortController().signal)).toBeUndefined();
    });
  });
};
