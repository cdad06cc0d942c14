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
