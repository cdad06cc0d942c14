import { withoutMarks } from '../control-marks.ts';

/** A record of a presentation from before 2007 ([MS-PPT] 2.3.1). */
export interface PptRecord {
  readonly type: number;
  readonly instance: number;
  /** Holds records itself. */
  readonly isContainer: boolean;
  readonly body: Buffer;
}

/** Types of records ([MS-PPT] 2.13.24). */
export const RECORD = {
  document: 1000,
  slide: 1006,
  notes: 1008,
  notesAtom: 1009,
  slidePersist: 1011,
  outlineText: 3998,
  textHeader: 3999,
  textChars: 4000,
  textBytes: 4008,
  cString: 4026,
  headersFooters: 4057,
  headersFootersAtom: 4058,
  slideList: 4080,
  userEdit: 4085,
  /** Records of newer versions, in an atom of their own. */
  tagData: 5003,
  persistDirectory: 6002,
  comment: 12000,
  object: 4113,
  placeholder: 3011,
  mainMaster: 1016,
  clientData: 0xf011,
  shape: 0xf004,
} as const;

const HEADER = 8;

/** The record at a place; null where none can be. One that is cut counts as far as it goes. */
export const recordAt = (bytes: Buffer, at: number): PptRecord | null => {
  if (at < 0 || at + HEADER > bytes.length) return null;
  const head = bytes.readUInt16LE(at);
  const length = bytes.readUInt32LE(at + 4);
  return {
    type: bytes.readUInt16LE(at + 2),
    instance: head >>> 4,
    isContainer: (head & 0x0f) === 0x0f,
    body: bytes.subarray(at + HEADER, Math.min(at + HEADER + length, bytes.length)),
  };
};

/** The records that stand one after the other. */
export const recordsIn = function* (bytes: Buffer): Generator<PptRecord> {
  for (let at = 0; ;) {
    const record = recordAt(bytes, at);
    if (record === null) return;
    yield record;
    at += HEADER + record.body.length;
  }
};

const MAX_DEPTH = 32;

/** All records within, containers before what they hold. */
export const allRecords = function* (bytes: Buffer, depth = 0): Generator<PptRecord> {
  for (const record of recordsIn(bytes)) {
    yield record;
    const holdsRecords = record.isContainer || record.type === RECORD.tagData;
    if (holdsRecords && depth < MAX_DEPTH) yield* allRecords(record.body, depth + 1);
  }
};

/** Text of an atom: UTF-16, or its lower bytes alone. */
export const textOf = ({ type, body }: PptRecord): string =>
  withoutMarks(
    (type === RECORD.textBytes ? body.toString('latin1') : body.toString('utf16le'))
      .replaceAll('\r', '\n')
      .replaceAll('\x0b', '\n'),
  ).trim();
