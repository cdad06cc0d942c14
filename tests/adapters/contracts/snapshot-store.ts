import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Snapshot, SnapshotStore } from '../../../application/ports/snapshot-store.ts';

export interface OpenSnapshotStore {
  readonly snapshots: SnapshotStore;
  readonly close: () => Promise<void>;
}

/** Every promise of the `SnapshotStore` port, for any adapter. */
export const snapshotStoreContract = (name: string, open: () => Promise<OpenSnapshotStore>): void => {
  describe(`${name} as a snapshot store`, () => {
    let opened: OpenSnapshotStore;
    let snapshots: SnapshotStore;
    beforeAll(async () => {
      opened = await open();
      snapshots = opened.snapshots;
    });
    afterAll(() => opened?.close());

    const snapshot = (given: Partial<Snapshot> = {}): Snapshot => ({
      stream: `tag-${randomUUID()}`,
      shape: 'tag',
      version: 1,
      revision: 9n,
      eventId: randomUUID(),
      tenant: 'acme',
      state: { tags: ['größer', '\u0000', '😀'], count: 2 },
      ...given,
    });
    const read = ({ stream, shape, version }: Snapshot): Promise<Snapshot | null> =>
      snapshots.read(stream, shape, version);

    it('gives back what was written, whatever the characters and however large the revision', async () => {
      const written = snapshot({ revision: 2n ** 53n + 1n });
      await snapshots.write(written);
      expect(await read(written)).toStrictEqual(written);
    });

    it('keeps a state that is null', async () => {
      const written = snapshot({ state: null });
      await snapshots.write(written);
      expect(await read(written)).toStrictEqual(written);
    });

    it('knows nothing of another stream, shape or version', async () => {
      const written = snapshot({ version: 2 });
      await snapshots.write(written);
      expect(await read(snapshot())).toBeNull();
      expect(await read({ ...written, shape: 'other' })).toBeNull();
      expect(await read({ ...written, version: 1 })).toBeNull();
      expect(await read({ ...written, version: 3 })).toBeNull();
    });

    it('replaces what is older, and nothing that is newer', async () => {
      const old = snapshot();
      const newer = { ...old, revision: 10n, eventId: randomUUID(), tenant: 'other', state: 'newer' };
      await snapshots.write(old);
      await snapshots.write(newer);
      await snapshots.write({ ...old, state: 'late' });
      expect(await read(old)).toStrictEqual(newer);
      const next = { ...old, version: 2, revision: 3n, state: 'next version' };
      await snapshots.write(next);
      await snapshots.write({ ...newer, revision: 99n });
      expect([await read(old), await read(next)]).toStrictEqual([null, next]);
    });

    it('forgets every version of one stream and shape', async () => {
      const ahead = snapshot({ revision: 1_000n });
      const beside = { ...ahead, shape: 'other' };
      await snapshots.write(ahead);
      await snapshots.write(beside);
      await snapshots.forget(ahead.stream, ahead.shape);
      expect([await read(ahead), await read(beside)]).toStrictEqual([null, beside]);
      const behind = { ...ahead, revision: 1n };
      await snapshots.write(behind);
      expect(await read(ahead)).toStrictEqual(behind);
    });

    it('keeps states of some megabytes', async () => {
      const state = Array.from({ length: 20_000 }, () => [randomUUID(), randomUUID(), randomUUID(), 1]);
      const written = snapshot({ state });
      await snapshots.write(written);
      expect(await read(written)).toStrictEqual(written);
    });
  });
};
