import { connect, type ClientHttp2Stream } from 'node:http2';
import { connect as openSocket } from 'node:net';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type StandIn, startStandIn } from '../../support/eventstoredb/stand-in.ts';

const APPEND = '/event_store.client.streams.Streams/Append';
const STREAM = 'cut-1';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn({});
});
afterAll(() => standIn.close());

/** A message as gRPC frames it: not compressed, and its length before it. */
const send = (call: ClientHttp2Stream, message: { serializeBinary: () => Uint8Array }): void => {
  const bytes = message.serializeBinary();
  const header = Buffer.alloc(5);
  header.writeUInt32BE(bytes.length, 1);
  call.write(Buffer.concat([header, bytes]));
};

const options = () => {
  const stream = new shared.StreamIdentifier();
  stream.setStreamName(Buffer.from(STREAM));
  const told = new streams.AppendReq.Options();
  told.setStreamIdentifier(stream);
  told.setNoStream(new shared.Empty());
  const request = new streams.AppendReq();
  request.setOptions(told);
  return request;
};

const event = () => {
  const id = new shared.UUID();
  id.setString('018f0000-0000-7000-8000-000000000001');
  const message = new streams.AppendReq.ProposedMessage();
  message.setId(id);
  message.setData(Buffer.from('{}'));
  message.getMetadataMap().set('type', 'A').set('content-type', 'application/json');
  const request = new streams.AppendReq();
  request.setProposedMessage(message);
  return request;
};

it.each([
  ['before its events', []],
  ['between its events', [event()]],
])('keeps nothing of an append whose client dies %s', async (_, events) => {
  const socket = openSocket(standIn.port, '127.0.0.1');
  const session = connect(`http://127.0.0.1:${standIn.port}`, { createConnection: () => socket });
  session.on('error', () => {});
  const call = session.request({
    ':method': 'POST',
    ':path': APPEND,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  call.on('error', () => {});
  const before = standIn.calls.append;
  for (const request of [options(), ...events]) send(call, request);
  await vi.waitFor(() => expect(standIn.calls.append).toBe(before + 1));
  socket.destroy();
  await vi.waitFor(() => expect(standIn.open.size).toBe(0));
  await new Promise(setImmediate);
  expect(standIn.log.stream(STREAM)).toEqual([]);
});
