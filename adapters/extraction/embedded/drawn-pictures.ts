import { constants, inflateSync } from 'node:zlib';
import type { EmbeddedFile } from './embedded-file.ts';

/** Pictures in drawings of office files from before 2007: the head of their record, and how many ids follow ([MS-ODRAW] 2.2.23 to 2.2.25). */
const PICTURES: readonly (readonly [head: string, ids: number])[] = [
  ['403d1af0', 1],
  ['503d1af0', 2],
  ['60211bf0', 1],
  ['70211bf0', 2],
];
const RECORD_BYTES = 8;
const ID_BYTES = 16;
const HEADER_BYTES = 34;
const MOST_BYTES = 32 * 1_024 ** 2;

/** EMF and WMF, wherever they lie in a stream, in their order. */
export const drawnPictures = function* (stream: Buffer): Generator<EmbeddedFile> {
  const places = PICTURES.flatMap(([head, ids]) => placesOf(stream, head).map((at) => ({ at, ids })));
  for (const { at, ids } of places.toSorted((a, b) => a.at - b.at)) {
    const content = pictureAt(stream, at + RECORD_BYTES + ids * ID_BYTES);
    if (content !== null) yield { name: '', content };
  }
};

const placesOf = (stream: Buffer, head: string): readonly number[] => {
  const wanted = Buffer.from(head, 'hex');
  const found: number[] = [];
  for (let at = stream.indexOf(wanted); at !== -1; at = stream.indexOf(wanted, at + 1)) found.push(at);
  return found;
};

/** Behind its size when unfolded, its place and its size here, and whether it is packed. */
const pictureAt = (stream: Buffer, at: number): Buffer | null => {
  if (at + HEADER_BYTES > stream.length) return null;
  const size = stream.readUInt32LE(at + 28);
  const isPacked = stream[at + 32] === 0;
  const content = stream.subarray(at + HEADER_BYTES, at + HEADER_BYTES + size);
  if (!isPacked) return content;
  try {
    return inflateSync(content, { maxOutputLength: MOST_BYTES, finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return null;
  }
};
