import type { CheckedEvent } from '../../../application/ports/event-checks.ts';
import { begin, bytesOf, newWriter, type Writer, writeUint64 } from './fields.ts';

/** A whole append in one `BatchAppendReq`. */
export interface BatchAppend {
  readonly stream: string;
  /** Revision of the last event before; -1: there is none. */
  readonly after: bigint;
  readonly events: readonly CheckedEvent[];
}

/**
 * The message of an append, but for the id of the try. It is written once, as every try sends the same: in a message the
 * order of fields is free.
 */
export const writeBatchAppend = ({ stream, after, events }: BatchAppend): ((id: string) => Buffer) => {
  const writer = newWriter();
  begin(writer, 2).fork();
  inside(begin(writer, 1), 3, Buffer.from(stream, 'utf8'));
  // The same on the wire as an Empty of google.protobuf, which it is declared to be.
  if (after < 0n) begin(writer, 3).uint32(0);
  else writeUint64(writer.uint32(STREAM_POSITION), after);
  writer.ldelim();
  for (const event of events) writeEvent(begin(writer, 3), event);
  writer.uint32(IS_FINAL).bool(true);
  const rest = bytesOf(writer);
  return (id) => Buffer.concat([bytesOf(writeId(begin(newWriter(), 1), id)), rest]);
};

/** Numbers, not texts: field and kind. */
const [STREAM_POSITION, IS_FINAL] = [2 << 3, 4 << 3];

/** The texts are sent as they were checked. */
const writeEvent = (writer: Writer, { id, type, data, metadata }: CheckedEvent): void => {
  writer.fork();
  writeId(begin(writer, 1), id);
  writeEntry(begin(writer, 2), 'type', type);
  writeEntry(begin(writer, 2), 'content-type', 'application/json');
  begin(writer, 3).bytes(Buffer.from(metadata, 'utf8'));
  begin(writer, 4).bytes(Buffer.from(data, 'utf8'));
  writer.ldelim();
};

const writeId = (writer: Writer, id: string): Writer => inside(writer, 2, Buffer.from(id, 'latin1'));

const inside = (writer: Writer, field: number, bytes: Uint8Array): Writer =>
  begin(writer.fork(), field).bytes(bytes).ldelim();

const writeEntry = (writer: Writer, key: string, value: string): void => {
  begin(writer.fork(), 1).string(key);
  begin(writer, 2).bytes(Buffer.from(value, 'utf8')).ldelim();
};
