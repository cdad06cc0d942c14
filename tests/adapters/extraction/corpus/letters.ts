import { crc32, deflateSync } from 'node:zlib';

/** Letters as dots, five wide and seven high, for images that a reader of print should read. */
const LETTERS: Readonly<Record<string, string>> = {
  A: '01110 10001 10001 11111 10001 10001 10001',
  D: '11110 10001 10001 10001 10001 10001 11110',
  E: '11111 10000 10000 11110 10000 10000 11111',
  F: '11111 10000 10000 11110 10000 10000 10000',
  H: '10001 10001 10001 11111 10001 10001 10001',
  I: '01110 00100 00100 00100 00100 00100 01110',
  L: '10000 10000 10000 10000 10000 10000 11111',
  M: '10001 11011 10101 10101 10001 10001 10001',
  N: '10001 11001 10101 10011 10001 10001 10001',
  O: '01110 10001 10001 10001 10001 10001 01110',
  P: '11110 10001 10001 11110 10000 10000 10000',
  R: '11110 10001 10001 11110 10100 10010 10001',
  S: '01111 10000 10000 01110 00001 00001 11110',
  T: '11111 00100 00100 00100 00100 00100 00100',
  U: '10001 10001 10001 10001 10001 10001 01110',
  W: '10001 10001 10001 10101 10101 11011 10001',
  ' ': '00000 00000 00000 00000 00000 00000 00000',
};

const SCALE = 6;
const MARGIN = 40;

export interface GreyImage {
  readonly width: number;
  readonly height: number;
  /** A byte for each pixel, rows from above. */
  readonly data: Buffer;
}

/** Lines of black letters on white. */
export const printed = (...lines: readonly string[]): GreyImage => {
  const width = 2 * MARGIN + 6 * SCALE * Math.max(...lines.map((line) => line.length));
  const height = 2 * MARGIN + 11 * SCALE * lines.length;
  const data = Buffer.alloc(width * height, 255);
  for (const [row, line] of lines.entries()) {
    for (const [column, letter] of [...line].entries()) {
      const dots = LETTERS[letter]!.split(' ');
      for (let y = 0; y < 7 * SCALE; y += 1) {
        for (let x = 0; x < 5 * SCALE; x += 1) {
          if (dots[Math.floor(y / SCALE)]![Math.floor(x / SCALE)] !== '1') continue;
          data[(MARGIN + 11 * SCALE * row + y) * width + MARGIN + 6 * SCALE * column + x] = 0;
        }
      }
    }
  }
  return { width, height, data };
};

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
};

/** PNG, in grey or in colours. `claimed` is what its header says of its size. */
export const pngFile = (
  { width, height, data }: GreyImage,
  colours: 1 | 3 = 1,
  claimed = { width, height },
): Buffer => {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claimed.width, 0);
  header.writeUInt32BE(claimed.height, 4);
  header.set([8, colours === 1 ? 0 : 2], 8);
  const rows = Array.from({ length: height }, (_, y) => {
    const row = data.subarray(y * width, (y + 1) * width);
    const pixels = colours === 1 ? row : Buffer.from([...row].flatMap((grey) => [grey, grey, grey]));
    return Buffer.concat([Buffer.of(0), pixels]);
  });
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};
