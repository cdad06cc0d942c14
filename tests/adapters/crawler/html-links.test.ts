import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readHtmlLinks } from '../../../adapters/crawler/html-links.ts';

const PAGE = 'https://example.com/docs/page.html';
const read = (html: string) => readHtmlLinks(html, PAGE, 'knowledgerbot');

describe('readHtmlLinks', () => {
  it('finds the links of anchors, image maps and frames, absolute, canonical and once each', () => {
    const { links } = read(`
      <a href="a">1</a> <A HREF='/b?x=1&amp;y=2#part'>2</A> <a href=c>3</a> <a href="/b?x=1&y=2">again</a>
      <map><area href="//other.example/d"></map> <iframe src="e"></iframe> <frame src=" f ">
      <a href="#top"></a> <a href="mailto:x@example.com"></a> <a href="javascript:void(0)"></a> <a href=""></a>
      <a href="ftp://example.com/"></a> <a href="https://user:pw@example.com/"></a> <a>no</a> <a href="http://[">bad</a>`);
    expect(links).toEqual([
      'https://example.com/docs/a',
      'https://example.com/b?x=1&y=2',
      'https://example.com/docs/c',
      'https://other.example/d',
      'https://example.com/docs/e',
      'https://example.com/docs/f',
    ]);
  });

  it('sees no links in comments, scripts, styles and text', () => {
    const { links } = read(`<!-- <a href=1> --><script>'<a href=2>'</script><style><a href=3></style>
      <textarea><a href=4></textarea><title><a href=5></title>&lt;a href=6&gt; <a href=7>`);
    expect(links).toEqual(['https://example.com/docs/7']);
  });

  it('leaves out links that the page marks nofollow', () => {
    expect(read('<a rel="external NOFOLLOW" href="a"></a><a rel="next" href="b"></a>').links).toEqual([
      'https://example.com/docs/b',
    ]);
  });

  it('resolves every link against the first base, whatever stands before it', () => {
    const html =
      '<a href="a"></a><base href="/other/"><base href="/third/"><a href="b"></a><link rel=canonical href=c>';
    expect(read(html)).toMatchObject({
      links: ['https://example.com/other/a', 'https://example.com/other/b'],
      canonical: 'https://example.com/other/c',
    });
    expect(read('<base href="data:x"><a href="a">').links).toEqual(['https://example.com/docs/a']);
    expect(read('<base target=_top><base href="/x/"><a href="a">').links).toEqual([
      'https://example.com/x/a',
    ]);
  });

  it('reads the title, its entities undone and its blanks collapsed', () => {
    expect(read('<title>\n A &amp; B\n  &eacute; </title><svg><title>no</title></svg>').title).toBe(
      'A & B é',
    );
    expect(read('<p>none').title).toBe('');
    expect(read(`<title>${'long '.repeat(1000)}`).title).toHaveLength(500);
  });

  it('reads the canonical URL, the first one', () => {
    expect(
      read('<link rel="stylesheet" href=x><link rel="CANONICAL" href="/c#d"><link rel=canonical href=/e>')
        .canonical,
    ).toBe('https://example.com/c');
    expect(read('<link rel=canonical>').canonical).toBeNull();
  });

  it.each([
    ['0;url=next.html', 'https://example.com/docs/next.html'],
    ["5; URL='/a'", 'https://example.com/a'],
    ['0, "https://other.example/"', 'https://other.example/'],
    ['1.5 ; url = b', 'https://example.com/docs/b'],
    ['30', null],
    ['0;url=', null],
    ['soon', null],
  ])('reads the refresh %j as %s', (content, target) => {
    expect(read(`<meta http-equiv=Refresh content="${content.replaceAll('"', '&quot;')}">`).refresh).toBe(
      target,
    );
  });

  it.each([
    ['<meta name="robots" content="NoIndex">', true, false],
    ['<meta name="ROBOTS" content="nofollow,noarchive">', false, true],
    ['<meta name="robots" content="none">', true, true],
    ['<meta name="knowledgerbot" content="noindex"><meta name="robots" content="nofollow">', true, true],
    ['<meta name="otherbot" content="noindex">', false, false],
    ['<meta name="robots" content="index, follow">', false, false],
  ])('reads %s', (html, noindex, nofollow) => {
    expect(read(html)).toMatchObject({ noindex, nofollow });
  });

  it('takes the first of two attributes of one name', () => {
    expect(read('<a href="a" href="b" HREF="c">').links).toEqual(['https://example.com/docs/a']);
  });

  it.each([
    ['deep nesting', '<div>'.repeat(100_000)],
    ['unclosed formatting', '<b><i><u><font>'.repeat(50_000)],
    ['nested tables', '<table><tr><td>'.repeat(50_000)],
    ['many links', Array.from({ length: 50_000 }, (_, at) => `<a href="${at}">`).join('')],
    ['one enormous link', `<a href="${'a'.repeat(1_000_000)}">`],
    ['an unfinished tag', `<a href="x" ${'y '.repeat(500_000)}`],
    ['attributes without end', `<a ${Array.from({ length: 100_000 }, (_, at) => `a${at}=1`).join(' ')}>`],
    ['brackets', '<'.repeat(1_000_000)],
    ['entities', '&amp;'.repeat(300_000)],
    ['an unclosed comment', `<!--${'-'.repeat(1_000_000)}`],
    ['an unclosed script', `<script>${'</scrip'.repeat(200_000)}`],
  ])('copes with %s, still finding the link before it', (_name, html) => {
    const { links } = read(`<a href="/first"></a>${html}`);
    expect(links[0]).toBe('https://example.com/first');
    expect(links.length).toBeLessThanOrEqual(10_000);
  });

  it('never throws, and answers only canonical links', () => {
    const piece = fc.constantFrom(
      '<a ',
      'href',
      '=',
      '"',
      "'",
      '>',
      '<',
      '/',
      '&',
      '&#x',
      '<title>',
      '</title>',
      'x',
      '<!--',
      '<base ',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 5 })), { maxLength: 40 }), (pieces) => {
        for (const link of read(pieces.join('')).links) expect(new URL(link).href).toBe(link);
      }),
    );
  });
});
