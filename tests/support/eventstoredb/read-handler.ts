import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { invalidPosition } from './faults.ts';
import type { ReadFate } from './faults.ts';
import { eventFrame, notFoundFrame } from './frames.ts';
import type { Stored } from './log.ts';
import type { Node } from './node.ts';
import { isBackwards, refuse, streamOf } from './read-call.ts';
import type { ReadCall } from './read-call.ts';
import { matcherOf } from './server-side-filter.ts';
import { subscribe } from './subscription.ts';

/** Reads and subscriptions: one call, told apart by their options. */
export const handleRead =
  (node: Node) =>
  (call: ReadCall): void => {
    const options = call.request.getOptions()!;
    const refusal = node.refusalFor(call.metadata);
    node.calls[options.hasSubscription() ? 'subscribe' : 'read'] += 1;
    node.open.add(call);
    call.on('close', () => node.open.delete(call));
    call.on('cancelled', () => node.open.delete(call));
    call.on('error', () => {});
    if (refusal) return refuse(call, refusal);
    if (options.hasSubscription()) return subscribe(node, call, options);
    void read(node, call, options).catch((error: unknown) => call.destroy(error as Error));
  };

const read = async (node: Node, call: ReadCall, options: ReadReq.Options): Promise<void> => {
  const fate: ReadFate | undefined = node.faults.reads.shift();
  if (fate?.kind === 'silence') return;
  if (fate?.kind === 'refuse') return refuse(call, fate.with);
  const found = options.hasStream() ? ofStream(node, options) : ofAll(node, options);
  if (found === 'nowhere') return refuse(call, invalidPosition);
  if (found === 'no stream') {
    call.write(notFoundFrame(streamOf(options)));
    call.end();
    return;
  }
  let frames = 0;
  for (const record of found.slice(0, Number(options.getCount()))) {
    if (fate?.kind === 'cut' && frames === fate.after) return node.cut();
    if (call.cancelled) return;
    frames += 1;
    node.calls.eventsRead += 1;
    if (!call.write(eventFrame(record))) await drained(call);
  }
  if (fate?.kind === 'cut') return node.cut();
  call.end();
};

const drained = (call: ReadCall): Promise<void> =>
  new Promise((resolve) => {
    const done = (): void => {
      call.off('drain', done);
      call.off('cancelled', done);
      resolve();
    };
    call.on('drain', done);
    call.on('cancelled', done);
  });

const ofStream = ({ log }: Node, options: ReadReq.Options): readonly Stored[] | 'no stream' => {
  const records = log.stream(streamOf(options));
  if (records.length === 0) return 'no stream';
  const of = options.getStream()!;
  if (isBackwards(options)) {
    const last = of.hasRevision() ? BigInt(of.getRevision()) : BigInt(records.length);
    return records.filter(({ revision }) => revision <= last).toReversed();
  }
  const first = of.hasRevision() ? BigInt(of.getRevision()) : 0n;
  return of.hasEnd() ? [] : records.filter(({ revision }) => revision >= first);
};

/** A position that is given counts as the first to be read; between two records there is nothing to begin with. */
const ofAll = ({ log }: Node, options: ReadReq.Options): readonly Stored[] | 'nowhere' => {
  const of = options.getAll()!;
  const matches = matcherOf(options.getFilter());
  if (isBackwards(options)) {
    const last = of.hasPosition() ? BigInt(of.getPosition()!.getCommitPosition()) : null;
    return log.records
      .filter((record) => (last === null || record.position < last) && matches(record))
      .toReversed();
  }
  if (of.hasEnd()) return [];
  if (!of.hasPosition()) return log.records.filter(matches);
  const from = BigInt(of.getPosition()!.getCommitPosition());
  if (!log.records.some(({ position }) => position === from)) return 'nowhere';
  return log.records.filter((record) => record.position >= from && matches(record));
};
