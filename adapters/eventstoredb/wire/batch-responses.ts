import { eachField, endOfMessage, type Reader, readerOf, uint64, uuid } from './fields.ts';

/** A `BatchAppendResp`. */
export interface BatchResponse {
  /** Of the try that is answered. */
  readonly id: string;
  readonly error: BatchError | null;
  /** Revision of the last event, if the server tells it. */
  readonly revision: bigint | null;
  readonly position: { readonly commit: bigint; readonly prepare: bigint } | null;
}

/** Why an append was refused: a `google.rpc.Status`. */
export interface BatchError {
  readonly message: string;
  /** Name of the message that `value` holds; empty: none. */
  readonly type: string;
  readonly value: Uint8Array;
}

/** @throws RangeError for bytes that are none */
export const readBatchResponse = (bytes: Uint8Array): BatchResponse => {
  const reader = readerOf(bytes);
  let [id, error]: [string, BatchError | null] = ['', null];
  let success: Pick<BatchResponse, 'revision' | 'position'> = { revision: null, position: null };
  eachField(reader, bytes.length, (field) => {
    if (field === 1) id = uuid(reader);
    else if (field === 2) error = readError(reader);
    else if (field === 3) success = readSuccess(reader);
    else return false;
    return true;
  });
  return { id, error, ...success };
};

const readSuccess = (reader: Reader): Pick<BatchResponse, 'revision' | 'position'> => {
  let revision: BatchResponse['revision'] = null;
  let position: BatchResponse['position'] = null;
  eachField(reader, endOfMessage(reader), (field) => {
    if (field === 1) revision = uint64(reader);
    else if (field === 3) position = readPosition(reader);
    else return false;
    return true;
  });
  return { revision, position };
};

const readPosition = (reader: Reader): { readonly commit: bigint; readonly prepare: bigint } => {
  let [commit, prepare] = [0n, 0n];
  eachField(reader, endOfMessage(reader), (field) => {
    if (field === 1) commit = uint64(reader);
    else if (field === 2) prepare = uint64(reader);
    else return false;
    return true;
  });
  return { commit, prepare };
};

/** Its details are a `google.protobuf.Any`, whose type is named like the end of an address. */
const readError = (reader: Reader): BatchError => {
  let [message, address]: string[] = ['', ''];
  let value: Uint8Array = new Uint8Array();
  eachField(reader, endOfMessage(reader), (field) => {
    if (field === 2) message = reader.string();
    else if (field === 3) {
      eachField(reader, endOfMessage(reader), (inner) => {
        if (inner === 1) address = reader.string();
        else if (inner === 2) value = reader.bytes();
        else return false;
        return true;
      });
    } else return false;
    return true;
  });
  return { message: message!, type: address!.split('/').at(-1)!, value };
};

/** Where a stream stands, as a `WrongExpectedVersion` says; null: it does not. */
export const readCurrentRevision = (bytes: Uint8Array): bigint | null => {
  const reader = readerOf(bytes);
  let revision: bigint | null = null;
  eachField(reader, bytes.length, (field) => {
    if (field !== 1) return false;
    revision = uint64(reader);
    return true;
  });
  return revision;
};
