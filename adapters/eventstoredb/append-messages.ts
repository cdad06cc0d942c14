import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Status } from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { CheckedEvent } from '../../application/ports/append-check.ts';
import { MAX_REVISION } from '../../application/ports/event-store.ts';
import type { ExpectedRevision, Position } from '../../application/ports/event-store.ts';
import { judgedAs } from './failures.ts';
import { positionOf } from './positions.ts';

export interface Append {
  readonly stream: string;
  /** As the caller said it, and as a number: -1 for `none`. */
  readonly expected: ExpectedRevision;
  readonly after: bigint;
  readonly events: readonly CheckedEvent[];
}

/** What the server says of an append that it has judged. */
export type Answer =
  /** Position of the last event; a repetition may be answered without. */
  | { readonly kind: 'done'; readonly revision: bigint; readonly position: Position | null }
  | { readonly kind: 'conflict'; readonly actual: bigint | 'none' };

/** An append in one message, for one try under an id of its own. Its parts are made once: every try sends the same. */
export const appendMessages = ({ stream, after, events }: Append): ((id: string) => BatchAppendReq) => {
  const options = new streams.BatchAppendReq.Options();
  const identifier = new shared.StreamIdentifier();
  identifier.setStreamName(Buffer.from(stream, 'utf8'));
  options.setStreamIdentifier(identifier);
  // The same on the wire as the Empty that it is declared to be.
  if (after < 0n) options.setNoStream(new shared.Empty());
  else options.setStreamPosition(String(after));
  const messages = events.map(eventMessage);
  return (id) => {
    const request = new streams.BatchAppendReq();
    request.setCorrelationId(uuidOf(id));
    request.setOptions(options);
    request.setProposedMessagesList(messages);
    request.setIsFinal(true);
    return request;
  };
};

/** The texts are sent as they were checked. */
const eventMessage = ({ id, type, data, metadata }: CheckedEvent): BatchAppendReq.ProposedMessage => {
  const message = new streams.BatchAppendReq.ProposedMessage();
  message.setId(uuidOf(id));
  message.getMetadataMap().set('type', type).set('content-type', 'application/json');
  message.setData(Buffer.from(data, 'utf8'));
  message.setCustomMetadata(Buffer.from(metadata, 'utf8'));
  return message;
};

const uuidOf = (id: string): InstanceType<typeof shared.UUID> => {
  const uuid = new shared.UUID();
  uuid.setString(id);
  return uuid;
};

/** @throws what `failureOf` understands, where the append was refused or failed */
export const answerOf = (response: BatchAppendResp): Answer => {
  const error = response.getError();
  if (error !== undefined) return conflictIn(error);
  const success = response.getSuccess();
  const position = success?.getPosition();
  return {
    kind: 'done',
    revision: BigInt(success?.getCurrentRevision() ?? '-1'),
    position: position ? positionOf(position.getCommitPosition(), position.getPreparePosition()) : null,
  };
};

const CONFLICT = 'event_store.client.WrongExpectedVersion';

const conflictIn = (error: Status): Answer => {
  const details = error.getDetails();
  const type = details?.getTypeName() ?? '';
  if (details === undefined || type !== CONFLICT) throw judgedAs(type, error.getMessage());
  const wrong = shared.WrongExpectedVersion.deserializeBinary(details.getValue_asU8());
  const current = wrong.hasCurrentStreamRevision() ? BigInt(wrong.getCurrentStreamRevision()) : null;
  // -1 comes as the largest number that fits.
  return { kind: 'conflict', actual: current === null || current > MAX_REVISION ? 'none' : current };
};
