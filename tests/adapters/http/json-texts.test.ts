import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createJsonTexts } from '../../../adapters/http/records/json-texts.ts';

const written = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\0', '“', 'é', '東', '🦅', '\ud800'),
  maxLength: 20,
});

describe('texts as they are sent', () => {
  it('are what JSON makes of them, with signs and halves of characters, the first time and later', () => {
    const jsonOf = createJsonTexts();
    fc.assert(
      fc.property(text, text, (any, usual) => {
        for (const one of [any, usual, `${any}\ud800"`, usual]) {
          expect(written(jsonOf(one))).toBe(JSON.stringify(one));
        }
      }),
    );
  });

  it('are made once, as long as there is room', () => {
    const [roomy, narrow] = [createJsonTexts(), createJsonTexts(1_000)];
    expect(roomy('one')).toBe(roomy('one'));
    const one = narrow('one');
    expect(narrow('one')).toBe(one);
    narrow('two');
    expect(narrow('one')).toBe(one);
    narrow('three');
    // The second was not asked for since.
    expect(narrow('one')).toBe(one);
    const long = narrow('x'.repeat(400));
    expect(narrow('one')).not.toBe(one);
    expect(written(long)).toBe(`"${'x'.repeat(400)}"`);
  });

  it('make room by what they take', () => {
    const jsonOf = createJsonTexts(3 * 406);
    const first = jsonOf('a');
    for (const one of ['b', 'c']) jsonOf(one);
    expect(jsonOf('a')).toBe(first);
    for (const one of ['d', 'e', 'f']) jsonOf(one);
    expect(jsonOf('a')).not.toBe(first);
  });
});
