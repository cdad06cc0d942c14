import { afterAll, describe, expect, it } from 'vitest';
import { createReading } from '../corpus/reading.ts';
import { textBox, xlsFile, xlsRecord, xlsStream } from '../corpus/xls-file.ts';

const reading = createReading();
afterAll(() => reading.remove());
const textOf = async (file: Buffer): Promise<string> =>
  (await reading.document(file, { fileName: 'a.xls' })).units![0]!.text;

/** Letters of the 256 that a code page has, by trying them all. */
const encoderOf = (label: string) => {
  const letters = new TextDecoder(label).decode(Uint8Array.from({ length: 256 }, (_, index) => index));
  return (text: string): Buffer => Buffer.from([...text].map((letter) => letters.indexOf(letter)));
};

describe('a workbook from before 2007', () => {
  it.each([8, 5] as const)('has its texts, numbers and days (version %d)', async (version) => {
    const rows = [
      ['Part', 'Made', 'Price'],
      ['Bolt', { day: 45_322 }, 0.2],
    ];
    const file = xlsFile(rows, { version });
    expect(await textOf(file)).toBe(
      'S\n\n| Part | Made | Price |\n| --- | --- | --- |\n| Bolt | 1/31/24 | 0.2 |',
    );
  });

  it.each([
    ['windows-1251', 1_251, 'Привет мир'],
    ['windows-1253', 1_253, 'Καλημέρα'],
    ['windows-1252', null, '“quoted” – 5 €'],
    ['macintosh', 0x8000, 'Größe'],
  ])('of Excel 5 is read in its code page (%s)', async (label, codePage, text) => {
    expect(await textOf(xlsFile([[text]], { version: 5, codePage, encode: encoderOf(label) }))).toBe(
      `S\n\n${text}`,
    );
  });

  it('has the whole text of its boxes, in whatever records it lies', async () => {
    const long = `${'y'.repeat(8_000)}é`.repeat(2);
    const more = [
      ...textBox(long, [
        [0, 8_000, false],
        [8_000, 12_000, true],
        [12_000, long.length, false],
      ]),
      ...textBox('Short', [[0, 5, true]]),
    ];
    expect(await textOf(xlsFile([['x']], { more }))).toBe(`S\n\nx\n\n${long}\n\nShort`);
  });

  it.each([
    [8, Buffer.concat([Buffer.of(0, 0, 5, 1), Buffer.from('Север', 'utf16le')])],
    [5, Buffer.concat([Buffer.of(0, 0, 5), encoderOf('windows-1251')('Север')])],
  ] as const)('has the names that its charts show (version %d)', async (version, body) => {
    const options = { version, codePage: version === 5 ? 1_251 : 1_200, more: [xlsRecord(0x100d, body)] };
    expect(await textOf(xlsFile([['x']], options))).toBe('S\n\nx\n\nСевер');
  });

  it.each([
    [8, Buffer.concat([Buffer.of(29, 0, 0), Buffer.from('&L&"Arial,Bold"&9North&RP. &P')])],
    [5, Buffer.concat([Buffer.of(29), Buffer.from('&L&"Arial,Bold"&9North&RP. &P')])],
  ] as const)('has its headers and footers, without their codes (version %d)', async (version, body) => {
    const more = [xlsRecord(0x0014, body), xlsRecord(0x0015), xlsRecord(0x0015, body)];
    expect(await textOf(xlsFile([['x']], { version, more }))).toBe('S\n\nx\n\nNorth P.');
  });

  it('has the numbers that its charts show, and those of its sheets once', async () => {
    const value = (number: number): Buffer => {
      const body = Buffer.alloc(14);
      body.writeDoubleLE(number, 6);
      return xlsRecord(0x0203, body);
    };
    const chart = [xlsRecord(0x0809, Buffer.from([0, 6, 0x20, 0, 0, 0, 0, 0])), value(12), value(0.5)];
    const more = [...chart, xlsRecord(0x000a)];
    expect(await textOf(xlsFile([['x', 3]], { more }))).toBe('S\n\nx | 3\n\n12, 0.5');
  });

  it('has its comments behind their authors', async () => {
    const note = xlsRecord(
      0x001c,
      Buffer.from([0, 0, 0, 0, 0, 0, 1, 0, 3, 0, 0]),
      Buffer.from('Ann\0', 'latin1'),
    );
    const more = [...textBox('Ann:\nSure?', [[0, 10, false]]), note];
    expect(await textOf(xlsFile([['x']], { more }))).toContain('\n\nComment by Ann: Sure?');
  });

  it('with a password is refused', async () => {
    const locked = xlsStream([['x']]);
    const password = xlsRecord(0x002f, Buffer.alloc(54));
    const start = locked.subarray(0, 12);
    expect(
      await reading.outcome(Buffer.concat([start, password, locked.subarray(12)]), { fileName: 'a.xls' }),
    ).toMatchObject({ kind: 'failed' });
  });
});
