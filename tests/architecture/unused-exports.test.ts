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
      'that its own file uses alone',
      'export const a = 1;\nexport const b = a;',
      "import { b } from './x.ts'; b;",
      ['x.ts a'],
    ],
    ['of a type', 'export interface A { a: 1 }\nexport type B = 1;', '', ['x.ts A', 'x.ts B']],
    [
      'of a type that others speak of only within',
      'export interface A { a: 1 }\nexport const f = () => { const a: A = 1; };',
      "import { f } from './x.ts';",
      ['x.ts A'],
    ],
    [
      'of a function, a class, parts of an object',
      'export function f() {}\nexport class C {}\nexport const { a, b: [c] } = o;',
      '',
      ['x.ts f', 'x.ts C', 'x.ts a', 'x.ts c'],
    ],
    ['by default', 'export default 1;', '', ['x.ts default']],
    [
      'that has another name in between',
      'const a = 1;\nexport { a as b };',
      "import { a } from './x.ts';",
      ['x.ts b'],
    ],
    ['that is imported from elsewhere', 'export const a = 1;', "import { a } from './z.ts';", ['x.ts a']],
    ['that is handed on to nobody', 'export const a = 1;', "export { a } from './x.ts';", ['y.ts a']],
  ])('%s', (_, x, y, found) => {
    expect(unusedIn({ 'x.ts': x, 'y.ts': y })).toStrictEqual(found);
  });

  it('but not a type of which another one speaks', () => {
    const x = 'export interface A { a: 1 }\nexport const f = (a: A) => a;';
    expect(unusedIn({ 'x.ts': x, 'y.ts': "import { f } from './x.ts';" })).toStrictEqual([]);
  });

  it.each([
    ['that is imported', "import { a } from './x.ts';"],
    ['that is imported as a type', "import type { a } from './x.ts';"],
    ['that is imported by another name', "import { a as b } from './x.ts';"],
    ['of a namespace', "import * as x from './x.ts';"],
    ['of a module that is imported at run time', "await import('./x.ts');"],
    ['of a module whose type is named in place', "type A = import('./x.ts').a;"],
    ['of a module that is run by its path', "new Worker(new URL('./x.ts', import.meta.url));"],
    ['of a module that is named by its path', "await import(new URL('x.ts', ROOT).href);"],
  ])('but not one %s', (_, y) => {
    expect(unusedIn({ 'x.ts': 'export const a = 1;', 'y.ts': y })).toStrictEqual([]);
  });
});
