import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRobots } from '../../../adapters/crawler/robots-rules.ts';

const allows = (lines: readonly string[], path: string, robot = 'knowledgerbot'): boolean =>
  parseRobots(lines.join('\n'), robot).allows(path);

describe('parseRobots', () => {
  it('allows everything where nothing is said', () => {
    expect(allows([], '/')).toBe(true);
    expect(allows(['User-agent: *', 'Disallow:'], '/a')).toBe(true);
    expect(allows(['Disallow: /'], '/a')).toBe(true);
    expect(allows(['<html>not found</html>'], '/a')).toBe(true);
  });

  it('takes the group that names the robot, in any case and with a version, and only that one', () => {
    const lines = ['User-agent: *', 'Disallow: /', '', 'User-Agent: KnowledgerBot/2.0', 'Disallow: /private'];
    expect(allows(lines, '/public')).toBe(true);
    expect(allows(lines, '/private/a')).toBe(false);
    expect(allows(lines, '/public', 'otherbot')).toBe(false);
    expect(allows(['User-agent: knowledger', 'Disallow: /'], '/')).toBe(true);
  });

  it('knows a robot with a digit or a dot in its name, and goes by the rules of all where it has no name', () => {
    const all = ['user-agent: *', 'disallow: /all'];
    const lines = [...all, 'user-agent: bot2', 'disallow: /own', 'user-agent: 3com', 'disallow: /odd'];
    expect(['/all', '/own'].map((path) => allows(lines, path, 'bot2'))).toEqual([true, false]);
    expect(['/all', '/own'].map((path) => allows(lines, path, 'bot.example'))).toEqual([true, false]);
    for (const robot of ['', '(odd)', '3com'])
      expect(['/all', '/odd'].map((path) => allows(lines, path, robot))).toEqual([false, true]);
  });

  it('merges all groups that name the robot, and shares rules among consecutive names', () => {
    const lines = ['user-agent: a', 'user-agent: knowledgerbot', 'disallow: /x', 'user-agent: knowledgerbot'];
    lines.push('disallow: /y', 'user-agent: b', 'disallow: /z');
    expect(['/x', '/y', '/z'].map((path) => allows(lines, path))).toEqual([false, false, true]);
  });

  // Examples of RFC 9309, section 5.2 and section 2.2.3.
  it.each([
    ['/example/page/disallow.gif', false],
    ['/example/page/', true],
    ['/example/', true],
    ['/other', true],
  ])('lets the longest match decide: %s is %s', (path, expected) => {
    const lines = ['User-Agent: *', 'Allow: /example/page/', 'Disallow: /example/page/disallow.gif'];
    expect(allows([...lines, 'Disallow: /example/page/*.png$'], path)).toBe(expected);
  });

  it.each([
    ['/*.php', '/index.php', true],
    ['/*.php', '/index.php?x=1', true],
    ['/*.php$', '/index.php?x=1', false],
    ['/*.php$', '/a/b.php', true],
    ['/fish', '/catfish', false],
    ['/a*b*c', '/a-b-c-d', true],
    ['/a*b*c', '/a-c-b', false],
    ['/$', '/', true],
    ['/$', '/a', false],
    ['*', '/anything', true],
    ['/ü', '/%C3%BC', true],
    ['/%c3%bc', '/%C3%BC', true],
    ['/%7Efoo', '/~foo', true],
    ['/a%2Fb', '/a/b', false],
    ['/q?a=*&b', '/q?a=1&b', true],
    ['no-slash', '/no-slash', false],
  ])('matches %s against %s: %s', (pattern, path, matched) => {
    expect(allows(['user-agent: *', `disallow: ${pattern}`], path)).toBe(!matched);
  });

  it('matches as a regular expression of the same meaning does', () => {
    const pattern = fc
      .array(fc.constantFrom('a', 'b', '*', '/'), { maxLength: 8 })
      .map((parts) => `/${parts.join('')}`);
    const path = fc
      .array(fc.constantFrom('a', 'b', '/'), { maxLength: 10 })
      .map((parts) => `/${parts.join('')}`);
    fc.assert(
      fc.property(pattern, fc.boolean(), path, (text, anchored, url) => {
        const regex = new RegExp(`^${text.replaceAll('*', '.*')}${anchored ? '$' : ''}`);
        expect(allows(['user-agent: *', `disallow: ${text}${anchored ? '$' : ''}`], url)).toBe(
          !regex.test(url),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('always allows robots.txt itself', () => {
    expect(allows(['user-agent: *', 'disallow: /'], '/robots.txt')).toBe(true);
  });

  it('reads comments, blanks, a byte order mark and every kind of line end', () => {
    const text = '\uFEFFUser-agent : * # all\r  Disallow : /a # no\r\nDisallow:/b\n';
    const rules = parseRobots(text, 'knowledgerbot');
    expect(['/a', '/b', '/c'].map((path) => rules.allows(path))).toEqual([false, false, true]);
  });

  it('reads the crawl delay of the group and the sitemaps of the file', () => {
    const lines = [
      'Sitemap: /one.xml',
      'User-agent: *',
      'Crawl-delay: 1.5',
      'Sitemap: https://example.com/two.xml',
    ];
    const rules = parseRobots(lines.join('\n'), 'knowledgerbot');
    expect(rules.crawlDelayMs).toBe(1500);
    expect(rules.sitemaps).toEqual(['/one.xml', 'https://example.com/two.xml']);
    expect(parseRobots('user-agent: *\ncrawl-delay: soon', 'knowledgerbot').crawlDelayMs).toBeNull();
    expect(parseRobots('user-agent: *\ncrawl-delay: -1', 'knowledgerbot').crawlDelayMs).toBeNull();
  });

  it('waits as long as the group that asks for the most, of all that name the robot', () => {
    const groups = [1, 3, 2].map((seconds) => `user-agent: knowledgerbot\ncrawl-delay: ${seconds}`);
    expect(parseRobots(groups.join('\n'), 'knowledgerbot').crawlDelayMs).toBe(3_000);
  });

  it('answers at once on patterns made to be slow', () => {
    const lines = ['user-agent: *', ...Array.from({ length: 250 }, () => `disallow: /*${'a'.repeat(1900)}b`)];
    lines.push(`disallow: /${'*a'.repeat(900)}*b`);
    expect(allows(lines, `/${'a'.repeat(1990)}`)).toBe(true);
  });
});
