import type { ServerReadableStream, sendUnaryData } from '@grpc/grpc-js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendReq, AppendResp, BatchAppendReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type AppendFate, type Refusal, handlerFailed, streamDeleted, tooLarge } from './faults.ts';
import type { Expected, Sent, StandInLog } from './log.ts';
import type { Node } from './node.ts';
import type { Verdict } from './verdict.ts';

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
      const expected = expectedOf(options!);
      void settle(node, stream, expected, events, {
        verdict: (verdict) => answered(null, answerOf(verdict, expected)),
        refusal: (refused) => answered(refused),
      });
    };
    // A client that dies in the middle of a call ends it too, and is seen to be gone a moment later: what it had sent
    // by then is no append.
    call.on('end', () => setImmediate(ended));
    call.on('error', () => {});
  };

/** How one append is answered. */
export interface Reply {
  readonly verdict: (verdict: Judged) => void;
  readonly refusal: (refusal: Refusal) => void;
}
export type Judged = Exclude<Verdict, { readonly kind: 'deleted' | 'dropped' }>;

export const settle = async (
  node: Node,
  stream: string,
  expected: Expected,
  events: readonly Sent[],
  reply: Reply,
): Promise<void> => {
  const { log, faults, cut } = node;
  const fate: AppendFate | undefined = faults.appends.shift();
  const commit = (): Verdict => log.append(stream, expected, events);
  const told = async (verdict: Verdict): Promise<void> => {
    if (verdict.kind === 'appended') await verdict.replicated;
    if (verdict.kind === 'deleted') return reply.refusal(streamDeleted(stream));
    if (verdict.kind !== 'dropped') reply.verdict(verdict);
  };
  // What the server makes of a number that it cannot hold.
  if (typeof expected === 'bigint' && expected > LARGEST) return reply.refusal(handlerFailed);
  switch (fate?.kind) {
    case undefined:
      return told(commit());
    case 'silence':
      return void (fate.commit && commit());
    case 'cut':
      if (fate.commit) commit();
      return cut();
    case 'late': {
      const verdict = commit();
      await fate.until;
      return told(verdict);
    }
    case 'forgetful':
      commit();
      return reply.verdict({ kind: 'conflict', actual: currentOf(log, stream) });
    case 'noPosition': {
      const verdict = commit();
      if (verdict.kind !== 'appended' && verdict.kind !== 'repeated') return told(verdict);
      return reply.verdict({ kind: 'repeated', last: verdict.last, isShown: false });
    }
    case 'refuse':
      return reply.refusal(fate.with);
  }
};

const LARGEST = 2n ** 63n - 1n;

const currentOf = (log: StandInLog, stream: string): bigint | null =>
  log.stream(stream).at(-1)?.revision ?? null;

export const oversize = ({ maxAppendBytes }: Node, events: readonly Sent[]): Refusal | null => {
  const bytes = events.reduce((sum, { data, metadata }) => sum + data.length + metadata.length, 0);
  return bytes > maxAppendBytes ? tooLarge(maxAppendBytes) : null;
};

const answerOf = (verdict: Judged, expected: Expected): AppendResp => {
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
  if (verdict.kind === 'appended' || verdict.isShown) success.setPosition(position);
  else success.setNoPosition(new shared.Empty());
  answer.setSuccess(success);
  return answer;
};

export const nameOf = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('utf8');

export const sentOf = (message: Proposed): Sent => ({
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
