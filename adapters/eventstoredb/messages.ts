import protobuf from 'protobufjs/minimal.js';

/**
 * The wire format of messages (https://protobuf.dev/programming-guides/encoding/), and a hand-written decoder
 * of read responses: the generated code takes five times as long.
 */

export type Reader = InstanceType<typeof protobuf.Reader>;
export type Writer = InstanceType<typeof protobuf.Writer>;

const LENGTH_DELIMITED = 2;

/** Starts a field of text, bytes or a message. */
export const begin = (writer: Writer, field: number): Writer =>
  writer.uint32((field << 3) | LENGTH_DELIMITED);

export const newWriter = (): Writer => protobuf.Writer.create();

/** The bytes of a finished writer, as gRPC takes them. */
export const bytesOf = (writer: Writer): Buffer => {
  const bytes = writer.finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
};

/** Reads a whole message. */
export const readerOf = (bytes: Uint8Array): Reader => protobuf.Reader.create(bytes);

/** The end of the message that starts at the reader's position. */
export const endOfMessage = (reader: Reader): number => reader.uint32() + reader.pos;

/**
 * Calls `take` for each field of a message, up to `end`. `take` reads the value and returns true; if it
 * returns false the field is skipped, because servers may send newer fields.
 */
export const eachField = (reader: Reader, end: number, take: (field: number) => boolean): void => {
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (!take(tag >>> 3)) reader.skipType(tag & 7);
  }
};

/** Number of 7-bit bytes that a JavaScript number represents exactly. */
const EXACT = 7;

/**
 * Reads an unsigned 64-bit number. The library would return a Long, or round it where that package is
 * missing.
 */
export const uint64 = (reader: Reader): bigint => {
  let [low, high, shift] = [0, 0n, 0];
  for (;;) {
    const byte = reader.buf[reader.pos];
    if (byte === undefined || shift > 63) throw new RangeError('a number is not terminated');
    reader.pos += 1;
    const bits = byte & 127;
    if (shift < EXACT * 7) low += bits * 2 ** shift;
    else high |= BigInt(bits) << BigInt(shift);
    if (byte < 128) return high === 0n ? BigInt(low) : BigInt.asUintN(64, high | BigInt(low));
    shift += 7;
  }
};

/** Writes a non-negative number. */
export const writeUint64 = (writer: Writer, value: bigint): Writer => {
  const [low, high] = [BigInt.asIntN(32, value), BigInt.asIntN(32, value >> 32n)];
  return writer.uint64({ low: Number(low), high: Number(high), unsigned: true });
};

/** Reads text or bytes from a nested message. */
const inner = (reader: Reader, wanted: number): string => {
  let text = '';
  eachField(reader, endOfMessage(reader), (field) => {
    if (field !== wanted) return false;
    text = reader.string();
    return true;
  });
  return text;
};

/** Reads a UUID in its text form; empty for any other form, which this adapter never requests. */
export const uuid = (reader: Reader): string => inner(reader, 2);

/** An event or a link as the server stores it. The byte arrays are views of the message. */
export interface StoredRecord {
  /** As it was sent. */
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly commit: bigint;
  readonly prepare: bigint;
  readonly type: string;
  readonly contentType: string;
  /** Units of 100 ns since 1970, in decimal. */
  readonly created: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/**
 * One message of a read response. `record` is null if it carries none, for example for the confirmation of a
 * subscription.
 */
export interface ReadMessage {
  readonly record: StoredRecord | null;
}

/**
 * Decodes a `ReadResp` of the service `event_store.client.streams.Streams`. Links are not resolved, so that a
 * link to a deleted event has a position.
 *
 * @throws RangeError for bytes that are not a `ReadResp`
 */
export const readMessage = (bytes: Uint8Array): ReadMessage => {
  const reader = readerOf(bytes);
  let event: StoredRecord | null = null;
  let link: StoredRecord | null = null;
  eachField(reader, bytes.length, (outer) => {
    if (outer !== 1) return false;
    eachField(reader, endOfMessage(reader), (field) => {
      if (field === 1) event = readRecord(reader);
      else if (field === 2) link = readRecord(reader);
      else return false;
      return true;
    });
    return true;
  });
  return { record: link ?? event };
};

const NOTHING: Uint8Array = new Uint8Array();

const readRecord = (reader: Reader): StoredRecord => {
  let [id, stream, type, contentType, created] = ['', '', '', '', ''];
  let [revision, prepare, commit] = [0n, 0n, 0n];
  let [data, metadata] = [NOTHING, NOTHING];
  const readEntry = (): void => {
    let [key, value] = ['', ''];
    eachField(reader, endOfMessage(reader), (field) => {
      if (field === 1) key = reader.string();
      else if (field === 2) value = reader.string();
      else return false;
      return true;
    });
    if (key === 'type') type = value;
    else if (key === 'content-type') contentType = value;
    else if (key === 'created') created = value;
  };
  eachField(reader, endOfMessage(reader), (field) => {
    if (field === 1) id = uuid(reader);
    else if (field === 2) stream = inner(reader, 3);
    else if (field === 3) revision = uint64(reader);
    else if (field === 4) prepare = uint64(reader);
    else if (field === 5) commit = uint64(reader);
    else if (field === 6) readEntry();
    else if (field === 7) metadata = reader.bytes();
    else if (field === 8) data = reader.bytes();
    else return false;
    return true;
  });
  return { id, stream, revision, commit, prepare, type, contentType, created, data, metadata };
};
