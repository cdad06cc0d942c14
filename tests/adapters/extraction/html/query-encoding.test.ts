import { describe, expect, it } from 'vitest';
import { readPage } from '../../../../adapters/extraction/html/read-page.ts';

const factsOf = (html: string, encoding: string) =>
  readPage(html, { url: 'https://a.example/', robotName: null, encoding }).facts;
const linkOf = (href: string, encoding: string): string | undefined =>
  factsOf(`<a href="${href}">x</a>`, encoding).links[0];

describe('the query of a link', () => {
  it.each([
    ['/search?kw=中文', 'gbk', 'https://a.example/search?kw=%D6%D0%CE%C4'],
    ['/search?kw=中文', 'gb18030', 'https://a.example/search?kw=%D6%D0%CE%C4'],
    ['?q=straße&amp;p=1#über', 'windows-1252', 'https://a.example/?q=stra%DFe&p=1'],
    ['?q=привет', 'windows-1251', 'https://a.example/?q=%EF%F0%E8%E2%E5%F2'],
    ['?q=привет', 'koi8-r', 'https://a.example/?q=%D0%D2%C9%D7%C5%D4'],
    ['?q=日本', 'shift_jis', 'https://a.example/?q=%93%FA%96{'],
    ['?q=日本', 'euc-jp', 'https://a.example/?q=%C6%FC%CB%DC'],
    ['?q=한국', 'euc-kr', 'https://a.example/?q=%C7%D1%B1%B9'],
    ['?q=中文', 'big5', 'https://a.example/?q=%A4%A4%A4%E5'],
    ['?q=€', 'iso-8859-2', 'https://a.example/?q=%26%238364%3B'],
    ['?q=中', 'utf-8', 'https://a.example/?q=%E4%B8%AD'],
    ['?q=中', 'utf-16le', 'https://a.example/?q=%E4%B8%AD'],
    ['?q=%D6%D0 x', 'gbk', 'https://a.example/?q=%D6%D0%20x'],
  ])('%s on a page in %s leads to %s', (href, encoding, url) => {
    expect(linkOf(href, encoding)).toBe(url);
  });

  it('has the encoding of the page alone: its path is in UTF-8', () => {
    expect(linkOf('/中?q=中', 'gbk')).toBe('https://a.example/%E4%B8%AD?q=%D6%D0');
  });

  it('is so in canonical URLs and refreshes too', () => {
    const html =
      '<link rel="canonical" href="/?q=中"><meta http-equiv="refresh" content="0; url=/r?q=中"><p>x</p>';
    expect(factsOf(html, 'gbk')).toMatchObject({
      canonical: 'https://a.example/?q=%D6%D0',
      refresh: 'https://a.example/r?q=%D6%D0',
    });
  });
});
