import { describe, expect, it } from 'vitest';
import { textOf } from './page-text.ts';

describe('a page in XHTML', () => {
  const page = (head: string, body: string): string =>
    `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head>${head}</head><body>${body}</body></html>`;

  it.each(['<script src="a.js" />', '<style />', '<title/>'])('goes on behind %s', (tag) =>
    expect(textOf(page(tag, '<p>x</p>'))).toBe('x'),
  );

  it.each(['<div hidden="" />', '<nav />', '<select/>', '<s/>', '<div class="sidebar"/>'])(
    'leaves nothing out behind %s',
    (tag) => expect(textOf(page('', `${tag}<p>x</p>`))).toBe('x'),
  );

  it('has text in CDATA', () => expect(textOf(page('', '<p>a <![CDATA[b < c]]></p>'))).toBe('a b < c'));
});

describe('a page in HTML', () => {
  it('goes on behind a script that closes itself', () =>
    expect(textOf('<script src="a.js"/></script><p>x</p>')).toBe('x'));
  it('has content behind a slash that means nothing there', () =>
    expect(textOf('<div hidden/>x</div><p>y</p>')).toBe('y'));
});
