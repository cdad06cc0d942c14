import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  MAX_URL_LENGTH,
  pageIdentity,
  parseCrawlUrl,
  describeUrlRefusal,
  sameSite,
  redactedUrl,
} from '../../../domain/crawl/crawl-scope.ts';
import { anyCharacter } from '../../support/any-character.ts';

const href = (text: string, base?: string): string => {
  const parsed = parseCrawlUrl(text, base);
  return parsed.ok ? parsed.url.href : parsed.reason;
};

describe('parseCrawlUrl', () => {
  it('drops the fragment and the default port and keeps everything else', () => {
    expect(href('HTTP://Example.com:80/A/?b=2&a=1&utm_source=x#top')).toBe(
      'http://example.com/A/?b=2&a=1&utm_source=x',
    );
    expect(href('https://example.com:443/a#')).toBe('https://example.com/a');
    expect(href('https://example.com:8443/a/')).toBe('https://example.com:8443/a/');
    expect(href('https://example.com/%7Ea//b?')).toBe('https://example.com/%7Ea//b?');
  });

  it('resolves a relative reference against its base', () => {
    expect(href('../c?x=1', 'https://example.com/a/b/')).toBe('https://example.com/a/c?x=1');
    expect(href('//other.example/x', 'https://example.com/')).toBe('https://other.example/x');
  });

  it.each([
    ['ftp://example.com/', 'scheme_not_allowed'],
    ['file:///etc/passwd', 'scheme_not_allowed'],
    ['javascript:alert(1)', 'scheme_not_allowed'],
    ['https://user:secret@example.com/', 'credentials_in_url'],
    ['https://user@example.com/', 'credentials_in_url'],
    ['https://:secret@example.com/', 'credentials_in_url'],
    ['/no/base', 'malformed'],
    ['http://', 'malformed'],
    ['http://exa mple/', 'malformed'],
    [`https://example.com/${'a'.repeat(MAX_URL_LENGTH)}`, 'url_too_long'],
    [`https://example.com/${'é'.repeat(400)}`, 'url_too_long'],
    [`data:text/html,${'a'.repeat(2 * MAX_URL_LENGTH)}`, 'url_too_long'],
  ])('refuses %.40s as %s', (text, reason) => {
    expect(href(text)).toBe(reason);
  });

  it('takes a URL of the greatest length, and a text twice as long where blanks are cut from it', () => {
    const longest = 'https://example.com/'.padEnd(MAX_URL_LENGTH, 'a');
    expect(href(longest)).toBe(longest);
    expect(href(`${longest}a`)).toBe('url_too_long');
    expect(href('https://example.com/'.padEnd(2 * MAX_URL_LENGTH))).toBe('https://example.com/');
    expect(href('https://example.com/'.padEnd(2 * MAX_URL_LENGTH + 1))).toBe('url_too_long');
  });

  it('is its own fixed point', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme-ascii' }), (path, more) => {
        const once = href(`https://example.com/${path}?${more}`);
        fc.pre(once !== 'url_too_long');
        expect(href(once)).toBe(once);
      }),
    );
  });
});

describe('sameSite', () => {
  const same = (one: string, other: string): boolean => sameSite(new URL(one), new URL(other));

  it('counts http and https, with and without www, as one site on the default ports', () => {
    expect(same('http://example.com/a', 'https://www.example.com/b')).toBe(true);
    expect(same('https://www.example.com/', 'https://example.com/')).toBe(true);
  });

  it('wants the same origin where a port is given', () => {
    expect(same('http://example.com:8080/', 'http://example.com:8080/x')).toBe(true);
    expect(same('http://example.com:8080/', 'https://example.com:8080/')).toBe(false);
    expect(same('http://example.com:8080/', 'http://example.com/')).toBe(false);
  });

  it('tells subdomains and look-alikes apart', () => {
    expect(same('https://docs.example.com/', 'https://example.com/')).toBe(false);
    expect(same('https://wwwexample.com/', 'https://example.com/')).toBe(false);
    expect(same('https://docs.www.example.com/', 'https://docs.example.com/')).toBe(false);
  });
});

describe('pageIdentity', () => {
  const answered = new URL('https://example.com/a?session=1');
  const identity = (declared: string | null, off = false): string =>
    pageIdentity(answered, declared, off).href;

  it('is the declared canonical URL of the same site', () => {
    expect(identity('https://www.example.com/a#x')).toBe('https://www.example.com/a');
  });

  it('is the URL that answered where none is declared, a foreign or broken one is, or the check is off', () => {
    expect(identity(null)).toBe(answered.href);
    expect(identity('https://other.example/a')).toBe(answered.href);
    expect(identity('ftp://example.com/a')).toBe(answered.href);
    expect(identity('https://example.com/a', true)).toBe(answered.href);
  });
});

describe('describeUrlRefusal', () => {
  it.each([
    ['malformed', 'an address that is not a URL'],
    ['scheme_not_allowed', 'an address that is neither http nor https'],
    ['credentials_in_url', 'an address with a user name or a password'],
    ['url_too_long', 'an address of more than 2000 characters'],
  ] as const)('says %s as %s', (reason, words) => expect(describeUrlRefusal(reason)).toBe(words));
});

describe('redactedUrl', () => {
  it.each([
    ['https://user:secret@example.com/a', 'https://example.com/a'],
    ['http://user@example.com/?q=a@b', 'http://example.com/?q=a@b'],
    ['ftp://example.com/a', 'ftp://example.com/a'],
    ['ftp://user:secret@example.com/a', null],
    ['xhttp://user:secret@example.com/a', null],
    ['user:secret%40example.com', null],
    ['no address', 'no address'],
  ])('tells %s as %s', (text, told) => expect(redactedUrl(text)).toBe(told));

  it('resolves a relative reference, whose base may hold a password', () => {
    expect(redactedUrl('../b', 'https://user:secret@example.com/a/')).toBe('https://example.com/b');
  });

  it('cuts what is long, and reads nothing that is far too long', () => {
    const secret = 'https://user:secret@example.com/';
    const plain = 'https://example.com/'.padEnd(200, 'a');
    expect(redactedUrl(secret.padEnd(2 * MAX_URL_LENGTH, 'a'))).toBe(plain);
    expect(redactedUrl(secret.padEnd(2 * MAX_URL_LENGTH + 1, 'a'))).toBeNull();
    expect(redactedUrl(plain.padEnd(2 * MAX_URL_LENGTH + 1, 'a'))).toBe(plain);
    expect(redactedUrl('https://example.com/abc', undefined, 22)).toBe('https://example.com/ab');
  });
});
