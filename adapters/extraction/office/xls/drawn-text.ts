/** Types of records ([MS-XLS] 2.3.1). */
const TEXT_OBJECT = 0x01b6;
const CONTINUE = 0x003c;
const SERIES_TEXT = 0x100d;

/**
 * Text of shapes, comments' boxes and charts in a workbook stream, which the library that reads cells leaves out. In the
 * order of the stream, each text once.
 */
export const drawnText = (stream: Buffer): readonly string[] => {
  const found = new Set<string>();
  let expected = 0;
  for (let at = 0; at + 4 <= stream.length;) {
    const [type, length] = [stream.readUInt16LE(at), stream.readUInt16LE(at + 2)];
    const body = stream.subarray(at + 4, at + 4 + length);
    if (type === TEXT_OBJECT && body.length >= 12) expected = body.readUInt16LE(10);
    else if (type === CONTINUE && expected > 0) {
      found.add(characters(body, 0, expected));
      expected = 0;
    } else if (type === SERIES_TEXT && body.length > 4) found.add(characters(body, 3, body[2]!));
    else if (type !== CONTINUE) expected = 0;
    at += 4 + length;
  }
  return [...found].map((text) => text.trim()).filter((text) => text !== '');
};

/** Behind a byte whose lowest bit says whether characters have two bytes or one. */
const characters = (body: Buffer, at: number, count: number): string =>
  ((body[at] ?? 0) & 1) === 1
    ? body.toString('utf16le', at + 1, at + 1 + 2 * count)
    : body.toString('latin1', at + 1, at + 1 + count);
