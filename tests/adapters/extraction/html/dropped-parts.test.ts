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
