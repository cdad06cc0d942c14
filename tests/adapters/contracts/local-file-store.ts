import { hash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LocalFileStore } from '../../../application/ports/file-store.ts';

export interface OpenLocalFileStore {
  readonly store: LocalFileStore;
  readonly close: () => Promise<void>;
}

const sha256 = (bytes: Uint8Array): string => hash('sha256', bytes, 'hex');

/** What the `LocalFileStore` port promises beside `FileStore`, for any adapter. */
export const localFileStoreContract = (name: string, open: () => Promise<OpenLocalFileStore>): void => {
  describe(`${name} as a local file store`, () => {
    let opened: OpenLocalFileStore;
    let store: LocalFileStore;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened?.close());

    it('keeps the files and shows them at local paths, in the order given', async () => {
      const items = [randomBytes(50), Buffer.alloc(0), randomBytes(50)];
      const seen = await store.putLocally([...items, items[0]!], async (files) => {
        expect(files.map((file) => file.sha256)).toEqual([...items, items[0]!].map(sha256));
        return Promise.all(files.map(({ path }) => readFile(path)));
      });
      expect(seen).toEqual([...items, items[0]]);
      for (const item of items) expect(await store.read(sha256(item))).toEqual(item);
      expect(await store.putLocally([], (files) => Promise.resolve(files))).toEqual([]);
    });

    it('shows files that are kept already between others, and nothing where one is not', async () => {
      const [kept, fresh] = [randomBytes(50), randomBytes(60)];
      const stored = await store.put(kept);
      const absent = { sha256: sha256(randomBytes(10)), bytes: 10 };
      const seen = await store.putLocally([stored, fresh, absent], async (files) => {
        expect(files.map(({ bytes }) => bytes)).toEqual([50, 60, 10]);
        return Promise.all(files.map(({ path }) => readFile(path).catch(() => null)));
      });
      expect(seen).toEqual([kept, fresh, null]);
    });

    it('keeps streams, and refuses those that are too long', async () => {
      const stream = async function* (bytes: Uint8Array) {
        yield bytes.subarray(0, 10);
        yield bytes.subarray(10);
      };
      const items = [randomBytes(50), randomBytes(60)];
      const receiving = store.receive();
      const stored = await Promise.all(items.map((item) => receiving.put(stream(item), 60)));
      await expect(receiving.put(stream(randomBytes(61)), 60)).rejects.toThrow('more than 60 bytes');
      await receiving.settle();
      expect(stored.map(({ bytes }) => bytes)).toEqual([50, 60]);
      for (const item of items) expect(await store.read(sha256(item))).toEqual(item);
    });

    it('fails with its user, and the files are kept', async () => {
      const item = randomBytes(50);
      const failing = store.putLocally([item], () => Promise.reject(new Error('unreadable')));
      await expect(failing).rejects.toThrow('unreadable');
      expect(await store.has(sha256(item))).toBe(true);
    });
  });
};
