import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isNode, nameOf, type Node, parsed, walk } from './syntax.ts';

const ROOT = new URL('../../', import.meta.url);

const namesOfParams = ({ params }: Node): readonly (string | null)[] =>
  Array.isArray(params)
    ? params.filter(isNode).flatMap((one) => [...walk(one)].map(([node]) => nameOf(node)))
    : [];

/** Names after `@param` that no function of the statement or member behind the comment takes. */
const strayParams = (path: string, text: string): readonly string[] => {
  const docs = [...text.matchAll(/\/\*\*.*?\*\//gs)].filter(([doc]) => doc.includes('@param'));
  const nodes = docs.length === 0 ? [] : [...walk(parsed(path, text))].map(([node]) => node);
  return docs.flatMap(({ 0: doc, index }) => {
    const next = nodes.find(({ start }) => (start as number) >= index + doc.length);
    const taken = next === undefined ? [] : [...walk(next)].flatMap(([node]) => namesOfParams(node));
    const named = [...doc.matchAll(/@param `?(\w+)/g)].map(([, name = '']) => name);
    return named.filter((name) => !taken.includes(name)).map((name) => `${path} ${name}`);
  });
};

describe('a name after @param', () => {
  it('is a parameter of what the comment describes', () => {
    const paths = globSync('{domain,application,adapters,composition}/**/*.ts', { cwd: fileURLToPath(ROOT) });
    expect(paths.flatMap((path) => strayParams(path, readFileSync(new URL(path, ROOT), 'utf8')))).toEqual([]);
  });

  it.each([
    ['/** @param a x */ export const f = ({ a }: B) => 1;', []],
    ['interface A { /** @param b x */ readonly f: (a: string) => void; g: (b: string) => void }', ['x.ts b']],
  ])('%s', (text, found) => expect(strayParams('x.ts', text)).toEqual(found));
});
