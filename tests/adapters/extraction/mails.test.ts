import { afterAll, describe, expect, it } from 'vitest';
import { compoundFile } from './corpus/compound-file.ts';
import { docxFile, paragraph, rowsOf, xlsxFile } from './corpus/open-xml.ts';
import { createReading } from './corpus/reading.ts';
import { zipFile } from './corpus/zip-file.ts';

const reading = createReading();
afterAll(() => reading.remove());

const prices = xlsxFile({ Prices: rowsOf([['Nut', 3]]) });
const holding = (parts: Readonly<Record<string, Buffer>>): Buffer =>
  docxFile(
    paragraph('Around'),
    Object.fromEntries(Object.entries(parts).map(([name, part]) => [`word/embeddings/${name}`, part])),
  );
const within = async (parts: Readonly<Record<string, Buffer>>) =>
  (await reading.units(holding(parts), { fileName: 'a.docx' })).slice(1);
const mail = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'utf8');

const HEAD = [
  'From: =?utf-8?q?J=C3=BCrgen_M?= =?utf-8?q?=C3=BCller?= <jm@example.com>',
  'To: you@example.com,',
  '\tthem@example.com',
  'Subject: =?iso-8859-1?B?R3L832U=?= from here',
  'Date: Thu, 5 Nov 2026 10:00:00 +0000',
  'MIME-Version: 1.0',
];
const SHOWN =
  'Subject: Grüße from here\nFrom: Jürgen Müller <jm@example.com>\nTo: you@example.com, them@example.com\nDate: Thu, 5 Nov 2026 10:00:00 +0000';

describe('a mail within a document', () => {
  it('is read with who wrote it to whom', async () => {
    const file = mail(
      ...HEAD,
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'It is =',
      'f=FCnf =3D 5 o=27clock.',
      'a=b',
    );
    expect(await within({ 'm.eml': file })).toEqual([[[], 0, `${SHOWN}\n\nIt is fünf = 5 o'clock.\na=b`]]);
  });

  it('is read with the files in it, under their names', async () => {
    const file = mail(
      ...HEAD,
      'Content-Type: multipart/mixed; boundary="outer"',
      '',
      'Not for readers.',
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain',
      '',
      'Plain words.',
      '--inner',
      'Content-Type: text/html',
      '',
      '<p>Words of a page.</p>',
      '--inner--',
      '--outer',
      "Content-Type: application/octet-stream; name*0*=utf-8''pr%C3%A4; name*1*=mien.xlsx",
      'Content-Disposition: attachment',
      'Content-Transfer-Encoding: base64',
      '',
      ...prices.toString('base64').match(/.{1,76}/g)!,
      '--outer',
      'Content-Type: message/rfc822',
      '',
      'Subject: Before',
      '',
      'The first mail.',
      '--outer--',
      'Behind the end.',
    );
    expect(await within({ 'm.eml': file })).toEqual([
      [[], 0, `${SHOWN}\n\nPlain words.`],
      [['prämien.xlsx', 'Prices'], 0, 'Prices\n\nNut | 3'],
      [['message.eml'], 0, 'Subject: Before\n\nThe first mail.'],
    ]);
  });

  it('has the text of its page where it has no other', async () => {
    const file = mail(
      ...HEAD,
      'Content-Type: multipart/alternative; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      '  ',
      '--b',
      'Content-Type: text/html; charset=windows-1251',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from([0x3c, 0x70, 0x3e, 0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]).toString('base64'),
      '--b--',
    );
    expect(await within({ 'm.eml': file })).toEqual([
      [[], 0, SHOWN],
      [[], 0, 'Привет'],
    ]);
  });

  it.each([
    ['by its name', 'm.eml', 'Subject: x\n\ny', 'Subject: x\n\ny'],
    ['by its headers', 'm', 'Received: from x\nFrom: y\nMessage-ID: <z>\n\nw', 'From: y\n\nw'],
    ['but no text that speaks of them', 'a.txt', 'Note: see\nFrom: y', 'Note: see\nFrom: y'],
  ])('is known %s', async (_, name, text, expected) => {
    const archive = zipFile({ [name]: Buffer.from(text) });
    expect((await within({ 'a.zip': archive })).map(([, , shown]) => shown)).toEqual([expected]);
  });

  it('with parts by the thousand, or nested without end, costs nothing of the text around it', async () => {
    const many = mail(
      ...HEAD,
      'Content-Type: multipart/mixed; boundary=b',
      '',
      ...Array.from({ length: 5_000 }, () => '--b\r\n\r\nx'),
    );
    const nested = Array.from(
      { length: 2_000 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}`,
    );
    const found = await within({
      'a.eml': many,
      'b.eml': mail(...HEAD, ...nested, '', 'x'),
      'c.xlsx': prices,
    });
    expect(found.at(-1)).toEqual([['Prices'], 0, 'Prices\n\nNut | 3']);
  });

  /** @param head bytes before the properties: 32, of a message within another one 24 */
  const message = (
    more: Readonly<Record<string, Buffer>> = {},
    head = 32,
  ): Readonly<Record<string, Buffer>> => {
    const properties = Buffer.alloc(head + 32);
    properties.writeUInt32LE(0x00390040, head);
    properties.writeBigUInt64LE(
      BigInt(Date.UTC(2026, 10, 5, 10)) * 10_000n + 116_444_736_000_000_000n,
      head + 8,
    );
    properties.writeUInt32LE(0x3fde0003, head + 16);
    properties.writeUInt32LE(1_251, head + 24);
    return {
      '__properties_version1.0': properties,
      '__substg1.0_0037001F': Buffer.from('Order', 'utf16le'),
      '__substg1.0_0C1A001E': Buffer.from([0xc8, 0xe2, 0xe0, 0xed]),
      '__substg1.0_0C1F001F': Buffer.from('/O=EXAMPLE/CN=IVAN', 'utf16le'),
      '__substg1.0_0E04001F': Buffer.from('Store', 'utf16le'),
      ...more,
    };
  };
  const ORDER = 'Subject: Order\nFrom: Иван\nTo: Store\nDate: 2026-11-05T10:00:00.000Z';

  it('of Outlook is read with the files in it', async () => {
    const inner = Object.entries(
      message({ '__substg1.0_1000001F': Buffer.from('Inner', 'utf16le') }, 24),
    ).map(
      ([path, content]) => [`__attach_version1.0_#00000001/__substg1.0_3701000D/${path}`, content] as const,
    );
    const file = compoundFile(
      message({
        '__substg1.0_1000001F': Buffer.from('Two nuts.\r\nBye', 'utf16le'),
        '__attach_version1.0_#00000000/__substg1.0_37010102': prices,
        '__attach_version1.0_#00000000/__substg1.0_3707001F': Buffer.from('prices.xlsx', 'utf16le'),
        ...Object.fromEntries(inner),
        '__attach_version1.0_#00000001/__substg1.0_3001001F': Buffer.from('An order', 'utf16le'),
      }),
    );
    expect(await within({ 'oleObject1.bin': file })).toEqual([
      [[], 0, `${ORDER}\n\nTwo nuts.\nBye`],
      [['prices.xlsx', 'Prices'], 0, 'Prices\n\nNut | 3'],
      [['An order'], 0, `${ORDER}\n\nInner`],
    ]);
  });

  it.each([
    [
      'of HTML',
      { '__substg1.0_10130102': Buffer.concat([Buffer.from('<p>'), Buffer.from([0xc4, 0xe0])]) },
      'Да',
    ],
    ['of rich text', { '__substg1.0_10090102': packed() }, 'hello world'],
  ])('of Outlook has its body %s where there is no other', async (_, body, text) => {
    expect(await within({ 'm.msg': compoundFile(message(body)) })).toEqual([
      [[], 0, ORDER],
      [[], 0, text],
    ]);
  });

  it('of Outlook with rich text that is longer than itself, or a chain without end, costs nothing', async () => {
    const lying = packed();
    lying.writeUInt32LE(0x7fffffff, 0);
    const looped = compoundFile(message({ '__substg1.0_1000001F': Buffer.alloc(5_000, 'x\0') }));
    // Each sector of its table names itself as the next one.
    const table = 512 * (looped.readUInt32LE(0x4c) + 1);
    for (let sector = 0; sector < 128; sector += 1) looped.writeUInt32LE(sector, table + 4 * sector);
    const found = await within({
      'a.msg': compoundFile(message({ '__substg1.0_10090102': lying })),
      'b.msg': looped,
      'c.xlsx': prices,
    });
    expect(found.at(-1)).toEqual([['Prices'], 0, 'Prices\n\nNut | 3']);
  });
});

describe('an archive within a document', () => {
  it('is read file by file, under their names, but for what systems put into it', async () => {
    const archive = zipFile({
      'notes/a.txt': 'Grease it.',
      '__MACOSX/notes/._a.txt': 'resource',
      '.DS_Store': 'store',
      'notes/prices.xlsx': prices,
      'mails/m.eml': mail('Subject: In it', '', 'Words'),
      'picture.bin': Buffer.from([0, 1, 2, 3]),
    });
    expect(await within({ 'archive.zip': archive })).toEqual([
      [['a.txt'], 0, 'Grease it.'],
      [['prices.xlsx', 'Prices'], 0, 'Prices\n\nNut | 3'],
      [['m.eml'], 0, 'Subject: In it\n\nWords'],
    ]);
  });
});

/** The first example of [MS-OXRTFCP] 3.2. */
function packed(): Buffer {
  return Buffer.from(
    '2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0',
    'hex',
  );
}
