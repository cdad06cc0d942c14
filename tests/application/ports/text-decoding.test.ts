import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../application/ports/text-decoding.ts';

const ascii = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const decode = (bytes: Uint8Array, contentTypeCharset: string | null = null, html = true) => {
  const { text, encoding } = decodeText(bytes, { contentTypeCharset, html }, () => null);
  return [text, encoding];
};
const SHIFT_JIS = Uint8Array.of(0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea); // 日本語

describe('decodeText', () => {
  it('believes a byte order mark before everything else, and drops it', () => {
    expect(decode(Buffer.from('\uFEFFgrün'), 'iso-8859-1')).toEqual(['grün', 'utf-8']);
    expect(decode(Buffer.from('\uFEFFgrün', 'utf16le'), 'utf-8')).toEqual(['grün', 'utf-16le']);
    expect(decode(Buffer.from('\uFEFFgrün', 'utf16le').swap16())).toEqual(['grün', 'utf-16be']);
  });

  it('finds UTF-16 without a mark by its zero bytes', () => {
    const wide = Buffer.from('<p>grün</p>', 'utf16le');
    expect(decode(wide, 'utf-8')).toEqual(['<p>grün</p>', 'utf-16le']);
    expect(decode(Buffer.from(wide).swap16())).toEqual(['<p>grün</p>', 'utf-16be']);
  });

  it.each(['utf-16', 'unicode', 'ucs-2'])('takes a page that declares %s in ASCII for UTF-8', (label) => {
    const page = `<meta charset="${label}"><p>plain</p>`;
    expect(decode(ascii(page))).toEqual([page, 'utf-8']);
  });

  it('takes the Content-Type before the meta element', () => {
    const bytes = Buffer.concat([ascii('<meta charset=windows-1251>'), SHIFT_JIS]);
    expect(decode(bytes, '\u00a0Shift_JIS\u00a0')[1]).toBe('shift_jis');
    expect(decode(bytes, ' Shift_JIS ')).toEqual(['<meta charset=windows-1251>日本語', 'shift_jis']);
  });

  it.each([
    '<meta charset="shift_jis">',
    "<META CharSet='Shift-JIS'/>",
    '<meta http-equiv=Content-Type content="text/html; charset=x-sjis">',
    '<meta charset = "shift_jis">',
    '<?xml version="1.0" encoding="Shift_JIS"?>',
    '\n<?xml version="1.0" encoding = "Shift_JIS"?>',
    '<!-- of old --><?xml version="1.0" encoding="Shift_JIS"?>',
    '<!-- <meta charset=utf-8> --><meta name=x><meta charset=sjis>',
  ])('reads the declaration %s', (declaration) => {
    const bytes = Buffer.concat([ascii(declaration), SHIFT_JIS]);
    expect(decode(bytes)).toEqual([`${declaration}日本語`, 'shift_jis']);
  });

  it.each([
    '<!-- <meta charset=koi8-r>',
    'see <?xml version="1.0" encoding="koi8-r"?>',
    '<meta charset=klingon>',
    '<?xml version="1.0"?>',
  ])('finds no declaration in %s', (page) => {
    expect(decode(ascii(page))).toEqual([page, 'utf-8']);
  });

  it('keeps UTF-8 for a text that is cut in the middle of a letter', () => {
    const cut = Buffer.from('größer und größ').subarray(0, -1);
    expect(decode(cut, 'utf-8')).toEqual(['größer und grö\uFFFD', 'utf-8']);
  });

  it('falls back to UTF-8 with replacements', () => {
    expect(decode(Uint8Array.of(0x61, 0xff, 0xfe, 0x62))).toEqual(['a\uFFFD\uFFFDb', 'utf-8']);
  });

  it('gives back every text that was written as UTF-8, whatever label stands beside it', () => {
    const label = fc.constantFrom(null, 'utf-8', 'UTF8', 'iso-8859-1', 'windows-1251', 'nonsense');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), label, (text, charset) => {
        fc.pre(!text.startsWith('\uFEFF') && !text.includes('\u0000'));
        expect(decode(Buffer.from(text), charset, false)[0]).toBe(text);
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.option(fc.string()), (bytes, charset) => {
        expect(
          typeof decodeText(bytes, { contentTypeCharset: charset, html: true }, () => charset).text,
        ).toBe('string');
      }),
    );
  });
});
