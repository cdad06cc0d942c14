import { expect, it } from 'vitest';
import { unknownCursor } from '../../../application/ports/page.ts';
import { requireBrowser } from '../../../application/sources/require-browser.ts';

it('a cursor of no record is told, and cut where it is long', () => {
  expect(unknownCursor('42')).toMatchObject({
    code: 'invalid_cursor',
    message: 'there is no record 42 in this list',
  });
  expect(unknownCursor('x'.repeat(300)).message).toBe(`there is no record ${'x'.repeat(200)} in this list`);
});

it('a browser is asked for only where there is one', () => {
  expect(() => requireBrowser({ missing: () => null })).not.toThrow();
  expect(() => requireBrowser({ missing: () => 'install one' })).toThrow(
    expect.objectContaining({
      code: 'not_configured',
      message: 'use_browser needs a headless browser: install one',
    }),
  );
});
