import { afterAll, describe, expect, it } from 'vitest';
import { compoundFile } from './corpus/compound-file.ts';
import { createReading } from './corpus/reading.ts';
import { zipFile } from './corpus/zip-file.ts';

const reading = createReading();
afterAll(() => reading.remove());

describe('text, whatever its ending', () => {
  it.each([
    ['README.rst', 'txt', 'text/x-rst'],
    ['guide.adoc', 'txt', 'text/asciidoc'],
    ['page.mdx', 'md', 'text/mdx'],
    ['paper.tex', 'txt', 'text/x-tex'],
    ['film.srt', 'txt', 'application/x-subrip'],
    ['film.vtt', 'txt', 'text/vtt'],
    ['run.log', 'txt', 'text/plain'],
    ['a.yaml', 'txt', 'application/yaml'],
    ['a.toml', 'txt', 'application/toml'],
    ['a.csv', 'txt', 'text/csv'],
    ['settings.ini', 'txt', 'text/plain'],
    ['Jenkinsfile', 'txt', 'text/plain'],
    ['notes.2026-11', 'txt', 'text/plain'],
    ['program.ts', 'txt', 'text/plain'],
    ['page.xhtml', 'html', 'application/xhtml+xml'],
    ['lines.ndjson', 'jsonl', 'application/jsonl'],
  ])('is read: %s', async (fileName, fileType, mediaType) => {
    const text = fileType === 'jsonl' ? '{"text":"Some pecan words"}' : 'Some pecan words\nand more';
    for (const claimed of ['application/octet-stream', undefined]) {
      const claims = { fileName, ...(claimed !== undefined && { mediaType: claimed }) };
      const read = await reading.document(text, claims);
      expect(read).toMatchObject({ fileType, mediaType });
      expect(read.units!.map((unit) => unit.text).join('\n')).toContain('Some pecan words');
    }
  });

  it('has the media type that is claimed where the bytes fit it', async () => {
    const typeOf = async (mediaType: string, fileName: string) =>
      (await reading.document('words', { mediaType, fileName })).mediaType;
    expect(await typeOf('text/x-python; charset=utf-8', 'a')).toBe('text/x-python');
    expect(await typeOf('video/mp2t', 'a.ts')).toBe('text/plain');
    expect(await typeOf('application/msword', 'a.doc')).toBe('text/plain');
  });

  it.each([
    [
      'with other bytes behind a header in letters',
      Buffer.concat([Buffer.alloc(3_000, 'solid '), Buffer.alloc(9_000, '\0\u0001\u0002')]),
    ],
    ['of numbers', Buffer.alloc(3_000, '\u0001\0\0\0')],
    [
      'of a picture in XML',
      Buffer.from(
        '<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><text>x</text></svg>',
      ),
    ],
    ['for a printer', Buffer.from('%!PS-Adobe-3.0\n(Hello) show')],
  ])('is none that only programs read: %s', async (_, bytes) => {
    expect((await reading.outcome(bytes, { fileName: 'a.xyz' })).kind).toBe('unsupported');
  });

  it('holds a bell now and then', async () => {
    const log = `${'a line of a build\n'.repeat(100)}\u0007done\n`;
    expect((await reading.outcome(log, { fileName: 'build.out' })).kind).toBe('document');
  });
});

describe('a document without text', () => {
  it.each([
    ['a.html', '<p> </p>'],
    ['a.txt', ' \n'],
    ['a.rtf', '{\\rtf1 {\\v secret}}'],
  ])('says so: %s', async (fileName, bytes) => {
    const { unread, chunkSet } = await reading.document(bytes, { fileName });
    expect([unread?.code, chunkSet.chunks]).toEqual(['no_text', []]);
  });
});

describe('a mail that is a document', () => {
  const FIRST = 'From: a@example.com\r\nSubject: Nuts\r\nMIME-Version: 1.0\r\n';

  it.each(['nuts.eml', '1764381.M5P7.host', 'nuts.EML'])(
    'is read with its attachments: %s',
    async (fileName) => {
      const mail =
        `${FIRST}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Pecan</p>\r\n` +
        '--b\r\nContent-Type: text/csv; name=prices.csv\r\nContent-Disposition: attachment\r\n\r\nNut,Price\r\nAlmond,3\r\n--b--';
      expect(await reading.document(mail, { fileName })).toMatchObject({
        title: 'Nuts',
        fileType: 'txt',
        mediaType: 'message/rfc822',
        units: [
          { headingPath: [], text: 'Subject: Nuts\nFrom: a@example.com' },
          { headingPath: [], text: 'Pecan' },
          { headingPath: ['prices.csv'], text: '| Nut | Price |\n| --- | --- |\n| Almond | 3 |' },
        ],
      });
    },
  );

  it('of Outlook is read', async () => {
    const { mediaType, fileType } = await reading
      .document(compoundFile({ '__properties_version1.0': Buffer.alloc(32) }), { fileName: 'a.msg' })
      .catch(() => ({ mediaType: 'not read', fileType: '' }));
    expect([mediaType, fileType]).toEqual(['application/vnd.ms-outlook', 'txt']);
  });

  it('is one of a mailbox, each under its subject', async () => {
    const from = 'From a@example.com Thu Nov  5 10:00:00 2026\n';
    const second = 'Subject: Bolts\nFrom: b@example.com\n\nFrom here on.\n>From us\n\nFrom nowhere\n';
    const box = `${from}${FIRST.replaceAll('\r', '')}\nPecan\n\n${from}${second}`;
    for (const fileName of ['a.mbox', 'Inbox'])
      expect(await reading.units(box, { fileName })).toEqual([
        [['Nuts'], 0, 'Subject: Nuts\nFrom: a@example.com\n\nPecan'],
        [['Bolts'], 0, 'Subject: Bolts\nFrom: b@example.com\n\nFrom here on.\nFrom us\n\nFrom nowhere'],
      ]);
  });
});

describe('a notebook', () => {
  it('is read with its texts, its code and what that printed', async () => {
    const notebook = {
      nbformat: 4,
      metadata: { language_info: { name: 'python' } },
      cells: [
        { cell_type: 'markdown', source: ['# Nuts\n', 'About *pecans*.'] },
        {
          cell_type: 'code',
          source: 'print("almond")',
          outputs: [
            { output_type: 'stream', text: ['almond\n'] },
            { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo', 'text/plain': '<Figure>' } },
            { output_type: 'error', ename: 'KeyError', evalue: 'nut', traceback: ['\u001B[0;31m'] },
          ],
        },
      ],
    };
    expect(await reading.document(JSON.stringify(notebook), { fileName: 'a.ipynb' })).toMatchObject({
      title: 'Nuts',
      fileType: 'md',
      mediaType: 'application/x-ipynb+json',
      units: [
        {
          headingPath: ['Nuts'],
          text:
            'Nuts\n\nAbout *pecans*.\n\n```python\nprint("almond")\n```\n\n```\nalmond\n```\n\n```\n<Figure>\n```\n\n' +
            '```\nKeyError: nut\n```',
        },
      ],
    });
  });

  it('that is broken is text', async () => {
    expect(await reading.texts('{"cells": pecan', { fileName: 'a.ipynb' })).toEqual(['{"cells": pecan']);
  });
});

describe('a book', () => {
  const book = (more: Readonly<Record<string, string>> = {}): Buffer =>
    zipFile(
      Object.fromEntries(
        Object.entries({
          mimetype: 'application/epub+zip',
          'META-INF/container.xml':
            '<container><rootfiles><rootfile full-path="OPS/a b.opf"/></rootfiles></container>',
          'OPS/a b.opf':
            '<package xmlns:dc="d"><metadata><dc:title>On Nuts</dc:title><dc:language>en</dc:language></metadata><manifest>' +
            '<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>' +
            '<item id="2" href="two.xhtml" media-type="application/xhtml+xml"/>' +
            '<item id="1" href="ch%201.xhtml" media-type="application/xhtml+xml"/></manifest>' +
            '<spine><itemref idref="n"/><itemref idref="1"/><itemref idref="2"/></spine></package>',
          'OPS/nav.xhtml': '<html><body><nav>Contents</nav></body></html>',
          'OPS/ch 1.xhtml':
            '<html><head><title>x</title></head><body><h1>Pecans</h1><p>Grow slowly.</p></body></html>',
          'OPS/two.xhtml':
            '<html><body><h1>Almonds</h1><p hidden="">No.</p><p>Bloom early.</p></body></html>',
          ...more,
        }).map(([name, text]) => [name, Buffer.from(text)]),
      ),
    );

  it('is read in its order, by chapters', async () => {
    expect(await reading.document(book(), { fileName: 'a.epub' })).toMatchObject({
      title: 'On Nuts',
      language: 'en',
      fileType: 'html',
      mediaType: 'application/epub+zip',
      units: [
        { headingPath: ['Pecans'], text: 'Pecans\n\nGrow slowly.' },
        { headingPath: ['Almonds'], text: 'Almonds\n\nBloom early.' },
      ],
    });
  });

  it('that is locked says so', async () => {
    const locked = book({
      'META-INF/encryption.xml':
        '<encryption><EncryptedData><CipherData><CipherReference URI="OPS/two.xhtml"/></CipherData></EncryptedData></encryption>',
    });
    expect(await reading.outcome(locked, { fileName: 'a.epub' })).toMatchObject({ code: 'encrypted' });
  });
});
