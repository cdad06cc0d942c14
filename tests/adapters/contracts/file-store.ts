import { createHash, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FileStore, type OpenFile, RangeNotSatisfiable } from '../../../application/ports/file-store.ts';

export interface OpenFileStore {
  readonly store: FileStore;
  readonly close: () => Promise<void>;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const ABSENT = sha256(Buffer.from('never stored'));

const bytesOf = async (file: OpenFile | null): Promise<Buffer> => {
  const parts: Uint8Array[] = [];
  for await (const part of file!.stream) parts.push(part);
  return Buffer.concat(parts);
};

async function* inParts(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

/** Every promise of the `FileStore` port, for any adapter. */
export const fileStoreContract = (name: string, open: () => Promise<OpenFileStore>): void => {
  describe(`${name} as a file store`, () => {
    let opened: OpenFileStore;
    let store: FileStore;
    beforeAll(async () => {
      opened = await open();
      store = opened.store;
    });
    afterAll(() => opened?.close());

    it('gives back what was put, under the SHA-256 of the bytes', async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
          const stored = await store.put(bytes);
          expect(stored).toEqual({ sha256: sha256(bytes), bytes: bytes.length });
          expect(await store.read(stored.sha256)).toEqual(Buffer.from(bytes));
          expect(await store.has(stored.sha256)).toBe(true);
        }),
        { numRuns: 30 },
      );
    });

    it('keeps its own copy of the bytes', async () => {
      const bytes = randomBytes(64);
      const before = Buffer.from(bytes);
      const { sha256: key } = await store.put(bytes);
      bytes.fill(0);
      (await store.read(key))!.fill(0);
      expect(await store.read(key)).toEqual(before);
    });

    it('keeps text in UTF-8', async () => {
      const { sha256: key, bytes } = await store.putText('Grüße, 東京');
      expect(bytes).toBe(15);
      expect((await store.read(key))!.toString('utf8')).toBe('Grüße, 東京');
    });

    it('keeps many, in the order given, equal ones once', async () => {
      const items = Array.from({ length: 60 }, (_, index) => Buffer.from(`item ${index % 50}`));
      const stored = await store.putMany(items);
      expect(stored.map((file) => file.sha256)).toEqual(items.map(sha256));
      for (const file of stored) expect(await store.has(file.sha256)).toBe(true);
      expect(await store.putMany([])).toEqual([]);
    });

    it('takes concurrent puts of equal bytes', async () => {
      const bytes = randomBytes(10_000);
      const stored = await Promise.all(Array.from({ length: 20 }, () => store.put(bytes)));
      expect(new Set(stored.map((file) => file.sha256))).toEqual(new Set([sha256(bytes)]));
      expect(await store.read(sha256(bytes))).toEqual(bytes);
    });

    it('knows nothing of absent files and of strings that are no hash', async () => {
      for (const key of [ABSENT, ABSENT.toUpperCase(), '', '..', '../../etc/passwd', `${ABSENT}/..`]) {
        expect(await store.has(key)).toBe(false);
        expect(await store.read(key)).toBeNull();
        expect(await store.open(key)).toBeNull();
        expect(await store.delete(key)).toBe(false);
      }
    });

    it('deletes, says whether there was something, and can store the same again', async () => {
      const { sha256: key } = await store.putText('to be deleted');
      expect(await store.delete(key)).toBe(true);
      expect(await store.delete(key)).toBe(false);
      expect(await store.read(key)).toBeNull();
      await store.putText('to be deleted');
      expect(await store.has(key)).toBe(true);
    });

    describe('open', () => {
      it('streams the whole file, an empty one too', async () => {
        const bytes = randomBytes(200_000);
        const file = await store.open((await store.put(bytes)).sha256);
        expect(file).toMatchObject({ bytes: 200_000, start: 0, end: 199_999 });
        expect(await bytesOf(file)).toEqual(bytes);
        const empty = await store.open((await store.put(Buffer.alloc(0))).sha256);
        expect(empty).toMatchObject({ bytes: 0, end: -1 });
        expect(await bytesOf(empty)).toHaveLength(0);
      });

      it('streams exactly the range, cut at the end of the file', async () => {
        const bytes = randomBytes(100);
        const { sha256: key } = await store.put(bytes);
        await fc.assert(
          fc.asyncProperty(fc.nat(99), fc.option(fc.nat(150)), async (start, length) => {
            const range = length === null ? { start } : { start, end: start + length };
            const file = await store.open(key, range);
            const end = Math.min(99, range.end ?? 99);
            expect(file).toMatchObject({ bytes: 100, start, end });
            expect(await bytesOf(file)).toEqual(bytes.subarray(start, end + 1));
          }),
          { numRuns: 40 },
        );
      });

      it('refuses a range that holds no byte', async () => {
        const { sha256: key } = await store.put(Buffer.from('ten bytes.'));
        for (const range of [{ start: 10 }, { start: 11, end: 12 }, { start: 5, end: 4 }, { start: -1 }]) {
          const refused = store.open(key, range);
          await expect(refused).rejects.toThrow(RangeNotSatisfiable);
          await expect(refused).rejects.toMatchObject({ bytes: 10 });
        }
        const { sha256: empty } = await store.put(Buffer.alloc(0));
        await expect(store.open(empty, { start: 0 })).rejects.toThrow(RangeNotSatisfiable);
      });

      it('lets the consumer leave early', async () => {
        const file = await store.open((await store.put(randomBytes(300_000))).sha256);
        for await (const part of file!.stream) {
          expect(part.length).toBeGreaterThan(0);
          break;
        }
      });
    });

    describe('putStream', () => {
      it('keeps the parts as one file', async () => {
        const parts = [randomBytes(70_000), randomBytes(1), Buffer.alloc(0), randomBytes(70_000)];
        const whole = Buffer.concat(parts);
        const stored = await store.putStream(inParts(...parts), whole.length);
        expect(stored).toEqual({ sha256: sha256(whole), bytes: whole.length });
        expect(await store.read(stored.sha256)).toEqual(whole);
      });

      it('refuses one byte too many and keeps nothing', async () => {
        const parts = [randomBytes(10), randomBytes(10)];
        await expect(store.putStream(inParts(...parts), 19)).rejects.toMatchObject({
          name: 'FileTooLarge',
          maxBytes: 19,
        });
        expect(await store.has(sha256(Buffer.concat(parts)))).toBe(false);
      });

      it('fails with the stream and keeps nothing', async () => {
        const part = randomBytes(10);
        async function* broken(): AsyncGenerator<Uint8Array> {
          yield part;
          throw new Error('connection lost');
        }
        await expect(store.putStream(broken(), 100)).rejects.toThrow('connection lost');
        expect(await store.has(sha256(part))).toBe(false);
      });
    });
  });
};
