import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryFileStore } from '../../../support/memory/file-store.ts';
import { type GroupFile, growList, readList } from '../../../../application/sources/uploads/file-list.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';

const file = (name: string, text = name): GroupFile => ({
  name,
  sha256: sha256.sha256(text),
  bytes: text.length,
  modified: 1,
});

describe('the list of a group’s files', () => {
  it('names each file once, as it was uploaded last, after any uploads', async () => {
    const upload = fc.array(fc.tuple(fc.constantFrom(...'abcdefgh'), fc.nat(3)), {
      minLength: 1,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(upload, { maxLength: 12 }), async (uploads) => {
        const area = createMemoryFileStore();
        const expected = new Map<string, GroupFile>();
        let newest: string | null = null;
        for (const each of uploads) {
          const files = [...new Map(each.map(([name, text]) => [name, file(name, `${text}`)])).values()];
          const known = files.filter(({ name }) => expected.has(name));
          const same = known.filter(({ name, sha256: now }) => expected.get(name)?.sha256 === now);
          const grown = await growList(area, newest, files);
          expect(grown === null).toBe(same.length === files.length);
          if (grown === null) continue;
          expect([grown.added, grown.replaced]).toEqual([
            files.length - known.length,
            known.length - same.length,
          ]);
          newest = grown.list.sha256;
          for (const one of files) expected.set(one.name, one);
        }
        const { files } = await readList(area, newest);
        expect(files).toEqual([...expected.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)));
      }),
      { numRuns: 200 },
    );
  });

  it('stays in few parts, however many uploads of a file each there were', async () => {
    const area = createMemoryFileStore();
    let newest: string | null = null;
    let written = 0;
    for (let i = 0; i < 300; i += 1) {
      const grown = await growList(area, newest, [file(`${i}.txt`)]);
      newest = grown!.list.sha256;
      written += grown!.list.bytes;
    }
    const { files, parts } = await readList(area, newest);
    expect(files).toHaveLength(300);
    expect(parts.length).toBeLessThanOrEqual(9);
    // Of one part that is written anew each time it would be some 150 times the list.
    expect(written).toBeLessThan(20 * JSON.stringify(files).length);
  });

  it('says what is lost where a part of it is missing', async () => {
    const area = createMemoryFileStore();
    await expect(readList(area, 'a'.repeat(64))).rejects.toThrow('the file store has lost');
  });
});
