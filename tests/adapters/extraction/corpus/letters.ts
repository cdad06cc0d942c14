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

/** Turned clockwise so many quarters. */
export const turned = (image: GreyImage, quarters: number): GreyImage => {
  if (quarters === 0) return image;
  const data = Buffer.alloc(image.data.length);
  for (let y = 0; y < image.height; y += 1)
    for (let x = 0; x < image.width; x += 1)
      data[x * image.height + image.height - 1 - y] = image.data[y * image.width + x]!;
  return turned({ width: image.height, height: image.width, data }, quarters - 1);
};
/** The same with so many times fewer pixels across and down. */
export const smaller = ({ width, height, data }: GreyImage, times: number): GreyImage => {
  const [wide, high] = [Math.floor(width / times), Math.floor(height / times)];
  const mean = (x: number, y: number): number => {
    let sum = 0;
    for (let row = 0; row < times; row += 1)
      for (let column = 0; column < times; column += 1)
        sum += data[(y * times + row) * width + x * times + column]!;
    return sum / times ** 2;
  };
  const pixels = Array.from({ length: wide * high }, (_, at) => mean(at % wide, Math.floor(at / wide)));
  return { width: wide, height: high, data: Buffer.from(pixels) };
};

const chunk = (type: string, body: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type), body]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(body.length, 0);
  ends.writeUInt32BE(crc32(named), 4);
  return Buffer.concat([ends.subarray(0, 4), named, ends.subarray(4)]);
};

/** PNG, in grey or in colours. `claimed` is what its header says of its size, and `pictures` of its animation. */
export const pngFile = (
  { width, height, data }: GreyImage,
  colours: 1 | 3 = 1,
  claimed = { width, height },
  pictures = 1,
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
    ...(pictures > 1 ? [chunk('acTL', Buffer.from([0, 0, 0, pictures, 0, 0, 0, 0]))] : []),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

/** GIF with so many pictures, all the same, in codes of eight bits that nothing is repeated by (appendix F). */
export const gifFile = ({ width, height, data }: GreyImage, pictures = 1): Buffer => {
  const size = Buffer.alloc(4);
  size.writeUInt16LE(width, 0);
  size.writeUInt16LE(height, 2);
  const table = Buffer.from(Array.from({ length: 128 }, (_, grey) => [2 * grey, 2 * grey, 2 * grey]).flat());
  // A code that clears the table before it grows keeps all codes at eight bits.
  const codes = [...data].flatMap((grey, at) => (at % 100 === 0 ? [128, grey >> 1] : [grey >> 1]));
  const bytes = Buffer.from([...codes, 129]);
  const blocks = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, at) => {
    const block = bytes.subarray(255 * at, 255 * (at + 1));
    return Buffer.concat([Buffer.of(block.length), block]);
  });
  const picture = Buffer.concat([
    Buffer.of(0x2c, 0, 0, 0, 0),
    size,
    Buffer.of(0, 7),
    ...blocks,
    Buffer.of(0),
  ]);
  const delay = Buffer.of(0x21, 0xf9, 4, 0, 10, 0, 0, 0);
  return Buffer.concat([
    Buffer.from('GIF89a'),
    size,
    Buffer.of(0xf6, 0, 0),
    table,
    ...Array.from({ length: pictures }, () => [delay, picture]).flat(),
    Buffer.of(0x3b),
  ]);
};

/** An animation of WebP images of this size, as their files have them. */
export const webpAnimation = (
  size: { readonly width: number; readonly height: number },
  ...images: Buffer[]
): Buffer => {
  const riff = (type: string, content: Buffer): Buffer => {
    const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
    head.writeUInt32LE(content.length, 4);
    return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
  };
  const less = Buffer.alloc(6);
  less.writeUIntLE(size.width - 1, 0, 3);
  less.writeUIntLE(size.height - 1, 3, 3);
  const frames = images.map((image) =>
    riff('ANMF', Buffer.concat([Buffer.alloc(6), less, Buffer.of(100, 0, 0, 0), image.subarray(12)])),
  );
  return riff(
    'RIFF',
    Buffer.concat([
      Buffer.from('WEBP'),
      riff('VP8X', Buffer.concat([Buffer.of(2, 0, 0, 0), less])),
      riff('ANIM', Buffer.alloc(6)),
      ...frames,
    ]),
  );
};
