import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

describe('a part with an id that is made from its heading', () => {
  it.each([
    '<section id="pagination"><h2>Pagination</h2>x</section>',
    '<div class="section" id="pagination"><h2>Pagination</h2>x</div>',
    '<div class="sect1"><h2 id="pagination">Pagination</h2>x</div>',
    '<h2><a id="pagination"></a><span id="navigation">Pagination</span></h2>x',
  ])('is content whatever the id says: %s', (html) =>
    expect(textOf(`<p>a</p>${html}`)).toBe('a\n\nPagination\n\nx'),
  );

  it('is none where the id names a part of the site', () =>
    expect(textOf('<p>a</p><div id="pagination">1 2 3</div><ul id="breadcrumbs"><li>b</ul>')).toBe('a'));
});

describe('the banner of a site', () => {
  const banner = '<header><nav>menu</nav><h1>Report</h1><p>By Ann</p></header>';

  it.each([
    ['the body', '<div>x</div>'],
    ['the main part', '<main>x</main>'],
    ['sections', '<section><h2>x</h2></section>'],
  ])('says the title of a page that has no other above %s', (_what, html) =>
    expect(textOf(`${banner}${html}`)).toBe('Report\n\nBy Ann\n\nx'),
  );

  it('is left out where the page has a title of its own, or the banner leads to the site', () => {
    expect(textOf(`${banner}<main><h1>Own</h1>x</main>`)).toBe('Own\n\nx');
    expect(textOf('<header><h1><a href="/">Site</a></h1>slogan</header><p>x')).toBe('x');
  });
});

describe('a footer', () => {
  it('is kept within a quotation: it tells who said it', () =>
    expect(textOf('<blockquote>q<footer>Ann</footer></blockquote><footer>site</footer>')).toBe('q\nAnn'));
});

describe('an aside', () => {
  it.each(['class="note"', 'role="note"', 'role="doc-tip"', 'aria-label="Warning"', 'epub:type="footnote"'])(
    'is content where it is called a note: %s',
    (called) => expect(textOf(`<main><p>a</p><aside ${called}><p>b</p></aside></main>`)).toBe('a\n\nb'),
  );

  it('is none else', () =>
    expect(textOf('<main><p>a</p><aside aria-label="Related"><p>b</p></aside></main>')).toBe('a'));
});
