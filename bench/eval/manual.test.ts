import { parseHTML } from 'linkedom';
import { describe, expect, it } from 'vitest';
import { drawn, itemsOf, namesBy, namesIn, titleOf, withoutShared } from './manual.ts';

describe('questions from a manual', () => {
  const page = (html: string) => parseHTML(`<!doctype html><html>${html}</html>`);

  it('are the names of its definition terms', () => {
    const terms = page(
      '<body><dl><dt id="GUC-A"><code>max_a</code> (<code>integer</code>)</dt><dt id="OTHER"><code>other</code></dt>' +
        '<dt>no anchor</dt><dt id="GUC-B"><code>a b</code></dt>' +
        '<dt class="sig sig-object py" id="os.GUC-C"><span>os.</span></dt></dl></body>',
    );
    expect(namesIn(terms, /GUC-/)).toEqual(['max_a', 'os.GUC-C']);
  });

  it('are what a selector picks, where anchors tell no names', () => {
    const terms = page(
      '<dl><dt><a name="x"> max_b </a> (default: 3)</dt><dt><a name="y">two words</a></dt></dl>',
    );
    expect(namesBy(terms, 'dt a[name]')).toEqual(['max_b']);
    expect(namesBy(terms, 'h2 a')).toEqual([]);
  });

  it('have a letter: the number of a section is none', () => {
    const terms = page('<dl><dt>14.</dt><dt>2.1.3</dt><dt>3d_a</dt><dt>_14</dt></dl>');
    expect(namesBy(terms, 'dt')).toEqual(['3d_a', '_14']);
  });

  it.each([
    ['20.4.  Resource Consumption', '', 'resource consumption'],
    ['Chapter 7. Queries', '', 'queries'],
    ['Chapter 7: Queries', '', 'queries'],
    ['Appendix B Queries', '', 'queries'],
    ['9 Queries', '', 'queries'],
    ['9.1 Queries', '', 'queries'],
    ['A.1 Queries', '', 'queries'],
    ['A query', '', 'a query'],
    ['2001 queries', '', '2001 queries'],
    ['3d queries', '', '3d queries'],
    ['git-add(1)', '\\(1\\)$', 'git-add'],
    ['CREATE\n TABLE — Manual 3', ' — Manual.*$', 'create table'],
    ['', '', ''],
  ])('are titles as people type them: %j', (title, end, expected) => {
    expect(titleOf(page(`<head><title>${title}</title></head>`), new RegExp(end))).toBe(expected);
  });

  it('are titles without what more than half of them begin or end in', () => {
    const titles = ['reels (the manual)', 'tapes (the manual)', 'ends (the manual)', 'about'];
    expect(withoutShared(titles)).toEqual(['reels', 'tapes', 'ends', 'about']);
    expect(withoutShared(['m: a', 'm: b — x', 'm: c — x', 'm: d — x', 'm: e'])).toEqual([
      'a',
      'b',
      'c',
      'd',
      'e',
    ]);
    expect(withoutShared(['a x', 'b x', 'c', 'd'])).toEqual(['a x', 'b x', 'c', 'd']);
    expect(withoutShared(['a x', 'b x', 'c x'])).toEqual(['a x', 'b x', 'c x']);
    expect(withoutShared(['x', 'a x', 'b x', 'c x'])).toEqual(['x', 'a', 'b', 'c']);
    expect(withoutShared([])).toEqual([]);
  });

  it('are drawn by lot, the same for the same seed, with all pages that define a name', () => {
    const items = itemsOf([
      ['a', '1'],
      ['b', '2'],
      ['', '2'],
      ['a', '3'],
      ['a', '1'],
      ['c', '4'],
      ['d', '5'],
    ]);
    expect(items[0]).toEqual({ question: 'a', urls: ['1', '3'] });
    expect(items).toHaveLength(4);
    expect(drawn(items, 2, '1')).toEqual(drawn(items.toReversed(), 2, '1'));
    const draws = ['1', '2', '3', '4', '5', '6'].map((seed) =>
      drawn(items, 2, seed)
        .map((item) => item.question)
        .join(),
    );
    expect(new Set(draws).size).toBeGreaterThan(1);
  });
});
