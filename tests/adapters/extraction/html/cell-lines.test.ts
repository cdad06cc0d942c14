import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

/** A table of these rows, each cell with a paragraph around its text. */
const table = (...rows: readonly (readonly string[])[]): string =>
  `<table>${rows.map((cells) => `<tr>${cells.map((text) => `<td><p>${text}</p></td>`).join('')}</tr>`).join('\n')}</table>`;

describe('a row of a table', () => {
  it('is a line where each of its cells is a paragraph', () =>
    expect(textOf(`<p>x</p>${table(['Name', 'Size'], ['log', '4'])}<p>y`)).toBe(
      'x\n\nName | Size\nlog | 4\n\ny',
    ));

  it('is none where a cell has several paragraphs, and the next one begins a line again', () => {
    const rows = table(['a', 'one'], ['b', 'two</p><p>three'], ['c', 'four'], ['d', 'five']);
    expect(textOf(rows)).toBe('a | one\nb\n\ntwo\n\nthree\n\nc | four\nd | five');
  });

  it('is a line beside an empty cell, and beside cells without paragraphs', () => {
    expect(textOf(table(['a', 'b'], ['', 'c'], ['d', '']))).toBe('a | b\nc\nd');
    expect(textOf('<table><tr><td>a<td><p>b</p><tr><td><p>c</p><td>d</table>')).toBe('a | b\nc | d');
  });

  it('is none in what serves the layout, but in the table within', () =>
    expect(
      textOf(`<table><tr><td><p>menu</p><td>${table(['a', 'b'], ['c', 'd'])}<tr><td><p>e<td><p>f</table>`),
    ).toBe('menu\n\na | b\nc | d\n\ne | f'));
});

describe('a cell that covers several rows', () => {
  it.each([
    ['first', '<tr><td rowspan=2>A<td>1<tr><td>2', 'A | 1\nA | 2'],
    ['in the middle', '<tr><td>a<td rowspan=2>B<td>1<tr><td>b<td>2', 'a | B | 1\nb | B | 2'],
    ['last', '<tr><td>a<td rowspan=2>Z<tr><td>b<tr><td>c<td>d', 'a | Z\nb | Z\nc | d'],
    ['two of them', '<tr><td rowspan=2>A<td rowspan=2>B<td>1<tr><td>2', 'A | B | 1\nA | B | 2'],
    ['in a paragraph', '<tr><td rowspan=2><p>A</p><td><p>1</p><tr><td><p>2</p>', 'A | 1\nA | 2'],
    ['up to the end', '<tr><td rowspan=0>A<td>1<tr><td>2<tr><td>3', 'A | 1\nA | 2\nA | 3'],
    ['of its group', '<tbody><tr><td rowspan=9>A<td>1<tbody><tr><td>B<td>2', 'A | 1\nB | 2'],
  ])('stands in each of them: %s', (_where, rows, text) =>
    expect(textOf(`<table>${rows}</table>`)).toBe(text),
  );

  it('is told once where it is long', () => {
    const long = 'word '.repeat(50).trim();
    expect(textOf(`<table><tr><td rowspan=2>${long}<td>1<tr><td>2<td></table>`)).toBe(`${long} | 1\n2`);
  });

  it('grows no page beyond bounds', () => {
    const html = `<table><tr><td rowspan=0>${'x'.repeat(100)}<td>y${'<tr><td>z'.repeat(20_000)}</table>`;
    expect(textOf(html).length).toBeLessThan(html.length + 250_000);
  });
});

describe('a cell that covers several columns', () => {
  it('leaves those behind it in their columns', () => {
    expect(textOf('<table><tr><td>a<td>b<td>c<tr><td colspan=2>d<td>e</table>')).toBe('a | b | c\nd | | e');
    expect(textOf('<table><tr><td>a<td>b<tr><td colspan=2>d</table>')).toBe('a | b\nd');
  });
});
