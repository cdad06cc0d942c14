import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { largeRooms, MAX_ROOM_LINES, roomSizes } from './rooms.ts';

const ROOT = new URL('../../', import.meta.url);

const linesOfAdapters = (): ReadonlyMap<string, number> =>
  new Map(
    globSync('adapters/**/*.ts', { cwd: fileURLToPath(ROOT) }).map((path) => [
      path.replaceAll('\\', '/'),
      readFileSync(new URL(path, ROOT), 'utf8').split('\n').length - 1,
    ]),
  );

describe('the rooms of adapters', () => {
  it('are there to be measured', () => {
    const sizes = roomSizes(linesOfAdapters());
    expect(sizes.get('adapters/postgres/postings')).toBeGreaterThan(500);
    expect(sizes.get('adapters/http')).toBeGreaterThan(500);
  });

  it('have at most 3,000 lines each', async ({ annotate }) => {
    const lines = linesOfAdapters();
    const largest = [...roomSizes(lines)].toSorted(([, a], [, b]) => b - a).slice(0, 5);
    await annotate(largest.map(([room, count]) => `${room}: ${count} lines`).join('\n'));
    expect(largeRooms(lines)).toStrictEqual([]);
  });

  it('are too large where all that lies below them is', () => {
    const half = MAX_ROOM_LINES / 2;
    const planted = new Map([
      ['adapters/postgres/a.ts', MAX_ROOM_LINES],
      ['adapters/postgres/room/b.ts', half],
      ['adapters/postgres/room/deep/c.ts', half],
      ['adapters/postgres/room/deep/deeper/d.ts', 1],
      ['adapters/storage/s3/e.ts', 1],
    ]);
    expect(largeRooms(planted)).toStrictEqual(['adapters/postgres/room has 3001 lines, more than 3000']);
    planted.set('adapters/postgres/f.ts', 1);
    expect(largeRooms(planted)).toHaveLength(2);
  });
});
