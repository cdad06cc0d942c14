import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseModule } from './module-source.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** `application/sources`, `adapters/http`; undefined outside of rooms. */
const roomOf = (path: string): string | undefined => /^(?:application|adapters)\/[^/]+(?=\/)/.exec(path)?.[0];
const SOURCES = ['domain', 'application', 'adapters', 'composition'].flatMap((layer) =>
  globSync(`${layer}/**/*.ts`, { cwd: ROOT }),
);
const ROOMS = [...new Set(SOURCES.flatMap((path) => roomOf(path) ?? []))].toSorted();

/** Files that rooms offer to others, from the line `Door:` of their README. Null: every file. */
const doorOf = (room: string): ReadonlySet<string> | null => {
  const [, door] = /^Door: (.+)$/m.exec(readFileSync(join(ROOT, room, 'README.md'), 'utf8')) ?? [];
  if (door === undefined) throw new Error(`${room}/README.md has no line "Door: "`);
  if (door === 'every file.') return null;
  return new Set([...door.matchAll(/`([^`]+)`/g)].map(([, name]) => `${room}/${name}`));
};
const DOORS = new Map(ROOMS.map((room) => [room, doorOf(room)]));

/** Imports of other rooms that lead past their door. */
const pastDoors = (path: string, text: string): readonly string[] =>
  parseModule(path, text)
    .imports.filter((specifier) => specifier?.startsWith('.') === true)
    .map((specifier) => posix.join(posix.dirname(path), specifier!))
    .filter((target) => {
      const room = roomOf(target);
      const door = room === undefined || room === roomOf(path) ? null : DOORS.get(room);
      return door !== null && door?.has(target) === false;
    });

describe('a room', () => {
  it('is entered by its door alone, which its README names', () => {
    const found = SOURCES.flatMap((path) =>
      pastDoors(path, readFileSync(join(ROOT, path), 'utf8')).map((target) => `${path} -> ${target}`),
    );
    expect(found).toEqual([]);
    expect(pastDoors('composition/x.ts', "import { a } from '../application/audit/inner.ts';")).toHaveLength(
      1,
    );
  });

  it.each(ROOMS)('%s names no file that is not there', (room) => {
    const named = [...(DOORS.get(room) ?? [])];
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });
});
