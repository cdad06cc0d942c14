import protobuf from 'protobufjs/minimal.js';

export type Reader = InstanceType<typeof protobuf.Reader>;
export type Writer = InstanceType<typeof protobuf.Writer>;

/** What a field's number is told with how its value is written: https://protobuf.dev/programming-guides/encoding/ */
const KIND = { text: 2 } as const;

/** Begins a field of text, bytes or a message. */
export const begin = (writer: Writer, field: number): Writer => writer.uint32((field << 3) | KIND.text);

export const newWriter = (): Writer => protobuf.Writer.create();

/** What a finished writer holds, as gRPC takes it. */
export const bytesOf = (writer: Writer): Buffer => {
  const bytes = writer.finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
};

/** Of a whole message. */
export const readerOf = (bytes: Uint8Array): Reader => protobuf.Reader.create(bytes);

/** Where the message ends that comes next in the reader. */
export const endOfMessage = (reader: Reader): number => reader.uint32() + reader.pos;

/**
 * Hands each field of a message, up to `end`, to `take`, which reads its value and answers true. What it answers false
 * for is passed over: servers may send fields that are newer than this.
 */
export const eachField = (reader: Reader, end: number, take: (field: number) => boolean): void => {
  while (reader.pos < end) {
    const tag = reader.uint32();
    if (!take(tag >>> 3)) reader.skipType(tag & 7);
  }
};

/** Bytes of seven bits each that a number of JavaScript holds exactly. */
const EXACT = 7;

/** A number of 64 bits without a sign. The library would hand out one of another package, or round it where that is missing. */
export const uint64 = (reader: Reader): bigint => {
  let [low, high, shift] = [0, 0n, 0];
  for (;;) {
    const byte = reader.buf[reader.pos];
    if (byte === undefined || shift > 63) throw new RangeError('a number does not end where it should');
    reader.pos += 1;
    const bits = byte & 127;
    if (shift < EXACT * 7) low += bits * 2 ** shift;
    else high |= BigInt(bits) << BigInt(shift);
    if (byte < 128) return high === 0n ? BigInt(low) : BigInt.asUintN(64, high | BigInt(low));
    shift += 7;
  }
};

/** Writes one that is not negative. */
export const writeUint64 = (writer: Writer, value: bigint): Writer => {
  const [low, high] = [BigInt.asIntN(32, value), BigInt.asIntN(32, value >> 32n)];
  return writer.uint64({ low: Number(low), high: Number(high), unsigned: true });
};

/** Text or bytes in a message of its own. */
const inside = (reader: Reader, wanted: number): string => {
  let text = '';
  eachField(reader, endOfMessage(reader), (field) => {
    if (field !== wanted) return false;
    text = reader.string();
    return true;
  });
  return text;
};

/** A UUID in its written form; in any other form it is none that was asked for, and empty. */
export const uuid = (reader: Reader): string => inside(reader, 2);

export const streamName = (reader: Reader): string => inside(reader, 3);
