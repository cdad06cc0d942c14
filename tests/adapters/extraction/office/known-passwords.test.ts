import { afterAll, describe, expect, it } from 'vitest';
import { openedPackage } from '../../../../adapters/extraction/locked/open-package.ts';
import { createRc4 } from '../../../../adapters/extraction/locked/rc4.ts';
import { compoundFile } from '../corpus/compound-file.ts';
import {
  agilePackage,
  cryptoApiLock,
  presentationLock,
  rc4Lock,
  rc4Stream,
  standardPackage,
  xorStream,
} from '../corpus/locked-files.ts';
import { docxFile, paragraph, rowsOf, xlsxFile } from '../corpus/open-xml.ts';
import { pptFile } from '../corpus/ppt-file.ts';
import { createReading } from '../corpus/reading.ts';
import { textBox, xlsStream } from '../corpus/xls-file.ts';

const reading = createReading();
afterAll(() => reading.remove());

const KNOWN = 'VelvetSweatshop';
/** Key, verifier and mask of it, as Apache POI makes them. */
const HEAD = '59b30a9a';
const MASK = '3c5bd417f01f2813f04bb403c473a420';
const LOCKED = { kind: 'failed', code: 'encrypted' };
/** Longer than a segment of 4,096 bytes, however well it is packed. */
const words = Array.from({ length: 3_000 }, (_, index) => (index * 7_919 + 13).toString(36)).join(' ');
const book = xlsxFile({ S: rowsOf([[words]]) });
const text = `S\n\n${words}`;

const rows = Array.from({ length: 200 }, (_, row) => [`Line ${row} of many`, row / 4]);
const stream = xlsStream(rows, { more: textBox('Boxed', [[0, 5, true]]) });

describe('a workbook under the password that spreadsheet programs try themselves', () => {
  it.each([
    ['SHA-512 and AES-256', {}],
    ['SHA-1 and AES-128', { algorithm: 'sha1', bits: 128 }],
    ['SHA-256 and AES-192', { algorithm: 'sha256', bits: 192 }],
    ['SHA-384 and AES-256', { algorithm: 'sha384' }],
  ] as const)('of Office 2010 is read (%s)', async (_, options) => {
    const file = agilePackage(book, KNOWN, options);
    expect(await reading.document(file, { fileName: 'a.xlsx' })).toMatchObject({
      fileType: 'xlsx',
      units: [{ text }],
    });
  });

  it.each([128, 256] as const)('of Office 2007 is read (AES-%d)', async (bits) => {
    expect(await reading.units(standardPackage(book, KNOWN, bits), { fileName: 'a.xlsx' })).toMatchObject([
      [['S'], 1, text],
    ]);
  });

  it.each([
    ['RC4', rc4Stream(stream, rc4Lock(KNOWN))],
    ['RC4 of 40 bits by CryptoAPI', rc4Stream(stream, cryptoApiLock(KNOWN, 40))],
    ['RC4 of 128 bits by CryptoAPI', rc4Stream(stream, cryptoApiLock(KNOWN, 128))],
    ['a mask', xorStream(stream, { version: 8, head: HEAD, mask: MASK })],
  ])('from before 2007 is read, with its boxes (%s)', async (_, locked) => {
    const file = compoundFile({ Workbook: locked });
    const [unit] = await reading.units(file, { fileName: 'a.xls' });
    expect(unit![2]).toContain('| Line 0 of many | 0 |');
    expect(unit![2]).toContain('| Line 199 of many | 49.75 |');
    expect(unit![2]).toContain('Boxed');
  });

  it('of Excel 5 is read', async () => {
    const old = xlsStream([['Nut', 1.5]], { version: 5 });
    const file = compoundFile({ Book: xorStream(old, { version: 5, head: HEAD, mask: MASK }) });
    expect(await reading.units(file, { fileName: 'a.xls' })).toMatchObject([[['S'], 1, 'S\n\nNut | 1.5']]);
  });

  it('is read within another document', async () => {
    const file = docxFile(paragraph('Around'), {
      'word/embeddings/a.xlsx': agilePackage(book, KNOWN),
    });
    expect(await reading.units(file, { fileName: 'a.docx' })).toMatchObject([
      [[], 0, 'Around'],
      [['S'], 0, text],
    ]);
  });
});

describe('a presentation under the password that PowerPoint tries itself', () => {
  const slides = [{ title: 'Opening', lines: ['First line', 'Second line'] }];
  it('is read', async () => {
    const file = pptFile(slides, { lock: presentationLock('/01Hannes Ruescher/01') });
    expect(await reading.units(file, { fileName: 'a.ppt' })).toEqual(
      await reading.units(pptFile(slides), { fileName: 'a.ppt' }),
    );
  });

  it('is locked under another one', async () => {
    const file = pptFile(slides, { lock: presentationLock('other') });
    expect(await reading.outcome(file, { fileName: 'a.ppt' })).toMatchObject(LOCKED);
  });
});

describe('a file under another password', () => {
  it.each([
    ['agile', agilePackage(book, 'other'), 'a.xlsx'],
    ['standard', standardPackage(book, 'other'), 'a.xlsx'],
    ['of a cipher that is not known', agilePackage(book, KNOWN, { chaining: 'CFB' }), 'a.xlsx'],
    ['RC4', compoundFile({ Workbook: rc4Stream(stream, rc4Lock('other')) }), 'a.xls'],
    ['CryptoAPI', compoundFile({ Workbook: rc4Stream(stream, cryptoApiLock('other', 128)) }), 'a.xls'],
    [
      'a mask',
      compoundFile({ Workbook: xorStream(stream, { version: 8, head: '4a511acc', mask: MASK }) }),
      'a.xls',
    ],
  ])('stays locked (%s)', async (_, file, fileName) => {
    expect(await reading.outcome(file, { fileName })).toMatchObject(LOCKED);
  });

  it('stays locked where it asks for more work than is done, though its password is known', () => {
    const [asked, enough] = [
      agilePackage(book, KNOWN, { spins: 11 }),
      agilePackage(book, KNOWN, { spins: 10 }),
    ];
    expect(openedPackage(asked, 10)).toBe(asked);
    expect(openedPackage(enough, 10)).toEqual(book);
  });

  it.each([0, 1, 7, 12, 40, 80])('and cut after %d bytes of its description stays locked', async (length) => {
    const file = compoundFile({
      EncryptionInfo: Buffer.concat([Buffer.from([4, 0, 2, 0]), Buffer.alloc(80, 0xff)]).subarray(0, length),
      EncryptedPackage: Buffer.alloc(3),
    });
    expect(await reading.outcome(file, { fileName: 'a.xlsx' })).toMatchObject(LOCKED);
  });
});

/** RFC 6229, section 2, the first and the second line of the keys. */
describe('RC4', () => {
  it.each([
    ['0102030405', 'b2396305f03dc027ccc3524a0a1118a86982944f18fc82d589c403a47a0d0919'],
    ['0102030405060708090a0b0c0d0e0f10', '9ac7cc9a609d1ef7b2932899cde41b975248c4959014126a6e8a84f11d1a9e1c'],
  ])('gives the bytes of its vectors, in pieces too (%s)', (key, expected) => {
    const bytes = Buffer.alloc(32);
    const rc4 = createRc4(Buffer.from(key, 'hex'));
    rc4(bytes.subarray(0, 5));
    rc4(bytes.subarray(5));
    expect(bytes.toString('hex')).toBe(expected);
  });
});
