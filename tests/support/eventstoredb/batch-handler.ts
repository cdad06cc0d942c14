import { createRequire } from 'node:module';
import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { BatchAppendReq, BatchAppendResp } from '@eventstore/db-client/generated/streams_pb.js';
import { type Judged, nameOf, oversize, sentOf, settle } from './append-handlers.ts';
import type { Refusal } from './faults.ts';
import type { Expected, Sent } from './log.ts';
import type { Node } from './node.ts';

type Call = ServerDuplexStream<BatchAppendReq, BatchAppendResp>;

/**
 * The batch append: many appends over one call, each answered by its correlation id. What a node refuses as a whole ends
 * the call, and with it all that wait: another one leads, or the user is unknown.
 */
export const handleBatchAppend =
  (node: Node) =>
  (call: Call): void => {
    node.calls.batchAppend += 1;
    const open = new Map<string, { options: BatchAppendReq.Options; events: Sent[] }>();
    let isOver = false;
    const end = (refusal: Refusal): void => {
      if (isOver) return;
      isOver = true;
      call.emit('error', refusal);
    };
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()!;
      const batch = open.get(id.getString()) ?? { options: request.getOptions()!, events: [] };
      open.set(id.getString(), batch);
      batch.events.push(...request.getProposedMessagesList().map(sentOf));
      if (!request.getIsFinal()) return;
      open.delete(id.getString());
      node.calls.append += 1;
      const answered = (answer: BatchAppendResp): void => {
        if (isOver || call.cancelled) return;
        answer.setCorrelationId(id);
        answer.setStreamIdentifier(batch.options.getStreamIdentifier());
        call.write(answer);
      };
      const refused = (refusal: Refusal): void => {
        const told = errorOf(refusal);
        if (told === null) end(refusal);
        else answered(told);
      };
      const refusal = node.refusalFor(call.metadata) ?? oversize(node, batch.events);
      if (refusal) return refused(refusal);
      const stream = nameOf(batch.options.getStreamIdentifier()?.getStreamName_asU8());
      void settle(node, stream, expectedOf(batch.options), batch.events, {
        verdict: (verdict) => answered(answerOf(verdict)),
        refusal: refused,
      });
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
    call.on('cancelled', () => (isOver = true));
  };

const within = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const { Any } = within('google-protobuf/google/protobuf/any_pb.js') as {
  Any: new () => { pack: (bytes: Uint8Array, name: string) => void };
};

const answerWith = (type: string, bytes: Uint8Array, message = ''): BatchAppendResp => {
  const details = new Any();
  details.pack(bytes, type);
  const error = new statusMessages.Status();
  error.setMessage(message);
  error.setDetails(details as never);
  const answer = new streams.BatchAppendResp();
  answer.setError(error);
  return answer;
};

/** Refusals that a server answers one append with; by their trailer, or else their code. Null: it ends the call. */
const NAMED: Readonly<Record<string, string>> = {
  'access-denied': 'event_store.client.AccessDenied',
  'stream-deleted': 'event_store.client.StreamDeleted',
  'maximum-append-size-exceeded': 'event_store.client.MaximumAppendSizeExceeded',
};

const errorOf = ({ code, details = '', metadata }: Refusal): BatchAppendResp | null => {
  const exception = metadata?.get('exception')[0]?.toString();
  const named = exception === undefined ? undefined : NAMED[exception];
  const nothing = new Uint8Array();
  if (named !== undefined) return answerWith(named, nothing, details);
  if (exception !== undefined || code === status.UNAUTHENTICATED) return null;
  if (code === status.ABORTED) return answerWith('event_store.client.Timeout', nothing, details);
  return answerWith('google.protobuf.Empty', nothing, details);
};

const answerOf = (verdict: Judged): BatchAppendResp => {
  if (verdict.kind === 'conflict') {
    const wrong = new shared.WrongExpectedVersion();
    // A stream that is not there has the revision -1.
    wrong.setCurrentStreamRevision(String(verdict.actual ?? 2n ** 64n - 1n));
    return answerWith('event_store.client.WrongExpectedVersion', wrong.serializeBinary());
  }
  const answer = new streams.BatchAppendResp();
  const success = new streams.BatchAppendResp.Success();
  success.setCurrentRevision(String(verdict.last.revision));
  if (verdict.kind === 'appended' || verdict.isShown) {
    const position = new shared.AllStreamPosition();
    position.setCommitPosition(String(verdict.last.position));
    position.setPreparePosition(String(verdict.last.position));
    success.setPosition(position);
  }
  answer.setSuccess(success);
  return answer;
};

const expectedOf = (options: BatchAppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'noStream';
  if (options.hasStreamExists()) return 'streamExists';
  return options.hasAny() ? 'any' : BigInt(options.getStreamPosition());
};
