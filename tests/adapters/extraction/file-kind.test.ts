import { describe, expect, it } from 'vitest';
import { readClaims } from '../../../adapters/extraction/kind/claims.ts';
import { fileKind } from '../../../adapters/extraction/kind/file-kind.ts';

const kindOf = async (bytes: string | Buffer, claims: Parameters<typeof readClaims>[0]) => {
  const kind = await fileKind(Buffer.from(bytes as string), readClaims(claims));
  return typeof kind === 'string' ? kind : `unsupported ${kind.mediaType}`;
};
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489', 'hex');

describe('the type of a document', () => {
  it.each([
    ['a header that says PDF, whatever is claimed', '%PDF-1.4 x', { mediaType: 'text/html' }, 'pdf'],
    ['a PDF header behind junk', `${'\0'.repeat(100)}%PDF-1.4`, {}, 'pdf'],
    ['a page that speaks of %PDF-', '<p>%PDF-1.4', { mediaType: 'text/html' }, 'html'],
    ['the media type', 'x', { mediaType: 'Text/HTML; charset=x', url: 'https://a.example/b.pdf' }, 'html'],
    ['Markdown sent as plain text', 'x', { mediaType: 'text/plain', fileName: 'a.MD' }, 'md'],
    [
      'the extension where the media type says nothing',
      'x',
      { mediaType: 'application/octet-stream', fileName: 'a.htm' },
      'html',
    ],
    ['the extension of the address', 'x', { url: 'https://a.example/b/c.txt?d=e.pdf' }, 'txt'],
    ['a doctype where nothing is claimed', '<!DOCTYPE html><p>x', { fileName: 'page' }, 'html'],
    ['text where nothing is claimed', 'x', { fileName: 'README' }, 'txt'],
    ['UTF-16 text', Buffer.from('\ufeffhello', 'utf16le'), { fileName: 'a.txt' }, 'txt'],
    ['UTF-16 text without a mark', Buffer.from('hello world', 'utf16le'), { fileName: 'a.txt' }, 'txt'],
    ['a picture called a page', PNG, { fileName: 'a.html', mediaType: 'text/html' }, 'png'],
    ['bytes that no text has', '\u0001\u0002\u0003', { fileName: 'a.txt' }, 'unsupported null'],
    ['a page with a zero in it', `<p>a\0b ${'x'.repeat(50)}`, { mediaType: 'text/html' }, 'html'],
    ['a text with a zero in it', `a\0b ${'x'.repeat(50)}`, { mediaType: 'text/plain' }, 'txt'],
    ['zeros where no text is claimed', `a\0b ${'x'.repeat(50)}`, {}, 'unsupported null'],
    [
      'more zeros than a text has',
      `a${'\0'.repeat(9)}b`,
      { mediaType: 'text/plain' },
      'unsupported text/plain',
    ],
    ['text of another media type', '{}', { mediaType: 'application/json' }, 'txt'],
    ['a media type called like a member of objects', '{}', { mediaType: 'constructor' }, 'txt'],
    ['text with another extension', 'a,b', { fileName: 'a.xyz' }, 'txt'],
  ])('is told by %s', async (_, bytes, claims, expected) => {
    expect(await kindOf(bytes, claims)).toBe(expected);
  });

  it.each([
    [
      'a picture of a type that is not read, called a text',
      '8BPS\0\u0001\0\0',
      { fileName: 'a.txt' },
      'unsupported image/vnd.adobe.photoshop',
    ],
    ['an old workbook that is a page', '<html><table><tr><td>1', { fileName: 'a.xls' }, 'html'],
    ['an old document that is text', 'Dear Sir', { fileName: 'read.doc' }, 'txt'],
    ['lines of JSON sent as text', '{}', { mediaType: 'text/plain', fileName: 'a.jsonl' }, 'jsonl'],
  ])('is told by the bytes of %s', async (_, bytes, claims, expected) => {
    expect(await kindOf(bytes, claims)).toBe(expected);
  });

  it.each([
    ['a newer document that is text', 'Dear Sir', { fileName: 'a.docx' }, 'of type docx, but is text'],
    ['a picture that is a page', '<html>', { mediaType: 'image/png' }, 'of type png, but is a page of HTML'],
    [
      'a workbook of bytes that say nothing',
      '\u0001\u0002\u0003',
      { fileName: 'a.xlsx' },
      'is of no known type',
    ],
  ])('says what is wrong with %s', async (_, bytes, claims, message) => {
    await expect(kindOf(bytes, claims)).rejects.toMatchObject({
      code: 'mislabelled',
      message: expect.stringContaining(message),
    });
  });
});
