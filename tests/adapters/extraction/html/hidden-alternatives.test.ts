import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

const KEYS = '<span hidden class="mac">Command\n</span><span hidden="true">Ctrl</span>';

describe('alternatives of which a script uncovers one', () => {
  it.each([
    ['a key', `<p>Press <span class="os">${KEYS}</span>+F5.</p>`, 'Press Ctrl+F5.'],
    [
      'what is hidden by its style',
      '<p>Press <b id="a"><i style="display: none">Enter</i><i style="display:none">Return</i></b>.',
      'Press Return.',
    ],
    [
      'with markup and links within',
      '<p>Choose <span id="a"><span hidden><b>Edit</b></span><span hidden><a href="b.html"><b class="x">Tools - </b>Options</a></span></span> - View.',
      'Choose Tools - Options - View.',
    ],
    [
      'a way through menus',
      `<p><span id="a"><span hidden>a</span><span hidden>${'b'.repeat(60)}</span></span>`,
      'b'.repeat(60),
    ],
  ])('are read by the last: %s', (_, markup, text) => expect(textOf(markup)).toBe(text));

  it.each([
    ['a single one', '<p>Press <span id="a"><span hidden>Ctrl</span></span> F5.', 'Press F5.'],
    ['beside text', `<p>Press <span id="a">it${KEYS}</span> F5.`, 'Press it F5.'],
    ['beside an element', `<p>Press <span id="a">${KEYS}<b id="b">it</b></span> F5.`, 'Press it F5.'],
    [
      'of more than a key or a way through menus',
      `<p>Press <span id="a"><span hidden>a</span><span hidden>${'b'.repeat(61)}</span></span> F5.`,
      'Press F5.',
    ],
    ['outside of a paragraph', `<div><span id="a">${KEYS}</span> F5</div>`, 'F5'],
    [
      'blocks',
      '<p>Press</p><div id="a"><div hidden>Ctrl</div><div hidden>Command</div></div>F5',
      'Press\n\nF5',
    ],
    [
      'with blocks within',
      '<p>Press <span id="a"><span hidden>Ctrl</span><span hidden><div>Alt</div></span></span> F5.',
      'Press F5.',
    ],
    ['within a hidden element', `<p>Press <b hidden><span id="a">${KEYS}</span></b> F5.`, 'Press F5.'],
    [
      'what is left out for another reason',
      '<p>Press <span id="a"><span aria-hidden="true">X</span><span class="tooltip-text">Y</span></span> F5.',
      'Press F5.',
    ],
  ])('are none, and stay out: %s', (_, markup, text) => expect(textOf(markup)).toBe(text));
});
