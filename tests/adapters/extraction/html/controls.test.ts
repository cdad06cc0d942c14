import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

describe('a part that a control shows', () => {
  it.each([
    ['a heading', '<h2><button>Why?</button></h2><div>x</div>', 'Why?\n\nx'],
    ['a term', '<dl><dt><button>Why?</button></dt><dd>x</dd></dl>', 'Why? ¶\n\nx'],
    [
      'content, where it folds a part of it',
      '<main><button aria-expanded="false" aria-controls="a">Why?</button><div id="a" hidden>x</div></main>',
      'Why?\nx',
    ],
    [
      'a heading, and its part is hidden',
      '<h2><button aria-expanded="false" aria-controls="a">Why?</button></h2><div id="a" style="display:none" aria-hidden="true">x</div>',
      'Why?\n\nx',
    ],
    [
      'a heading, and names its part as Bootstrap does',
      '<h2><button data-bs-toggle="collapse" data-bs-target="#a">Why?</button></h2><div id="a" hidden>x</div>',
      'Why?\n\nx',
    ],
    [
      'a link in truth',
      '<p><a data-toggle="collapse" href="#a">Why?</a></p><div id="a" hidden>x</div>',
      'Why?\n\nx',
    ],
  ])('stands below the button that is %s', (_where, html, text) => expect(textOf(html)).toBe(text));

  it('has no button that only does something', () => {
    expect(textOf('<h2>Code <button>Copy</button></h2><main><button>Run</button>x</main>')).toBe('Code\n\nx');
    expect(textOf('<header><button aria-expanded="false">Menu</button></header><p>x</p>')).toBe('x');
  });

  it.each([
    [
      'by its order',
      '<div role="tablist"><button role="tab">Linux</button><button role="tab">Windows</button></div><div role="tabpanel">apt</div><div role="tabpanel" hidden>choco</div>',
    ],
    [
      'by the link to it',
      '<ul class="nav nav-tabs"><li><a data-bs-toggle="tab" href="#l">Linux</a><li><a data-toggle="tab" data-target="#w">Windows</a></ul><div id="l">apt</div><div id="w" style="display:none">choco</div>',
    ],
    [
      'by its name',
      '<ul class="nav" role="tablist"><li><a role="tab" id="w">Windows</a><li><a role="tab" aria-controls="p">Linux</a></ul><div id="p" role="tabpanel">apt</div><div role="tabpanel" aria-labelledby="w" aria-hidden="true">choco</div>',
    ],
  ])('stands below the label of its tab, found %s', (_how, html) =>
    expect(textOf(`<main>${html}</main>`)).toBe('Linux\napt\nWindows\nchoco'),
  );

  it('has the labels of its own list of tabs', () => {
    const tabs = (label: string, text: string): string =>
      `<div role="tablist"><b role="tab">${label}</b></div><div role="tabpanel">${text}</div>`;
    expect(textOf(tabs('A', '1') + tabs('B', '2'))).toBe('A\n1\nB\n2');
  });
});
