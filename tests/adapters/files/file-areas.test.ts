import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFileAreas } from '../../../adapters/files/file-areas.ts';
import type { FileAreas } from '../../../application/ports/file-areas.ts';

const [ONE, OTHER] = [
  '01a1fb75-64cc-71f4-80d9-5adbfbf54f87',
  '01a1fb75-64cc-71f4-80d9-5adbfbf54f88',
] as const;
const LATER = Date.now() + 3_600_000;

let folder: string;
let areas: FileAreas;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'areas-'));
  areas = createFileAreas(folder);
});
afterEach(() => rm(folder, { recursive: true }));

describe('file areas', () => {
  it('are removed with all their files and nobody else’s', async () => {
    const [one, other] = [await areas.area(ONE), await areas.area(OTHER)];
    const { sha256 } = await one.putText('the same words');
    await other.putText('the same words');
    expect(await areas.remove(ONE)).toBe(14);
    expect(await readdir(folder)).toEqual([OTHER]);
    expect((await (await areas.area(OTHER)).read(sha256))?.toString()).toBe('the same words');
    expect(await areas.remove(ONE)).toBe(0);
  });

  it('lose in a sweep what is not kept, unless it is newer', async () => {
    const one = await areas.area(ONE);
    const [kept, stale] = [await one.putText('kept'), await one.putText('stale')];
    expect(await areas.sweep(ONE, new Set([kept.sha256]), 0)).toBe(0);
    expect(await areas.sweep(ONE, new Set([kept.sha256]), LATER)).toBe(1);
    expect([await one.has(kept.sha256), await one.has(stale.sha256)]).toEqual([true, false]);
    expect(await areas.sweep(OTHER, new Set(), LATER)).toBe(0);
  });

  it('refuse names that are no ids', async () => {
    await expect(areas.remove('../elsewhere')).rejects.toThrow('no area');
    expect(() => areas.area('..')).toThrow('no area');
  });
});
