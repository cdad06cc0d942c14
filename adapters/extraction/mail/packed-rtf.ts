/** What every window begins with ([MS-OXRTFCP] 2.1.2.1). */
const START =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const WINDOW = 4_096;
const HEADER_BYTES = 16;
const PLAIN = 0x414c454d;

/** Rich text as Outlook packs it ([MS-OXRTFCP]); as much as there is of one that breaks off. */
export const unpackedRtf = (packed: Buffer): Buffer => {
  if (packed.length < HEADER_BYTES) return Buffer.alloc(0);
  const size = packed.readUInt32LE(4);
  const body = packed.subarray(HEADER_BYTES);
  if (packed.readUInt32LE(8) === PLAIN) return body.subarray(0, size);
  const window = Buffer.alloc(WINDOW, START.padEnd(WINDOW, '\0'), 'latin1');
  // A reference of two bytes stands for 17 at most.
  const found = Buffer.alloc(Math.min(size, 9 * body.length));
  let [length, to, at] = [0, START.length, 0];
  const write = (byte: number): void => {
    if (length < found.length) found[length++] = byte;
    window[to] = byte;
    to = (to + 1) % WINDOW;
  };
  while (at < body.length && length < found.length) {
    const control = body[at++]!;
    for (let bit = 0; bit < 8 && at < body.length; bit += 1) {
      if (((control >>> bit) & 1) === 0) {
        write(body[at++]!);
        continue;
      }
      if (at + 2 > body.length) return found.subarray(0, length);
      const reference = body.readUInt16BE(at);
      at += 2;
      const from = reference >>> 4;
      // One to itself is the end.
      if (from === to) return found.subarray(0, length);
      for (let index = 0; index < (reference & 0xf) + 2; index += 1) write(window[(from + index) % WINDOW]!);
    }
  }
  return found.subarray(0, length);
};
