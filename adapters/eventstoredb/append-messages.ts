import { type CheckedEvent, MAX_REVISION } from '../../application/ports/event-checks.ts';
import type { ExpectedRevision, Position } from '../../application/ports/event-store.ts';
import { batchError } from './errors.ts';
import * as wire from './messages.ts';
import { type LogPosition, toPosition } from './records.ts';

/** A whole append in one message of the batch stream. */
export interface Append {
  readonly stream: string;
  /** As the caller passed it. */
  readonly expected: ExpectedRevision;
  /** Revision of the last event before the append; -1 if there is none. */
  readonly after: bigint;
  readonly events: readonly CheckedEvent[];
}

/** Encodes an append with the id of the attempt. */
export type AppendMessage = (id: string) => Buffer;

/** The server's response to an append. */
export type AppendResponse =
  /** `position` is that of the last event; null is possible in the response to a repeated append. */
  | { readonly kind: 'done'; readonly revision: bigint; readonly position: Position | null }
  | { readonly kind: 'conflict'; readonly actual: bigint | 'none' };

/** Tags: field and wire type. */
const [STREAM_POSITION, IS_FINAL] = [2 << 3, 4 << 3];

/** Encodes a `BatchAppendReq` once for all attempts: the order of fields is free, so the id comes first. */
export const appendMessage = ({ stream, after, events }: Omit<Append, 'expected'>): AppendMessage => {
  const writer = wire.newWriter();
  wire.begin(writer, 2).fork();
  writeInner(wire.begin(writer, 1), 3, Buffer.from(stream, 'utf8'));
  // On the wire this equals the declared google.protobuf.Empty.
  if (after < 0n) wire.begin(writer, 3).uint32(0);
  else wire.writeUint64(writer.uint32(STREAM_POSITION), after);
  writer.ldelim();
  for (const event of events) writeEvent(wire.begin(writer, 3), event);
  writer.uint32(IS_FINAL).bool(true);
  const rest = wire.bytesOf(writer);
  return (id) => Buffer.concat([wire.bytesOf(writeId(wire.begin(wire.newWriter(), 1), id)), rest]);
};

/** Sends the texts exactly as they were checked. */
const writeEvent = (writer: wire.Writer, { id, type, data, metadata }: CheckedEvent): void => {
  writer.fork();
  writeId(wire.begin(writer, 1), id);
  writeEntry(wire.begin(writer, 2), 'type', type);
  writeEntry(wire.begin(writer, 2), 'content-type', 'application/json');
  wire.begin(writer, 3).bytes(Buffer.from(metadata, 'utf8'));
  wire.begin(writer, 4).bytes(Buffer.from(data, 'utf8'));
  writer.ldelim();
};

const writeId = (writer: wire.Writer, id: string): wire.Writer =>
  writeInner(writer, 2, Buffer.from(id, 'latin1'));

const writeInner = (writer: wire.Writer, field: number, bytes: Uint8Array): wire.Writer =>
  wire.begin(writer.fork(), field).bytes(bytes).ldelim();

const writeEntry = (writer: wire.Writer, key: string, value: string): void => {
  wire.begin(writer.fork(), 1).string(key);
  wire.begin(writer, 2).bytes(Buffer.from(value, 'utf8')).ldelim();
};

/** A decoded `BatchAppendResp`. */
export interface BatchResponse {
  /** Id of the attempt. */
  readonly id: string;
  /**
   * The reason of a rejected append: a `google.rpc.Status` whose details contain the message `type` in the
   * bytes `value`.
   */
  readonly error: { readonly message: string; readonly type: string; readonly value: Uint8Array } | null;
  /** Revision of the last event; null if the server does not send it. */
  readonly revision: bigint | null;
  readonly position: LogPosition | null;
}

/** @throws RangeError for bytes that are not a `BatchAppendResp` */
export const readBatchResponse = (bytes: Uint8Array): BatchResponse => {
  const reader = wire.readerOf(bytes);
  let id = '';
  let error: BatchResponse['error'] = null;
  let revision: bigint | null = null;
  let position: LogPosition | null = null;
  const readSuccess = (): void =>
    wire.eachField(reader, wire.endOfMessage(reader), (field) => {
      if (field === 1) revision = wire.uint64(reader);
      else if (field === 3) position = readPosition(reader);
      else return false;
      return true;
    });
  wire.eachField(reader, bytes.length, (field) => {
    if (field === 1) id = wire.uuid(reader);
    else if (field === 2) error = readError(reader);
    else if (field === 3) readSuccess();
    else return false;
    return true;
  });
  return { id, error, revision, position };
};

const readPosition = (reader: wire.Reader): LogPosition => {
  let [commit, prepare] = [0n, 0n];
  wire.eachField(reader, wire.endOfMessage(reader), (field) => {
    if (field === 1) commit = wire.uint64(reader);
    else if (field === 2) prepare = wire.uint64(reader);
    else return false;
    return true;
  });
  return { commit, prepare };
};

/** The details are a `google.protobuf.Any`: the last part of its type URL names the type. */
const readError = (reader: wire.Reader): NonNullable<BatchResponse['error']> => {
  let [message, address] = ['', ''];
  let value: Uint8Array = new Uint8Array();
  const readDetails = (): void =>
    wire.eachField(reader, wire.endOfMessage(reader), (field) => {
      if (field === 1) address = reader.string();
      else if (field === 2) value = reader.bytes();
      else return false;
      return true;
    });
  wire.eachField(reader, wire.endOfMessage(reader), (field) => {
    if (field === 2) message = reader.string();
    else if (field === 3) readDetails();
    else return false;
    return true;
  });
  return { message, type: address.split('/').at(-1)!, value };
};

const CONFLICT = 'event_store.client.WrongExpectedVersion';

/** @throws an error for `failureOf` if the append was rejected or failed */
export const appendResponseOf = ({ error, revision, position }: BatchResponse): AppendResponse => {
  if (error === null) {
    return { kind: 'done', revision: revision ?? -1n, position: position && toPosition(position) };
  }
  if (error.type !== CONFLICT) throw batchError(error.type, error.message);
  const current = currentRevision(error.value);
  // The server sends -1 as the largest 64-bit number.
  return { kind: 'conflict', actual: current === null || current > MAX_REVISION ? 'none' : current };
};

/** The stream's revision in a `WrongExpectedVersion`; null if it contains none. */
const currentRevision = (bytes: Uint8Array): bigint | null => {
  const reader = wire.readerOf(bytes);
  let revision: bigint | null = null;
  wire.eachField(reader, bytes.length, (field) => {
    if (field !== 1) return false;
    revision = wire.uint64(reader);
    return true;
  });
  return revision;
};
