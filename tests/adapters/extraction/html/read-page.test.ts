import { describe, expect, it } from 'vitest';
import { markdownOf, read, textOf } from './page-text.ts';

describe('the text of a page', () => {
  it('stands under its headings, each in its own text', () => {
    const { units } = read('<h1>A</h1>one<h2>B</h2><p>two<h3>C</h3>three<h2>D</h2>four');
    expect(units).toEqual([
      { headingPath: ['A'], pageNumber: 0, text: 'A\n\none' },
      { headingPath: ['A', 'B'], pageNumber: 0, text: 'B\n\ntwo' },
      { headingPath: ['A', 'B', 'C'], pageNumber: 0, text: 'C\n\nthree' },
      { headingPath: ['A', 'D'], pageNumber: 0, text: 'D\n\nfour' },
    ]);
  });

  it('collapses white space, joins inline elements, and sets blocks apart', () => {
    expect(textOf('<p>a\n <b> b</b>c<em>d</em> e&nbsp;f<p>g<br>h<div>i</div>j')).toBe(
      'a bcd e f\n\ng\nh\n\ni\nj',
    );
  });

  it('keeps the lines and the indentation of preformatted text', () => {
    expect(textOf('<p>x</p><pre>if <b>a</b>:\n    b()\n</pre>y')).toBe('x\n\nif a:\n    b()\n\n\ny');
  });

  it('writes lists with dashes and tables with bars', () => {
    expect(textOf('<ul><li>a<li><p>b</p><li></ul>c')).toBe('- a\n- b\n\nc');
    expect(textOf('<table><thead><tr><th>a<th>b<tbody><tr><td>1<td>2</table>')).toBe('a | b\n1 | 2');
  });

  it.each([
    ['navigation', '<nav>x<div>y</div></nav>'],
    ['scripts, styles and templates', '<script>x</script><style>x</style><template>x</template>'],
    ['the banner and the footer of the site', '<header>x</header><footer>x</footer>'],
    ['roles of the same kind', '<div role="navigation">x<div>y</div></div><div role=banner>x</div>'],
    ['hidden elements', '<div hidden>x</div><p style="display: none">x</p><span aria-hidden=true>x</span>'],
    ['controls', '<button>x</button><select><option>x<option>y</select><textarea>x</textarea>'],
    ['drawings, with their titles', '<svg><title>x</title><text>y</text></svg>'],
    ['generated navigation', '<div class="navheader">x<table><tr><td>y</table></div>'],
  ])('leaves out %s', (_, markup) => {
    expect(textOf(`${markup}<p>kept</p>${markup}`)).toBe('kept');
  });

  it.each([
    ['notes that are asides', '<aside class="admonition warning">x</aside>', 'x'],
    ['headers of articles and sections', '<section><header><h2>x</h2></header></section>', 'x'],
    ['the text of forms', '<form>x<input type=text></form>', 'x'],
    ['text behind a void element that is hidden', '<div><input hidden>x</div>', 'x'],
    ['text behind an unclosed hidden inline element', '<p><span hidden>no</p><p>x</p>', 'x'],
  ])('keeps %s', (_, markup, text) => {
    expect(textOf(markup)).toBe(text);
  });

  it('is that of main where there is enough, else of article, else of the body', () => {
    const [long, short] = ['long '.repeat(200).trim(), 'short'];
    expect(textOf(`<p>${short}</p><main><article>${long}</article></main>`)).toBe(long);
    expect(textOf(`<p>${short}</p><article>${long}</article>`)).toBe(long);
    expect(textOf(`<p>${long}</p><main>${short}</main>`)).toBe(`${long}\n\n${short}`);
  });

  it('drops the signs by which headings link to themselves', () => {
    expect(
      read('<h2>A<a href="#a">¶</a></h2><h2><a href="#b">#</a> B</h2><h2><a>C</a> #</h2>').units,
    ).toMatchObject([{ headingPath: ['A'] }, { headingPath: ['B'] }, { headingPath: ['C #'] }]);
  });

  it('reads every character reference and survives none', () => {
    expect(textOf('<p>&lt;a&gt; &amp; &eacute;&#x6771;&#20140; &unknown; &')).toBe('<a> & é東京 &unknown; &');
  });
});

describe('the size of a page', () => {
  it('counts start tags and their nesting, inline elements included', () => {
    expect(read('<div><b><i>x</i></b><br></div><p>y').size).toEqual({ elements: 5, depth: 3 });
    expect(read('<b><i><u>'.repeat(100)).size).toEqual({ elements: 300, depth: 300 });
    expect(read('<p>x'.repeat(100)).size.depth).toBeLessThan(3);
  });
});

describe('the facts of a page', () => {
  const facts = (html: string, url?: string | null) => read(html, url).facts;

  it('are title, language and canonical address', () => {
    const page = `<html lang="en-GB"><title> A \n B </title><link rel="stylesheet" href=x><link rel=CANONICAL href="/c">`;
    expect(facts(page)).toMatchObject({
      title: 'A B',
      language: 'en-GB',
      canonical: 'https://example.org/c',
    });
    expect(facts('<meta property="og:title" content="Shared">')).toMatchObject({ title: 'Shared' });
    expect(facts('<html lang="&lt;x&gt;">')).toMatchObject({ title: '', language: null, canonical: null });
  });

  it('are links: absolute, once, in order, from navigation too, but not nofollow or other schemes', () => {
    const page = `<nav><a href="b.html#x">b</a></nav><a href=' /c '>c</a><a href="b.html">again</a><a href="#top">top</a>
      <a href=mailto:a@b>m</a><a href=d rel="noopener NoFollow">d</a><map><area href=e></map><iframe src=f></iframe>
      <a href="https://other.example/g?a=1&amp;b=2">g</a><a href="http://[">broken</a><a>none</a>`;
    expect(facts(page).links).toEqual([
      'https://example.org/docs/b.html',
      'https://example.org/c',
      'https://example.org/docs/e',
      'https://example.org/docs/f',
      'https://other.example/g?a=1&b=2',
    ]);
  });

  it('resolve links against the base element, also where it comes late', () => {
    expect(facts('<a href=x>x</a><base href="/base/"><base href="/no/">').links).toEqual([
      'https://example.org/base/x',
    ]);
  });

  it('are absolute links alone where the page has no address', () => {
    expect(facts('<a href=x>x</a><a href="http://a.example/y">y</a>', null).links).toEqual([
      'http://a.example/y',
    ]);
  });

  it('are at most 10,000 links', () => {
    const many = Array.from({ length: 10_500 }, (_, index) => `<a href=${index}>x</a>`).join('');
    expect(facts(many).links).toHaveLength(10_000);
  });

  it.each([
    ['<meta name=robots content="NoIndex">', true, false],
    ['<meta name=Robots content="noarchive, nofollow">', false, true],
    ['<meta name=robots content=none>', true, true],
    ['<meta name=KnowledgerBot content=noindex>', true, false],
    ['<meta name=otherbot content=none>', false, false],
  ])('are the robots directives of %s', (markup, noindex, nofollow) => {
    expect(facts(markup)).toMatchObject({ noindex, nofollow });
  });

  it.each([
    ['0; url=/next', 'https://example.org/next'],
    ["5;URL='next.html'", 'https://example.org/docs/next.html'],
    ['30', null],
  ])('are the target of the refresh "%s"', (content, refresh) => {
    expect(facts(`<meta http-equiv=Refresh content="${content}">`).refresh).toBe(refresh);
  });

  it('say article by og:type, or by an article that no main encloses', () => {
    expect(facts('<meta property=og:type content=article>').isArticle).toBe(true);
    expect(facts('<article>x</article>').isArticle).toBe(true);
    expect(facts('<main><article>x</article></main>').isArticle).toBe(false);
    expect(facts('<p>x').isArticle).toBe(false);
  });
});

describe('the Markdown of a page', () => {
  it.each([
    ['<p>See <a href="b.html#x">the <b>b</b></a>.', 'See [the b](https://example.org/docs/b.html#x).'],
    ['<base href="/base/"><p><a href="c">c</a>', '[c](https://example.org/base/c)'],
    ['<p><a href="https://e.org/a_(b)?c=|">[1]</a>', '[\\[1\\]](https://e.org/a_%28b%29?c=%7c)'],
    ['<p><a href="#x">here</a> <a name="y">there</a> <a href="mailto:a@b.c">mail</a>', 'here there mail'],
    ['<p><a href="javascript:x()">x</a><a href="b"></a>y', 'xy'],
    ['<h2><a href="b">B</a> <a href="a.html#b">¶</a></h2>c', '[B](https://example.org/docs/b)\n\nc'],
    [
      '<a href="b"><h3>T</h3><p>one<p>two</a> three',
      '[T](https://example.org/docs/b)\n\n[one](https://example.org/docs/b)\n\n[two](https://example.org/docs/b)\n\nthree',
    ],
  ])('says where links lead: %s', (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it('leaves out addresses that nothing makes absolute', () => {
    expect(markdownOf('<p><a href="b">b</a> <a href="https://e.org/">e</a>', null)).toBe(
      'b [e](https://e.org/)',
    );
  });

  it.each([
    [
      'numbers, and what stands below an item',
      '<ol><li>a<ul><li>b<ul><li>c</ul></ul><li>d<ol start=5><li>e<li value=9>f<li>g</ol></ol>z',
      '1. a\n   - b\n     - c\n2. d\n   5. e\n   9. f\n   10. g\n\nz',
    ],
    [
      'a list beside the item it belongs to',
      '<ul><li>a</li><ul><li>b</li></ul><li>c</ul>',
      '- a\n  - b\n- c',
    ],
    [
      'paragraphs, code and tables of an item',
      '<ol><li>a<p>b<pre>x\n  y</pre><table><tr><th>k<th>l<tr><td>1<td>2</table>c</ol>',
      '1. a\n\n   b\n\n   ```\n   x\n     y\n   ```\n\n   | k | l |\n   | --- | --- |\n   | 1 | 2 |\n\n   c',
    ],
  ])('keeps the depth and the numbers of lists: %s', (_what, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it('sets in no deeper than anybody nests lists by hand', () => {
    const html = '<ul><li>a'.repeat(20_000);
    expect(markdownOf(html).length).toBeLessThan(5 * html.length);
  });

  it.each([
    [
      'by columns and by rows',
      '<table><tr><th rowspan=2>Name<th colspan=2>Year<tr><th>23<th>24<tr><td rowspan=2>A<td>1<td>2<tr><td>3<td>4</table>',
      '| Name | Year |  |\n| --- | --- | --- |\n| Name | 23 | 24 |\n| A | 1 | 2 |\n| A | 3 | 4 |',
    ],
    [
      'no further than their group of rows',
      '<table><thead><tr><th rowspan=9>a<th>b<tbody><tr><td>1<td>2</table>',
      '| a | b |\n| --- | --- |\n| 1 | 2 |',
    ],
  ])('puts cells into their columns beside those that span: %s', (_what, html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it.each([
    [
      '<table><caption>T</caption><thead><tr><th>a<th>b<tbody><tr><td>1<td><a href="/x">x|y</a><tr><td><p>2<p>3</table>z',
      'T\n\n| a | b |\n| --- | --- |\n| 1 | [x\\|y](https://example.org/x) |\n| 2 3 |  |\n\nz',
    ],
    ['<table><tr><td>1<td>2<tr><td><td>4</table>', '|  |  |\n| --- | --- |\n| 1 | 2 |\n|  | 4 |'],
    ['<table><tr><td>left<td>right</table>', 'left | right'],
    [
      '<table><tr><td>menu<td><table><tr><th>a<th>b<tr><td>1<td>2</table><tr><td>x<td>y</table>',
      'menu\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nx | y',
    ],
  ])('draws the line below the header of a table: %s', (html, markdown) => {
    expect(markdownOf(html)).toBe(markdown);
  });

  it('fences code, with the links in it as text', () => {
    const html = '<p>x<pre>\n# no heading\n  <a href="b">``` </a>\n</pre>y';
    expect(markdownOf(html)).toBe('x\n\n````\n# no heading\n  ```\n````\n\ny');
  });
});

describe('a page that its scripts fill', () => {
  const SCRIPT = '<script type="module" src="/main.js"></script>';
  const needs = (html: string): boolean => read(html).facts.needsScripts;
  const WORDS = 'Enough is said here without a script. '.repeat(6);

  it.each([
    `<title>Shop</title><body><div id="root"></div>${SCRIPT}`,
    `<body><div id="__next">  <!-- --> </div>${SCRIPT}<footer>© Shop</footer>`,
    `<body><app-root></app-root>${SCRIPT}`,
    `<body><noscript>You need to enable JavaScript to run this app.</noscript><div class="x"></div>${SCRIPT}`,
  ])('is known by what it leaves empty, or says to those without scripts: %s', (html) => {
    expect(needs(html)).toBe(true);
  });

  it.each([
    ['it says enough', `<div id="root"><p>${WORDS}</div><noscript>${WORDS}</noscript>${SCRIPT}`],
    ['its root is filled', `<div id="root"><p>Hello</div>${SCRIPT}`],
    ['it is short and counts visits', `<p>Hello<noscript><img src="/count"></noscript>${SCRIPT}`],
    ['it has data, and no script', '<div id="root"></div><script type="application/ld+json">{}</script>'],
  ])('is none where %s', (_, html) => {
    expect(needs(html)).toBe(false);
  });
});
