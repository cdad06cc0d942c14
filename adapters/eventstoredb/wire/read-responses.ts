import { eachField, endOfMessage, type Reader, readerOf, streamName, uint64, uuid } from './fields.ts';

/** An event as the server has it, or a link. The bytes are parts of the message that brought it. */
export interface StoredRecord {
  /** In the form in which it was sent. */
  readonly id: string;
  readonly stream: string;
  readonly revision: bigint;
  readonly commit: bigint;
  readonly prepare: bigint;
  readonly type: string;
  readonly contentType: string;
  /** 100 ns since 1970, in decimal. */
  readonly created: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** One message of an answer; null: it brings no record, but says that a subscription has begun, for example. */
export interface Frame {
  readonly record: StoredRecord | null;
}

const NONE: Frame = { record: null };

/**
 * A `ReadResp` of the service `event_store.client.streams.Streams`. A link stands for itself, so that one whose event is
 * gone has a place.
 *
 * @throws RangeError for bytes that are none
 */
export const readFrame = (bytes: Uint8Array): Frame => {
  const reader = readerOf(bytes);
  let frame = NONE;
  eachField(reader, bytes.length, (field) => {
    if (field !== 1) return false;
    frame = readEvent(reader);
    return true;
  });
  return frame;
};

const readEvent = (reader: Reader): Frame => {
  const found: { event?: StoredRecord; link?: StoredRecord } = {};
  eachField(reader, endOfMessage(reader), (field) => {
    if (field === 1) found.event = readRecord(reader);
    else if (field === 2) found.link = readRecord(reader);
    else return false;
    return true;
  });
  return { record: found.link ?? found.event ?? null };
};

const NOTHING: Uint8Array = new Uint8Array();

const readRecord = (reader: Reader): StoredRecord => {
  let [id, stream, type, contentType, created] = ['', '', '', '', ''];
  let [revision, prepare, commit] = [0n, 0n, 0n];
  let [data, metadata] = [NOTHING, NOTHING];
  eachField(reader, endOfMessage(reader), (field) => {
    switch (field) {
      case 1:
        id = uuid(reader);
        return true;
      case 2:
        stream = streamName(reader);
        return true;
      case 3:
        revision = uint64(reader);
        return true;
      case 4:
        prepare = uint64(reader);
        return true;
      case 5:
        commit = uint64(reader);
        return true;
      case 6: {
        const [key, value] = readEntry(reader);
        if (key === 'type') type = value;
        else if (key === 'content-type') contentType = value;
        else if (key === 'created') created = value;
        return true;
      }
      case 7:
        metadata = reader.bytes();
        return true;
      case 8:
        data = reader.bytes();
        return true;
      default:
        return false;
    }
  });
  return {
    id,
    stream,
    revision,
    commit,
    prepare,
    type,
    contentType,
    created,
    data,
    metadata,
  };
};

const readEntry = (reader: Reader): readonly [key: string, value: string] => {
  let [key, value] = ['', ''];
  eachField(reader, endOfMessage(reader), (field) => {
    if (field === 1) key = reader.string();
    else if (field === 2) value = reader.string();
    else return false;
    return true;
  });
  return [key, value];
};
