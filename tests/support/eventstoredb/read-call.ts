import type { ServerWritableStream } from '@grpc/grpc-js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Refusal } from './faults.ts';

export type ReadCall = ServerWritableStream<ReadReq, ReadResp>;

/** Ends a call with a status that is not OK. */
export const refuse = (call: ReadCall, refusal: Refusal): void => {
  call.emit('error', refusal);
};

/** The stream that is read, if it is one. */
export const streamOf = (options: ReadReq.Options): string =>
  Buffer.from(options.getStream()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');

export const isBackwards = (options: ReadReq.Options): boolean =>
  options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
