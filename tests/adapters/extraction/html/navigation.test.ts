import { describe, expect, it } from 'vitest';
import { markdownOf, textOf } from './page-text.ts';

describe('lines of a page that lead to other pages', () => {
  it.each([
    [
      'a row of arrows in brackets',
      '<table><tr><td>[<a href="a.html"> &lt;&lt; </a>]</td><td>[<a href="b.html"> Up </a>]</td><td>[<a href="c.html"> &gt; </a>]</td></tr></table>',
    ],
    [
      'labels before links that say what they are',
      '<div><p>Previous: <a href="a.html" rel="prev">Colours</a>, Up: <a href="b.html" rel="up">Tools</a> &nbsp; [<a href="c.html" rel="contents">Contents</a>]</p></div>',
    ],
    ['an arrow before words', '<p><a href="a.html">&lt; Prev</a> <a href="b.html">Home</a></p>'],
  ])('are left out: %s', (_, markup) => {
    expect(textOf(`<h1>A</h1><p>before</p>${markup}<p>behind</p>`)).toBe('A\n\nbefore\n\nbehind');
    expect(textOf(`<h1>A</h1><ul><li>${markup}<li>item</ul>`)).toBe('A\n\n- item');
    expect(textOf(`<h1>A</h1><ul><li>${markup}<br>item</ul>`)).toBe('A\n\n- item');
    expect(markdownOf(`<h1>A</h1><p>before</p>${markup}<p>behind</p>`)).toBe('A\n\nbefore\n\nbehind');
  });

  it.each([
    ['a list of links', '<p><a href="a.html">ALTER</a>, <a href="b.html">DROP</a>', 'ALTER, DROP'],
    ['a link alone', '<p><a href="a.html">-></a>', '->'],
    [
      'rows of an index',
      '<table><tr><td><a href="a.html">&lt;IfFile&gt;</a><td><a href="b.html">core</a></table>',
      '<IfFile> | core',
    ],
    [
      'a sentence with a link that leads on',
      '<p>Read <a rel="next" href="a.html">the next part</a>.',
      'Read the next part.',
    ],
    ['words with arrows', '<p><a href="a.html">File</a> > <a href="b.html">Open</a>', 'File > Open'],
    ['code', '<pre><a href="a.html">&lt;&lt;</a> <a href="b.html">&gt;&gt;</a></pre>', '<< >>'],
  ])('are none, and stay: %s', (_, markup, text) => {
    expect(textOf(`<h1>A</h1>${markup}`)).toBe(`A\n\n${text}`);
  });

  it('are left out above the first heading where they are a trail, or nothing but links', () => {
    const trail = '<div><a href="a.html">Home</a> &gt; <a href="b.html">Docs</a></div>';
    const menu = '<ul><li><a href="a.html">Home</a><li><a href="b.html">Search</a></ul>';
    expect(textOf(`${trail}${menu}<p>kept</p><h1>Title</h1>text of the page`)).toBe(
      'kept\n\nTitle\n\ntext of the page',
    );
    expect(textOf(`${menu}<h1>The title of the page</h1>`)).toBe('The title of the page');
    expect(textOf(`<p>Home</p><h1>Title</h1><p><a href="a.html">Home</a></p>`)).toBe('Home\n\nTitle\n\nHome');
    expect(textOf(`<h1>T</h1>${menu}`)).toBe('T\n\n- Home\n- Search');
  });

  it.each(['tocframe', 'toc-sidebar', 'sidebar-toc', 'md-sidebar', 'wy-nav-side', 'book-summary'])(
    'are left out as contents of the whole site beside the page: %s',
    (name) => {
      const contents = '<ul><li><a href="a.html">Chapter one</a><li>Chapter two</ul>';
      expect(textOf(`<h1>A</h1><p>text</p><div id="${name}">${contents}</div>`)).toBe('A\n\ntext');
      expect(textOf(`<h1>A</h1><p>text</p><div class="x ${name}">${contents}</div>`)).toBe('A\n\ntext');
      expect(textOf(`<h1>A</h1><div class="toc">${contents}</div>`)).toBe(
        'A\n\n- Chapter one\n- Chapter two',
      );
    },
  );

  it('stay where they are most of a page, or all of it', () => {
    const menu = '<ul><li><a href="a.html">Chapter one</a><li><a href="b.html">Chapter two</a></ul>';
    expect(textOf(menu)).toBe('- Chapter one\n- Chapter two');
    expect(textOf(`${menu}<h4>Contact</h4>`)).toBe('- Chapter one\n- Chapter two\n\nContact');
  });

  it('are told in time that is linear', () => {
    const line = '<a href="a.html">&lt;</a> | '.repeat(40_000);
    expect(textOf(`<h1>A</h1><p>${line}`)).toHaveLength('A\n\n'.length + 40_000 * 4 - 1);
  });
});

describe('what conventions of names say', () => {
  it.each([
    '<div class="footer">x</div>',
    '<div id="footer">x<div>y</div></div>',
    '<ul class="nav pills"><li>x</ul>',
    '<div id="sidebar">x</div>',
    '<div class="nav-panel">x</div>',
    '<div role="tooltip">x</div>',
  ])('is no content of the page: %s', (markup) => {
    expect(textOf(`<p>a</p>${markup}<p>b</p>`)).toBe('a\n\nb');
  });

  it('is content of tables, and of names that only contain such a word', () => {
    expect(textOf('<table><tr><td>a<td>1<tr class="footer"><td>sum<td>1</table>')).toBe('a | 1\nsum | 1');
    expect(textOf('<p class="footer-note">a</p><p id="footers">b<p class="prefooter">c')).toBe('a\n\nb\n\nc');
  });
});

describe('signs that link within a page', () => {
  it.each([
    [
      'a line',
      '<p>diary on<a href="#d" class="anchor"> &para;</a></p><p>Keeps a log.',
      'diary on\n\nKeeps a log.',
    ],
    ['a sign before its text', '<p>a</p><p><a href="#b">#</a>b', 'a\n\nb'],
    ['an item', '<ul><li><a href="#b"><span class="x">§</span></a> b</ul>', '- b'],
    ['words around it', '<p>a<a href="#b"> ¶</a>b', 'a b'],
  ])('are left out: %s', (_, markup, text) => {
    expect(textOf(markup)).toBe(text);
  });

  it.each([
    [
      'a reference of Sphinx',
      '<p>Done.  <a class="footnote-reference brackets" href="#id7">14</a> Next.',
      'Done. Next.',
    ],
    ['a raised number', '<p>Done.<sup><a href="#n3">[3]</a></sup> Next.', 'Done. Next.'],
    [
      'brackets of their own',
      '<p>Done.<a class="footnote-reference" href="#n"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a> Next.',
      'Done. Next.',
    ],
    ['the way back', '<dl class="footnote"><dt><a href="#r1">1</a></dt><dd>The note.', 'The note.'],
  ])('are left out where they are numbers of notes: %s', (_, markup, text) => {
    expect(textOf(markup)).toBe(text);
  });

  it.each([
    ['the sign of a term, by which names are told', '<dl><dt>y = f (x)<a href="#f"> ¶</a>', 'y = f (x) ¶'],
    ['that sign from a font of icons', '<dl><dt>max_a<a href="#a"> \uf0c1</a></dt><dd>b', 'max_a ¶\n\nb'],
    ['a number that is text', '<p>see section <a href="#s5">5</a>.', 'see section 5.'],
    ['words', '<p>see <a href="#s"># of rows</a> or <a href="#t">§ 5</a>.', 'see # of rows or § 5.'],
    ['a sign that leads elsewhere', '<p>the <a href="hash.html">#</a> sign', 'the # sign'],
    ['a letter by which a table refers', '<p>box<sup><a href="#a">[a]</a></sup>', 'box[a]'],
  ])('stay: %s', (_, markup, text) => {
    expect(textOf(markup)).toBe(text);
  });
});
