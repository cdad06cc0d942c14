import { describe, expect, it } from 'vitest';
import { decodeUtf32, wideEncoding } from '../../../application/ports/text-decoding.ts';

const utf16 = (text: string, littleEndian = true): Buffer => {
  const bytes = Buffer.from(text, 'utf16le');
  return littleEndian ? bytes : bytes.swap16();
};
const utf32 = (text: string, littleEndian = true): Buffer => {
  const characters = [...text];
  const bytes = Buffer.alloc(4 * characters.length);
  for (const [index, character] of characters.entries()) {
    if (littleEndian) bytes.writeUInt32LE(character.codePointAt(0)!, 4 * index);
    else bytes.writeUInt32BE(character.codePointAt(0)!, 4 * index);
  }
  return bytes;
};

describe('a byte order mark', () => {
  it.each([
    ['fffe4100', 'utf-16le'],
    ['fffe0041', 'utf-16le'],
    ['fffe0000', 'utf-32le'],
    ['feff4141', 'utf-16be'],
    ['0000feff', 'utf-32be'],
    ['ff414141', null],
    ['41fe4141', null],
    ['fe414141', null],
    ['41ff4141', null],
    ['0000fe41', null],
    ['000041ff', null],
    ['0041feff', null],
    ['4100feff', null],
  ])('is all of its bytes: %s', (hex, encoding) => {
    const behind = encoding === null ? 'a'.repeat(20) : '';
    expect(wideEncoding(Buffer.concat([Buffer.from(hex, 'hex'), Buffer.from(behind)]))).toBe(encoding);
  });
});

describe('a wide text without a mark', () => {
  it.each([
    ['three bytes', Buffer.from('a\0b'), null],
    ['two letters', utf16('ab'), 'utf-16le'],
    ['a fifth of its bytes zero', utf16(`abcd${'中'.repeat(6)}`), 'utf-16le'],
    ['a fifth of its bytes zero, the other way', utf16(`abcd${'中'.repeat(6)}`, false), 'utf-16be'],
    ['fewer zeros', utf16(`abc${'中'.repeat(7)}`), null],
    ['four times as many zeros on one side', utf16('abcd一'), null],
    ['four times as many zeros on the other side', utf16('abcd一', false), null],
    ['more of them', utf16('abcde一'), 'utf-16le'],
    ['more of them, the other way', utf16('abcde一', false), 'utf-16be'],
    ['lines of one letter', utf16('A\nB\nC\nD\n'), 'utf-16le'],
    ['lines of one letter, the other way', utf16('\nA\nB\nC\nD', false), 'utf-16be'],
    ['one of ten characters in UTF-32 beyond the first plane', utf32('abcdefghi😁'), null],
    ['one of eleven', utf32('abcdefghij😀'), 'utf-32le'],
    ['one of ten, the other way', utf32('abcdefghi😁', false), null],
    ['one of eleven, the other way', utf32('abcdefghij😀', false), 'utf-32be'],
    ['one of ten characters in UTF-32 that ends with a zero', utf32('abcdefghi一'), null],
    ['one of eleven that ends so', utf32('abcdefghij一'), 'utf-32le'],
    ['one of ten that ends so, the other way', utf32('abcdefghi一', false), null],
    ['one of eleven that ends so, the other way', utf32('abcdefghij一', false), 'utf-32be'],
    ['control characters in UTF-32, the other way', utf32('\u0001\u0002\u0003\u0004', false), null],
    ['escapes in UTF-32', utf32('\u001B[1mabc'), 'utf-32le'],
    ['its first half kilobyte', Buffer.concat([Buffer.alloc(512, 'a'), utf16('b'.repeat(900))]), null],
  ])('is told by its zeros: %s', (_, bytes, encoding) => {
    expect(wideEncoding(bytes)).toBe(encoding);
  });
});

describe('UTF-32', () => {
  it('is read whole, however long it is', () => {
    for (const length of [4_095, 4_096, 4_097, 8_192, 250_000]) {
      const text = 'abcdefgh'.repeat(length).slice(0, length);
      expect(decodeUtf32(utf32(text), true)).toBe(text);
    }
  });
});
