import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { StreamIdentifier } from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Stored } from './log.ts';

export const eventFrame = (stored: Stored): ReadResp => {
  const record = new streams.ReadResp.ReadEvent.RecordedEvent();
  const id = new shared.UUID();
  id.setString(stored.id);
  record.setId(id);
  record.setStreamIdentifier(identifierOf(stored.stream));
  record.setStreamRevision(String(stored.revision));
  record.setCommitPosition(String(stored.position));
  record.setPreparePosition(String(stored.position));
  record.setData(stored.data);
  record.setCustomMetadata(stored.metadata);
  const about = record.getMetadataMap();
  about.set('type', stored.type);
  about.set('content-type', stored.contentType);
  about.set('created', String(stored.created));
  const read = new streams.ReadResp.ReadEvent();
  read.setEvent(record);
  read.setCommitPosition(String(stored.position));
  const frame = new streams.ReadResp();
  frame.setEvent(read);
  return frame;
};

export const notFoundFrame = (stream: string): ReadResp => {
  const notFound = new streams.ReadResp.StreamNotFound();
  notFound.setStreamIdentifier(identifierOf(stream));
  const frame = new streams.ReadResp();
  frame.setStreamNotFound(notFound);
  return frame;
};

export const confirmationFrame = (): ReadResp => {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation();
  confirmation.setSubscriptionId(crypto.randomUUID());
  const frame = new streams.ReadResp();
  frame.setConfirmation(confirmation);
  return frame;
};

export const checkpointFrame = (position: bigint): ReadResp => {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(String(position));
  checkpoint.setPreparePosition(String(position));
  const frame = new streams.ReadResp();
  frame.setCheckpoint(checkpoint);
  return frame;
};

export const caughtUpFrame = (): ReadResp => {
  const frame = new streams.ReadResp();
  frame.setCaughtUp(new streams.ReadResp.CaughtUp());
  return frame;
};

const identifierOf = (stream: string): StreamIdentifier => {
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  return identifier;
};
