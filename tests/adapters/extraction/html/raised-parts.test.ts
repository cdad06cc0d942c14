import { describe, expect, it } from 'vitest';
import { markdownOf, textOf } from './page-text.ts';

describe('what a page raises or lowers', () => {
  it.each([
    ['10<sup>6</sup> cells', '10^6 cells'],
    ['10<sup class="x"><small>−6</small></sup>', '10^−6'],
    ['2<sup>n-1</sup> and (a+b)<sup>2</sup>', '2^(n-1) and (a+b)^2'],
    ['5 m<sup>2</sup> and s<sup>-1</sup>', '5 m² and s⁻¹'],
    ['e<sup>x</sup>', 'e^x'],
    ['10<span style="font-size:70%; vertical-align: super">6</span>', '10^6'],
    ['12<i style="vertical-align:sub">8</i>', '12_8'],
    ['12<sub>8</sub> and log<sub>2</sub>10', '12_8 and log2 10'],
    ['2<sup>16</sup>64', '2^16 64'],
  ])('does not run into the number beside it: %s', (html, text) => {
    expect(textOf(`<p>${html}</p>`)).toBe(text);
    expect(markdownOf(`<p>${html}</p>`)).toBe(text);
  });

  it.each([
    ['1<sup>st</sup> of May, M<sup>me</sup> X, 10<sup>e</sup>', '1st of May, Mme X, 10e'],
    ['H<sub>2</sub>O, CO<sub>2</sub>', 'H2O, CO2'],
    ['Brand<sup>®</sup>', 'Brand®'],
    ['a <sup>b</sup>', 'a b'],
    ['7<sup>a whole sentence that somebody raised</sup>', '7a whole sentence that somebody raised'],
  ])('stays as it is where it is a part of a word: %s', (html, text) =>
    expect(textOf(`<p>${html}</p>`)).toBe(text),
  );

  it('begins anew in each cell', () =>
    expect(textOf('<table><tr><td>10<td><sup>6</sup>x<tr><td>a<td>b</table>')).toBe('10 | 6x\na | b'));
});

describe('what a page strikes out', () => {
  it.each([
    ['del', '<del>99 euros</del>'],
    ['s', '<s>99 euros</s>'],
    ['strike', '<strike>99 <b>euros</b></strike>'],
    ['its style', '<span style="color:red; text-decoration: line-through">99 euros</span>'],
  ])('is left out: by %s', (_by, html) =>
    expect(textOf(`<p>Price: ${html} <ins>79 euros</ins> only`)).toBe('Price: 79 euros only'),
  );

  it('ends with the paragraph that it was left open in', () =>
    expect(textOf('<p>a <s>b</p><p>c</p>')).toBe('a\n\nc'));
});
