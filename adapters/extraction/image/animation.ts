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

/**
 * The first picture of an animation in WebP as a still image, and other images as they are: of those, decoders read the
 * first picture themselves.
 */
export const firstPicture = (bytes: Buffer): Buffer => {
  if (bytes.toString('latin1', 0, 4) !== 'RIFF') return bytes;
  const frame = riffChunks(bytes, 12).find(({ type }) => type === 'ANMF');
  if (frame === undefined) return bytes;
  const parts = riffChunks(frame.content, FRAME_HEADER).filter(({ type }) =>
    /^(?:ALPH|VP8 |VP8L)$/.test(type),
  );
  const body = parts.map(({ whole }) => whole);
  // Transparency besides the colours needs a header that says so, with the size of the frame.
  if (parts.some(({ type }) => type === 'ALPH')) {
    const size = frame.content.subarray(6, 12);
    body.unshift(Buffer.concat([Buffer.from('VP8X\x0a\0\0\0\x10\0\0\0', 'latin1'), size]));
  }
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + body.reduce((sum, part) => sum + part.length, 0), 4);
  return Buffer.concat([head, ...body]);
};
