import { describe, expect, it } from 'vitest';
import { hasScripts } from '../../../../adapters/crawler/browser/rendering-fetcher.ts';

describe('a page has scripts', () => {
  it.each([
    '<p>text<SCRIPT src=a.js></SCRIPT>',
    '<script>1</script>',
    '<svg:script>1</svg:script>',
    '<body onload="show()">',
    '<body\nonload = show()>',
    '<iframe src="javascript:1"></iframe>',
    '<iframe class=a srcdoc="&lt;script&gt;">',
  ])('where it has %s', (html) => {
    expect(hasScripts(Buffer.from(html))).toBe(true);
  });

  it('where its encoding is wide, and it could have any', () => {
    expect(hasScripts(Buffer.from('<p>text', 'utf16le'))).toBe(true);
  });

  it.each([
    '<meta name="description" content="a javascript course">',
    '<p>A prescription, and a manuscript',
    '<noscript>none</noscript>',
    '<iframe src="/other"></iframe>',
  ])('but not where it has %s', (html) => {
    expect(hasScripts(Buffer.from(html))).toBe(false);
  });
});
