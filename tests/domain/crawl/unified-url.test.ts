import fc from 'fast-check';
import { otherSpellings, unifiedUrl } from '../../../domain/crawl/unified-url.ts';
import { describe, expect, it } from 'vitest';

const unified = (url: string): string => unifiedUrl(new URL(url)).href;

describe('a unified URL', () => {
  it.each([
    ['https://a.example/?utm_source=x&utm_medium=m', 'https://a.example/'],
    ['https://a.example/p?b=2&gclid=1&a=1&UTM_Campaign=x', 'https://a.example/p?b=2&a=1'],
    ['https://a.example:8443/p?', 'https://a.example:8443/p'],
    ['https://a.example/p?fbclid=1', 'https://a.example/p'],
    ['https://a.example/p;jsessionid=0A1B.node2', 'https://a.example/p'],
    ['https://a.example/p;JSESSIONID=0A1B;v=1/q?x', 'https://a.example/p;v=1/q?x'],
    ['https://a.example/;jsessionid=0A1B', 'https://a.example/'],
    ['https://a.example/(S(lit3py55t21z5v55vlm25s55))/home.aspx', 'https://a.example/home.aspx'],
    ['https://a.example/p?PHPSESSID=abc&id=7', 'https://a.example/p?id=7'],
    ['https://a.example/p?sid=5f2a9c0b7d1e4f3a9c0b7d1e4f3a9c0b', 'https://a.example/p'],
    [
      'https://a.example/(X(1)S(lit3py55t21z5v55vlm25s55))/p?AspxAutoDetectCookieSupport=1',
      'https://a.example/p',
    ],
    ['https://a.example/p%3Bjsessionid=0A1B!-12!34%3bv=1?x', 'https://a.example/p%3Bv=1?x'],
    ['https://a.example/p?x=1&session-id=5f2a9c0b7d1e4f3a9c0b', 'https://a.example/p?x=1'],
    ['https://a.example/p?SAPSESSIONID=5f2a9c0b7d1e4f3a9c0b!1', 'https://a.example/p'],
    ['https://a.example/p?pk_campaign=x&pk_kwd=y', 'https://a.example/p'],
    ['https://a.example/%7ebob/%7Ebob/~bob', 'https://a.example/~bob/~bob/~bob'],
    ['https://a.example/a%2fb%c3%9f?q=%7e%2f', 'https://a.example/a%2Fb%C3%9F?q=~%2F'],
  ])('%s is %s', (url, expected) => {
    expect(unified(url)).toBe(expected);
  });

  it.each([
    'https://a.example/p?sid=12',
    'https://a.example/p?s=how+to',
    'https://a.example/agenda?session_id=12',
    'https://a.example/agenda?session=keynote-of-day-1-in-hall-2',
    'https://a.example/item?pk_id=3',
    'https://a.example/(x(1))/p',
    'https://a.example/p?b=2&a=1&c',
    'https://a.example/docs/',
    'https://a.example/docs/index.html',
    'https://a.example/a;v=2',
    'https://a.example/p?q=a+b%20c&&d',
  ])('%s stays as it is', (url) => {
    expect(unified(url)).toBe(url);
  });

  it('is its own unified URL', () => {
    const parts = fc.constantFrom('/', 'a', '%7E', '%2f', ';sid=1', '?', '&', 'utm_a=1', 'x=1', '%', '.');
    fc.assert(
      fc.property(fc.array(parts), (text) => {
        const once = unified(new URL(`https://a.example/${text.join('')}`).href);
        expect(unified(once)).toBe(once);
      }),
    );
  });

  it('has other spellings: with a slash at its end, without, and by the name of an index file', () => {
    expect(otherSpellings(new URL('https://a.example/docs?x=1'))).toContain(
      'https://a.example/docs/index.html?x=1',
    );
    expect(otherSpellings(new URL('https://a.example/docs'))).toContain('https://a.example/docs/');
    expect(otherSpellings(new URL('https://a.example/docs/index.html'))).toContain('https://a.example/docs');
    expect(otherSpellings(new URL('https://a.example/index.html'))).toContain('https://a.example/');
    expect(otherSpellings(new URL('https://a.example/docs'))).not.toContain('https://a.example/docs');
  });
});
