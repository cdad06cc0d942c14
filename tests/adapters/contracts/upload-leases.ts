import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { UploadLeases, UploadLease } from '../../../application/ports/leases.ts';

export interface OpenUploadsUnderWay {
  readonly uploads: UploadLeases;
  readonly close: () => Promise<void>;
}

const LONG_MS = 3_600_000;
const upload = (n: number, createdId: string | null = null): UploadLease => ({
  id: `01a1fb75-64cc-71f4-80d9-${String(n).padStart(12, '0')}`,
  tenant: 'acme',
  createdId,
});

/** Every promise of the `UploadLeases` port, for any adapter. What is held for no time is abandoned at once. */
export const uploadLeasesContract = (name: string, open: () => Promise<OpenUploadsUnderWay>): void => {
  describe(`${name} as uploads under way`, () => {
    let opened: OpenUploadsUnderWay;
    let uploads: UploadLeases;
    beforeAll(async () => {
      opened = await open();
      uploads = opened.uploads;
    });
    afterAll(() => opened?.close());

    const abandoned = async () => (await uploads.abandoned(10)).toSorted((a, b) => (a.id < b.id ? -1 : 1));

    it('know an upload as abandoned once nobody holds it any more, and until it is released', async () => {
      const [held, left] = [upload(1), upload(2, upload(3).id)];
      await uploads.hold(held, LONG_MS);
      await uploads.hold(left, 0);
      expect(await abandoned()).toEqual([left]);
      await uploads.release(left.id);
      await uploads.release(held.id);
      expect(await abandoned()).toEqual([]);
    });

    it('prolong what is held, and nothing that was given up, or is over', async () => {
      const [held, left] = [upload(4), upload(5)];
      await uploads.hold(held, LONG_MS);
      await uploads.hold(left, 0);
      expect(await uploads.renew(held.id, 0)).toBe(true);
      expect(await uploads.renew(left.id, LONG_MS)).toBe(false);
      expect(await abandoned()).toEqual([held, left]);
      for (const { id } of [held, left]) await uploads.release(id);
      expect(await uploads.renew(held.id, LONG_MS)).toBe(false);
    });

    it('replace what they know of one that is held again', async () => {
      const id = upload(6);
      await uploads.hold(id, 0);
      await uploads.hold({ ...id, createdId: upload(7).id }, LONG_MS);
      expect(await abandoned()).toEqual([]);
      await uploads.hold({ ...id, createdId: upload(7).id }, 0);
      expect(await abandoned()).toEqual([{ ...id, createdId: upload(7).id }]);
      await uploads.release(id.id);
    });

    it('tell of no more than they are asked for', async () => {
      for (const n of [8, 9]) await uploads.hold(upload(n), 0);
      expect(await uploads.abandoned(1)).toHaveLength(1);
      for (const n of [8, 9]) await uploads.release(upload(n).id);
    });
  });
};
