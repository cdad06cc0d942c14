import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readCode } from '../../../../adapters/extraction/code/read-code.ts';

const outline = async (fileName: string, text: string) =>
  (await readCode(fileName, text))?.map(({ headingPath, lines }) => [
    headingPath.join(' > '),
    lines!.first,
    lines!.last,
  ]);
/** Longer than what is kept together. */
const long = (indent: string): string =>
  Array.from({ length: 100 }, (_, n) => `${indent}run(${n});`).join('\n\n');

describe('readCode', () => {
  it('gives each definition a unit of its own, with its comments and decorators, under its name', async () => {
    const text = `import os

# What birds do.
@traced
def sing(loud):
    return loud

class Wren:
    pass
`;
    expect(await outline('birds.py', text)).toEqual([
      ['', 1, 1],
      ['sing', 3, 6],
      ['Wren', 8, 9],
    ]);
  });

  it('cuts a large class at its methods, which stand under its name', async () => {
    const text = `export class Log {
  #size = 0;

  /** Adds one. */
  async append(event: Event) {
${long('    ')}
  }

  get size() { return this.#size; }
}
const after = 1;`;
    const units = (await readCode('log.ts', text))!;
    expect(units.map(({ headingPath }) => headingPath.join(' > '))).toEqual([
      'Log',
      'Log > append',
      'Log > append',
      'Log > size',
      'after',
    ]);
    expect(units[1]!.text).toMatch(/^ {2}\/\*\* Adds one\. \*\//);
    expect(units[3]!.text).toBe('  get size() { return this.#size; }\n}');
  });

  it.each([
    ['a.js', 'export const add = (a, b) => a + b;', 'add'],
    ['a.tsx', 'export default function App(): X { return <b>x</b>; }', 'App'],
    ['a.ts', 'declare namespace N { }', 'N'],
    ['a.ts', 'interface Store<T> { get(): T }', 'Store'],
    ['A.java', '@Ann public record Point(int x) { }', 'Point'],
    ['a.cpp', 'template<class T> T* n::Foo::q(T a) { return 0; }', 'n::Foo::q'],
    ['a.h', 'typedef struct { int a; } Point;', 'Point'],
    ['a.rs', '#[test]\nfn works() {}', 'works'],
    ['a.rs', 'impl<T> Bar\n  for Foo { fn m() {} }', 'impl<T> Bar for Foo'],
    ['a.go', 'func (s *Store) Get(id int) string { return "" }', 'Get'],
    ['a.go', 'type Store struct { a int }', 'Store'],
    ['a.php', '<?php\ninterface Shape { function area(); }', 'Shape'],
  ])('knows the name of a definition: %s %j', async (fileName, text, name) => {
    const units = (await readCode(fileName, text))!;
    expect(units.at(-1)!.headingPath).toEqual([name]);
  });

  it('cuts code without a parser at empty lines', async () => {
    const block = `job:\n${'  step: some work that is done\n'.repeat(25)}`;
    const units = (await readCode('ci.yml', [block, block, block].join('\n')))!;
    expect(units.map(({ lines }) => lines)).toEqual([
      { first: 1, last: 26 },
      { first: 28, last: 53 },
      { first: 55, last: 80 },
    ]);
    expect(units.every(({ text }) => text.startsWith('job:'))).toBe(true);
  });

  it.each(['notes.txt', 'README', 'a.md', 'constructor', 'go'])('leaves %s to others', async (fileName) => {
    expect(await readCode(fileName, 'some words')).toBeNull();
  });

  it.each(['Makefile', 'Dockerfile', 'a.YML'])('knows %s by its name', async (fileName) => {
    expect(await readCode(fileName, 'all:')).toHaveLength(1);
  });

  it.each(['', '\n\n', '  \r\n'])('makes nothing of %j', async (text) => {
    expect(await readCode('a.ts', text)).toEqual([]);
  });

  it('reads code that is broken, or nests without end', async () => {
    const text = `class A { m( { \n${'{'.repeat(20_000)}\nfunction after() { return 1 }`;
    const units = (await readCode('a.js', text))!;
    expect(units.map((unit) => unit.text).join('\n')).toContain('function after()');
    const nested = 'class A {\n'.repeat(3_000);
    expect((await readCode('A.java', nested))!.at(-1)!.lines!.last).toBe(3_000);
  });

  it('keeps every line that is not empty, once, in order, whatever the code is', async () => {
    const line = fc.constantFrom(
      'class A {',
      '}',
      'def f(x):',
      '    return x',
      'function g() {',
      '// a comment',
      '/* open',
      '*/',
      '',
      '@decorated',
      "'use' `template",
      'x'.repeat(700),
    );
    const names = fc.constantFrom('a.py', 'a.ts', 'a.js', 'A.java', 'a.cpp', 'a.rs', 'a.go', 'a.php', 'a.sh');
    const ends = fc.constantFrom('\n', '\r\n', '\r');
    await fc.assert(
      fc.asyncProperty(names, ends, fc.array(line, { maxLength: 40 }), async (fileName, end, lines) => {
        const units = (await readCode(fileName, lines.join(end)))!;
        const read = units.flatMap(({ text, lines: at }) => {
          expect(text.split('\n')).toEqual(lines.slice(at!.first - 1, at!.last));
          return text.split('\n');
        });
        expect(read.filter((each) => each !== '')).toEqual(lines.filter((each) => each !== ''));
      }),
    );
  });
});
