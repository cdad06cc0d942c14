import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { largeRooms, roomSizes } from './rooms.ts';

const ROOT = new URL('../../', import.meta.url);

const linesOfAdapters = (): ReadonlyMap<string, number> =>
  new Map(
    globSync('adapters/**/*.ts', { cwd: fileURLToPath(ROOT) }).map((path) => [
      path.replaceAll('\\', '/'),
      readFileSync(new URL(path, ROOT), 'utf8').split('\n').length - 1,
    ]),
  );

describe('the rooms of adapters', () => {
  it('have at most 3,000 lines each', async ({ annotate }) => {
    const lines = linesOfAdapters();
    const largest = [...roomSizes(lines)].toSorted(([, a], [, b]) => b - a).slice(0, 5);
    await annotate(largest.map(([room, count]) => `${room}: ${count} lines`).join('\n'));
    expect(lines.size).toBeGreaterThan(300);
    expect(largeRooms(lines)).toStrictEqual([]);
  });
});
