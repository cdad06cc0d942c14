import { Client, type ClientDuplexStream, type ClientReadableStream, type Metadata } from '@grpc/grpc-js';
import { StreamsService as Generated } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type BatchResponse, readBatchResponse } from './batch-responses.ts';
import { type Frame, readFrame } from './read-responses.ts';

/**
 * The two calls of the service `event_store.client.streams.Streams` that are made for every write. The client that is
 * generated for it decodes and encodes messages five times as slowly: docs/research/event-store.md.
 */
export class StreamsService extends Client {
  read(request: ReadReq, headers: Metadata): ClientReadableStream<Frame> {
    const { path, requestSerialize } = Generated.read;
    return this.makeServerStreamRequest(path, requestSerialize, readFrame, request, headers);
  }

  /** Takes messages of `writeBatchAppend`. */
  batchAppend(headers: Metadata): ClientDuplexStream<Buffer, BatchResponse> {
    const asItIs = (message: Buffer): Buffer => message;
    return this.makeBidiStreamRequest(Generated.batchAppend.path, asItIs, readBatchResponse, headers);
  }
}
