/** Width and height in pixels as the header of an image says; null where it does not. */
export const imageSize = (bytes: Buffer): { readonly width: number; readonly height: number } | null => {
  try {
    if (bytes.readUInt32BE(0) === 0x89504e47)
      return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
    if (bytes.toString('latin1', 0, 4) === 'RIFF') return webpSize(bytes);
    return bytes.readUInt16BE(0) === 0xffd8 ? jpegSize(bytes) : null;
  } catch {
    return null; // cut within its header
  }
};

/** The frame header (ITU-T T.81, B.2.2), of whatever process. Decoders pass over what stands between segments; so does this. */
const jpegSize = (bytes: Buffer) => {
  for (let at = bytes.indexOf(0xff, 2); at !== -1 && at + 9 < bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes[at + 1]!;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    at +=
      marker === 0xff
        ? 1
        : marker <= 0x01 || (marker >= 0xd0 && marker <= 0xd8)
          ? 2
          : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
};

/** The three forms of a WebP image (RFC 9649, section 2). */
const webpSize = (bytes: Buffer) => {
  const form = bytes.toString('latin1', 12, 16);
  if (form === 'VP8X') return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  if (form === 'VP8L') {
    const bits = bytes.readUInt32LE(21);
    return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) };
  }
  if (form !== 'VP8 ') return null;
  return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
};
