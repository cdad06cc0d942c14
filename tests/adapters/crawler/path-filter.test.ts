import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePathFilter } from '../../../adapters/crawler/pattern-compiler.ts';

const passes = (pattern: string, path: string): boolean => compilePathFilter([pattern])(path);

describe('compilePathFilter', () => {
  it.each([
    ['/docs/**', '/docs/a/b.html', true],
    ['/docs/**', '/docs/', true],
    ['/docs/**', '/docs', true],
    ['/docs/**', '/docsx/a', false],
    ['docs/**', '/docs/a', true],
    ['/docs/*', '/docs/a', true],
    ['/docs/*', '/docs/a/', true],
    ['/docs/*', '/docs/a/b', false],
    ['/docs/', '/docs', true],
    ['/**/*.html', '/a.html', true],
    ['/**/*.html', '/x/y/a.html', true],
    ['/a/**/z', '/a/z', true],
    ['/a/**/z', '/a/b/c/z', true],
    ['/a/**/z', '/az', false],
    ['**', '/anything/at/all', true],
    ['/', '/', true],
    ['/', '/a', false],
    ['/v?', '/v1', true],
    ['/v?', '/v/', false],
    ['/v[0-9]', '/v7', true],
    ['/v[!0-9]', '/v7', false],
    ['/v[!0-9]', '/vx', true],
    ['/{en,de}/**', '/de/x', true],
    ['/{en,de}/**', '/fr/x', false],
    ['/{a,b{c,d}}', '/bd', true],
    ['/*', '/.hidden', true],
    ['/a.c', '/abc', false],
    ['/wiki/Foo_(bar)', '/wiki/Foo_(bar)', true],
    ['/a\\*b', '/a*b', true],
    ['/a\\*b', '/axb', false],
    ['/größe/*', '/gr%C3%B6%C3%9Fe/x', true],
    ['/%zz', '/%zz', true],
  ])('%s against %s: %s', (pattern, path, expected) => {
    expect(passes(pattern, path)).toBe(expected);
  });

  it('wants one match among several, and none among the excluded', () => {
    const filter = compilePathFilter(['/docs/**', '/blog/**', '!/docs/old/**', '!**/*.pdf']);
    expect(['/docs/a', '/blog/b', '/docs/old/a', '/blog/x.pdf', '/shop'].map(filter)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it('passes what is not excluded where there are only exclusions', () => {
    const filter = compilePathFilter(['!/private/**']);
    expect([filter('/a'), filter('/private/a')]).toEqual([true, false]);
  });

  it.each(['/a[b', '/{a,b', '/a}', '/{1..9}', '/a\\', `/${'{a,'.repeat(6)}b${'}'.repeat(6)}`, '/[z-a]'])(
    'refuses %s',
    (pattern) => {
      expect(() => compilePathFilter([pattern])).toThrow(
        expect.objectContaining({ code: 'pattern_invalid' }),
      );
    },
  );

  it.each([`/${'*a'.repeat(900)}*b`, `/{${'*,'.repeat(900)}}`, `/${'**/'.repeat(600)}b`])(
    'refuses the enormous pattern %.20s, and says what there is too much of',
    (pattern) => {
      expect(() => compilePathFilter([pattern])).toThrow(
        /too large, it has \d+ wildcards .*, and 700 are allowed: use fewer, or fewer patterns$/,
      );
    },
  );

  it('takes all that the interface allows: 2,000 characters, in one pattern or in hundreds', () => {
    const long = compilePathFilter([`/${'a'.repeat(1999)}`]);
    expect([long(`/${'a'.repeat(1999)}`), long(`/${'a'.repeat(1998)}`)]).toEqual([true, false]);
    const globs = Array.from({ length: 100 }, (_, i) => `/docs/chapters-${100 + i}/*`);
    expect(globs.join('').length).toBe(2000);
    const many = compilePathFilter(globs);
    expect([many('/docs/chapters-199/page'), many('/docs/chapters-200/page')]).toEqual([true, false]);
    const short = compilePathFilter(Array.from({ length: 400 }, (_, i) => `/${100 + i}*`));
    expect([short('/499x'), short('/500x')]).toEqual([true, false]);
    expect(compilePathFilter([`/${'?'.repeat(1999)}`])(`/${'a'.repeat(1999)}`)).toBe(true);
  });

  it('answers at once where a backtracking engine would not', () => {
    const filter = compilePathFilter([`/${'*a'.repeat(20)}*b`, `/${'**/a/'.repeat(20)}b`, '/+(+(a))']);
    expect(filter(`/${'a'.repeat(2000)}`)).toBe(false);
    expect(filter(`/${'a/'.repeat(1000)}c`)).toBe(false);
  });

  it('matches every literal path as itself once its letters are escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
        const path = `/x${text.replaceAll('/', '')}x`;
        const escaped = path.replace(/[\\*?[\]{},!]/g, '\\$&');
        expect(passes(escaped, path.split('/').map(encodeURIComponent).join('/'))).toBe(true);
      }),
    );
  });
});
