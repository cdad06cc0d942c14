import { describe, expect, it } from 'vitest';
import { markdownOf, textOf } from './page-text.ts';

describe('a picture', () => {
  it.each([
    ['an alternative text', '<img src="x.svg" alt="No">', 'No'],
    ['the label of a drawing', '<svg aria-label="Not included"><path/></svg>', 'Not included'],
    ['the title of a drawing', '<svg role="img"><title>Included</title><path/></svg>', 'Included'],
    ['the title of an icon', '<i class="icon" title="no"></i>', 'no'],
    ['the label of an icon', '<span role="img" aria-label="available"></span>', 'available'],
    [
      'text for readers of screens',
      '<i aria-hidden="true" title="x"></i><span class="sr-only">yes</span>',
      'yes',
    ],
  ])('says in a cell what it stands for: %s', (_what, picture, text) => {
    const html = `<table><tr><th>a<th>b<tr><td>c<td>${picture}</td></tr></table>`;
    expect(textOf(html)).toBe(`a | b\nc | ${text}`);
    expect(markdownOf(html)).toContain(`| c | ${text} |`);
  });

  it('is described in the text, but not where it is an ornament or a link', () => {
    const described = '<img alt="Pressure falls behind the second valve">';
    expect(textOf(`<p>a ${described} b</p>`)).toBe('a Pressure falls behind the second valve b');
    expect(textOf(`<p>a <img alt="Logo"><img alt="">b</p>`)).toBe('a b');
    expect(textOf(`<p>a <a href="/">${described}</a></p>`)).toBe('a');
  });

  it('is left out with what is left out', () =>
    expect(
      textOf('<nav><img alt="one two three four"><svg aria-label="one two three four"></svg></nav>x'),
    ).toBe('x'));
});
