import { createRequire } from 'node:module';
import type { ServerDuplexStream, ServerReadableStream, sendUnaryData } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import statusMessages from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import { tooLarge } from './faults.ts';
import type { AppendFate, Refusal } from './faults.ts';
import type { Expected, Sent, StandInLog, Verdict } from './log.ts';
import type { Node } from './node.ts';

type Proposed = AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage;

/** The plain append: options, then one message per event, then one answer. */
export const handleAppend =
  (node: Node) =>
  (call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>): void => {
    node.calls.append += 1;
    node.open.add(call);
    call.on('cancelled', () => node.open.delete(call));
    const answered: typeof answer = (...parts) => {
      node.open.delete(call);
      answer(...parts);
    };
    let options: AppendReq.Options | undefined;
    const events: Sent[] = [];
    call.on('data', (request: AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) events.push(sentOf(message));
    });
    const ended = (): void => {
      if (call.cancelled) return;
      const refusal = node.refusalFor(call.metadata) ?? oversize(node, events);
      if (refusal) return answered(refusal);
      const stream = nameOf(options?.getStreamIdentifier()?.getStreamName_asU8());
      void settle(node, stream, expectedOf(options!), events, answered);
    };
    // A client that dies in the middle of a call ends it too, and is seen to be gone a moment later: what it had sent
    // by then is no append.
    call.on('end', () => setImmediate(ended));
    call.on('error', () => {});
  };

const settle = async (
  { log, faults, cut }: Node,
  stream: string,
  expected: Expected,
  events: readonly Sent[],
  answer: sendUnaryData<AppendResp>,
): Promise<void> => {
  const fate: AppendFate | undefined = faults.appends.shift();
  const commit = (): Verdict => log.append(stream, expected, events);
  switch (fate?.kind) {
    case undefined:
      return answer(null, answerOf(commit(), expected));
    case 'silence':
      return void (fate.commit && commit());
    case 'cut':
      if (fate.commit) commit();
      return cut();
    case 'late': {
      const verdict = commit();
      await fate.until;
      return answer(null, answerOf(verdict, expected));
    }
    case 'forgetful':
      commit();
      return answer(null, answerOf({ kind: 'conflict', actual: currentOf(log, stream) }, expected));
    case 'noPosition':
      return answer(null, answerOf(commit(), expected, false));
    case 'refuse':
      return answer(fate.with);
  }
};

const currentOf = (log: StandInLog, stream: string): bigint | null =>
  log.stream(stream).at(-1)?.revision ?? null;

const oversize = ({ maxAppendBytes }: Node, events: readonly Sent[]): Refusal | null => {
  const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  return bytes > maxAppendBytes ? tooLarge(maxAppendBytes) : null;
};

const answerOf = (verdict: Verdict, expected: Expected, told = true): AppendResp => {
  const answer = new streams.AppendResp();
  if (verdict.kind === 'conflict') {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (typeof expected === 'bigint') wrong.setExpectedRevision(String(expected));
    else wrong.setExpectedNoStream(new shared.Empty());
    if (verdict.actual === null) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(verdict.actual));
    answer.setWrongExpectedVersion(wrong);
    return answer;
  }
  const success = new streams.AppendResp.Success();
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(String(verdict.last.position));
  position.setPreparePosition(String(verdict.last.position));
  success.setCurrentRevision(String(verdict.last.revision));
  if (told) success.setPosition(position);
  else success.setNoPosition(new shared.Empty());
  answer.setSuccess(success);
  return answer;
};

/** The batch append: many appends over one call. Nothing of ours uses it; the client does where it is let. */
export const handleBatchAppend =
  (node: Node) =>
  (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>): void => {
    node.calls.batchAppend += 1;
    const open = new Map<string, { options: BatchAppendReq.Options; events: Sent[] }>();
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()!;
      const batch = open.get(id.getString()) ?? { options: request.getOptions()!, events: [] };
      open.set(id.getString(), batch);
      batch.events.push(...request.getProposedMessagesList().map(sentOf));
      if (!request.getIsFinal()) return;
      open.delete(id.getString());
      const stream = nameOf(batch.options.getStreamIdentifier()?.getStreamName_asU8());
      const verdict = node.log.append(stream, batchExpectedOf(batch.options), batch.events);
      const answer = batchAnswerOf(verdict);
      answer.setCorrelationId(id);
      answer.setStreamIdentifier(batch.options.getStreamIdentifier());
      call.write(answer);
    });
    call.on('end', () => call.end());
    call.on('error', () => {});
  };

const within = createRequire(createRequire(import.meta.url).resolve('@eventstore/db-client'));
const { Any } = within('google-protobuf/google/protobuf/any_pb.js') as {
  Any: new () => { pack: (bytes: Uint8Array, name: string) => void };
};

const batchAnswerOf = (verdict: Verdict): BatchAppendResp => {
  const answer = new streams.BatchAppendResp();
  if (verdict.kind === 'conflict') {
    const wrong = new shared.WrongExpectedVersion();
    if (verdict.actual !== null) wrong.setCurrentStreamRevision(String(verdict.actual));
    const details = new Any();
    details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
    const error = new statusMessages.Status();
    error.setDetails(details as never);
    answer.setError(error);
    return answer;
  }
  const success = new streams.BatchAppendResp.Success();
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(String(verdict.last.position));
  position.setPreparePosition(String(verdict.last.position));
  success.setCurrentRevision(String(verdict.last.revision));
  success.setPosition(position);
  answer.setSuccess(success);
  return answer;
};

const nameOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

const sentOf = (message: Proposed): Sent => ({
  id: message.getId()?.getString() ?? '',
  type: message.getMetadataMap().get('type') ?? '',
  contentType: message.getMetadataMap().get('content-type') ?? '',
  data: message.getData_asU8(),
  metadata: message.getCustomMetadata_asU8(),
});

const expectedOf = (options: AppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'noStream';
  if (options.hasStreamExists()) return 'streamExists';
  return options.hasAny() ? 'any' : BigInt(options.getRevision());
};
const batchExpectedOf = (options: BatchAppendReq.Options): Expected => {
  if (options.hasNoStream()) return 'noStream';
  if (options.hasStreamExists()) return 'streamExists';
  return options.hasAny() ? 'any' : BigInt(options.getStreamPosition());
};
