import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

describe('text in a font of signs', () => {
  it.each([
    ['<font face="Symbol">a</font>', 'α'],
    ['<span style="font-family:Symbol">D</span>T', 'ΔT'],
    [`<span style='font:10pt "Wingdings"'>&#252;</span>`, '✓'],
    ['<font face="Symbol">a <span style="font-family:Arial">a</span> <b>b</b></font> b', 'α a β b'],
    ['<span style="font-family: Arial, Symbol">a</span>', 'a'],
  ])('says what a reader sees: %s', (html, text) => expect(textOf(`<p>${html}</p>`)).toBe(text));
});
