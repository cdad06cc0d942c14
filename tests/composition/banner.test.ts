import { describe, expect, it } from 'vitest';
import { banner } from '../../composition/banner.ts';

const hints = (hasEmbeddings: boolean): readonly string[] =>
  banner('http://127.0.0.1:8080', null, { hasEmbeddings, hasConsole: false })
    .split('\n')
    .filter((line) => /\bmodel\b/.test(line));

describe('what a start prints', () => {
  it('says in one line how to get a model, and what for, where there is none', () => {
    expect(hints(false)).toEqual([expect.stringMatching(/other words.*23 MB: npm run model -- fetch \S+$/)]);
    expect(hints(true)).toEqual([]);
  });

  it('links to the console, with the first key behind #, which no browser sends', () => {
    const has = { hasEmbeddings: true, hasConsole: true };
    expect(banner('http://127.0.0.1:8080', 'kn_1', has)).toContain(
      'http://127.0.0.1:8080/console#key=kn_1\n',
    );
    expect(banner('http://127.0.0.1:8080', null, has)).toContain('http://127.0.0.1:8080/console\n');
    expect(banner('http://127.0.0.1:8080', null, { ...has, hasConsole: false })).not.toContain('console');
  });
});
