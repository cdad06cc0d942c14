import { describe, expect, it } from 'vitest';
import { markdownOf, textOf } from './page-text.ts';

describe('the term of a definition', () => {
  it.each([
    ['text', '<dl><dt>size</dt><dd>How large.</dd></dl>', 'size ¶\n\nHow large.'],
    ['a paragraph', '<dl><dt><code>size</code> (integer)\n<dd><p>4.</dl>', 'size (integer) ¶\n\n4.'],
    ['a link with words beside it', '<dl><dt>size<dd><a href="a">See</a> this.</dl>', 'size ¶\n\nSee this.'],
  ])('is signed where %s defines it', (_, html, text) => expect(textOf(html)).toBe(text));

  it('has one sign, also where its generator gave it one', () =>
    expect(textOf('<dl><dt>size<a href="#s">\uf0c1</a></dt><dd>How large.</dl>')).toBe(
      'size ¶\n\nHow large.',
    ));

  it.each([
    ['nothing follows', '<dl><dt>a<dt>b</dl><p>c', 'a\n\nb\n\nc'],
    ['an empty definition follows', '<dl><dt>a<dd><dt>b<dd>c</dl>', 'a\n\nb ¶\n\nc'],
    [
      'only terms stand below, as in a table of contents',
      '<dl><dt>1 A<dd><dl><dt>1.1 B</dl></dl>',
      '1 A\n\n1.1 B',
    ],
    [
      'only links do, as in an index',
      '<dl><dt>a<dd><a href="a">1 A</a>, <a href="b">2 B</a></dl>',
      'a\n\n1 A, 2 B',
    ],
    ['it is a label', '<dl><dt>Author:<dd>Ann</dl>', 'Author:\n\nAnn'],
  ])('is not signed where %s', (_, html, text) => expect(textOf(html)).toBe(text));

  it('within a definition belongs to that, unless it can be linked to', () => {
    const within = (id: string): string =>
      textOf(`<dl><dt>mode<dd><dl><dt${id}>fast<dd>Hurries.</dl>It is fast.<dt>size<dd>4.</dl>`);
    expect(within('')).toBe('mode ¶\n\nfast\n\nHurries.\n\nIt is fast.\n\nsize ¶\n\n4.');
    expect(within(' id="fast"')).toBe('mode ¶\n\nfast ¶\n\nHurries.\n\nIt is fast.\n\nsize ¶\n\n4.');
  });

  it('that is a heading stays a heading, and Markdown has no signs', () => {
    expect(textOf('<dl><dt><h3>Size</h3><dd>How large.</dl>')).toBe('Size\n\nHow large.');
    expect(markdownOf('<dl><dt>size<dd>How large.</dl>')).toBe('size\n\nHow large.');
  });

  it('is told in time that is linear, however deep lists nest', () => {
    // What is quadratic takes longer than a test may.
    expect(textOf('<dl><dt id="a">a<dd>x'.repeat(20_000)).length).toBeGreaterThan(40_000);
    expect(textOf('<dl><dt id="a">a<dd>'.repeat(20_000)).length).toBeGreaterThan(20_000);
  });
});
