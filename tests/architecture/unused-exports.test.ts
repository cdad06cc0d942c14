import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { unusedExports } from './unused-exports.ts';

const ROOT = new URL('../../', import.meta.url);

const project = (): ReadonlyMap<string, string> =>
  new Map(
    globSync('{domain,application,adapters,composition,tests,bench,stress}/**/*.{ts,mjs}', {
      cwd: fileURLToPath(ROOT),
      exclude: ['**/node_modules/**'],
    }).map((path) => [path.replaceAll('\\', '/'), readFileSync(new URL(path, ROOT), 'utf8')]),
  );

const unusedIn = (sources: Readonly<Record<string, string>>): readonly string[] =>
  unusedExports(new Map(Object.entries(sources)));

/** Named in the configuration of Vitest. */
const ELSEWHERE = new Set([
  'tests/support/global-postgres.ts default',
  'tests/support/global-services.ts default',
  'tests/support/longest-first.ts default',
]);

describe('exports', () => {
  it('are taken by another file, each of them', () => {
    const sources = project();
    expect(sources.size).toBeGreaterThan(500);
    expect(unusedExports(sources).filter((found) => !ELSEWHERE.has(found))).toStrictEqual([]);
  });
});

describe('an export is unused', () => {
  it.each([
    ['that nobody imports', 'export const a = 1;', '', ['x.ts a']],
    [
      'of a type that others speak of only within',
      'export interface A { a: 1 }\nexport const f = () => { const a: A = 1; };',
      "import { f } from './x.ts';",
      ['x.ts A'],
    ],
    ['that is handed on to nobody', 'export const a = 1;', "export { a } from './x.ts';", ['y.ts a']],
  ])('%s', (_, x, y, found) => {
    expect(unusedIn({ 'x.ts': x, 'y.ts': y })).toStrictEqual(found);
  });
});
