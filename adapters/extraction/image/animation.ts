interface Animation {
  /** An image that decoders of still images read. */
  readonly first: Buffer;
  /** 1 for a still image. */
  readonly count: number;
}

/** The first picture of an image, and how many it has: animations are WebP, GIF and PNG. @throws where it is truncated */
export const firstPicture = (bytes: Buffer): Animation => {
  const start = bytes.toString('latin1', 0, 4);
  if (start === 'RIFF') return firstOfWebp(bytes);
  // Decoders read the first picture of these.
  const count = start === 'GIF8' ? picturesOfGif(bytes) : start === '\x89PNG' ? picturesOfPng(bytes) : 1;
  return { first: bytes, count };
};

interface Chunk {
  readonly type: string;
  /** With its type and length, padded. */
  readonly whole: Buffer;
  readonly content: Buffer;
}

/** RFC 9649, section 2.3. */
const riffChunks = (bytes: Buffer, from: number): readonly Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = from; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32LE(at + 4);
    const end = at + 8 + length + (length % 2);
    const content = bytes.subarray(at + 8, at + 8 + length);
    chunks.push({ type: bytes.toString('latin1', at, at + 4), whole: bytes.subarray(at, end), content });
    at = end;
  }
  return chunks;
};

const FRAME_HEADER = 16;

const firstOfWebp = (bytes: Buffer): Animation => {
  const frames = riffChunks(bytes, 12).filter(({ type }) => type === 'ANMF');
  if (frames[0] === undefined) return { first: bytes, count: 1 };
  const { content } = frames[0];
  const parts = riffChunks(content, FRAME_HEADER).filter(({ type }) => /^(?:ALPH|VP8 |VP8L)$/.test(type));
  const body = parts.map(({ whole }) => whole);
  // Transparency besides the colours needs a header that says so, with the size of the frame.
  if (parts.some(({ type }) => type === 'ALPH'))
    body.unshift(Buffer.concat([Buffer.from('VP8X\x0a\0\0\0\x10\0\0\0', 'latin1'), content.subarray(6, 12)]));
  const length = 4 + body.reduce((sum, part) => sum + part.length, 0);
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(length, 4);
  return { first: Buffer.concat([head, ...body]), count: frames.length };
};

/** The chunk `acTL` precedes the data of the image (PNG, third edition, 11.3.6.1). */
const picturesOfPng = (bytes: Buffer): number => {
  for (let at = 8; at + 12 <= bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === 'acTL') return bytes.readUInt32BE(at + 8);
    if (type === 'IDAT') break;
  }
  return 1;
};

/** GIF89a, appendix A. */
const picturesOfGif = (bytes: Buffer): number => {
  const tableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
  let count = 0;
  let at = 13 + tableBytes(bytes[10] ?? 0);
  while (at < bytes.length) {
    if (bytes[at] === 0x2c) {
      count += 1;
      at += 11 + tableBytes(bytes[at + 9] ?? 0);
    } else if (bytes[at] === 0x21) at += 2;
    else break;
    while ((bytes[at] ?? 0) > 0) at += 1 + bytes[at]!;
    at += 1;
  }
  return Math.max(1, count);
};
