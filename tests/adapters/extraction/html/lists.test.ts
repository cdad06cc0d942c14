import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

describe('the items of a list', () => {
  it.each([
    ['the numbers that a reader sees', '<ol start=4><li>a<li value=9>b<li>c</ol>', '4. a\n9. b\n10. c'],
    ['letters', '<ol type=a start=3><li>x<li>y</ol>', 'c. x\nd. y'],
    [
      'letters by their style',
      '<ol style="list-style: lower-alpha inside"><li>x<li>y</ol><ol style="list-style-type:upper-roman" start=4><li>z</ol>',
      'a. x\nb. y\n\nIV. z',
    ],
    ['Roman numbers', '<ol type=I><li>x<li>y</ol>', 'I. x\nII. y'],
    ['dashes where nothing counts them', '<ul><li>x<li>y</ul>', '- x\n- y'],
    ['numbers of their own below others', '<ol><li>a<ol type=i><li>b</ol><li>c</ol>', '1. a\n\ni. b\n\n2. c'],
  ])('have %s', (_what, html, text) => expect(textOf(html)).toBe(text));
});
