import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { caughtUpFrame, checkpointFrame, confirmationFrame, eventFrame } from './frames.ts';
import type { Stored } from './log.ts';
import type { Node } from './node.ts';
import { type ReadCall, refuse, streamOf } from './read-call.ts';
import { checkpointEvery, matcherOf } from './server-side-filter.ts';

/** Frames that are handed to the connection before it has taken the ones before. */
const AHEAD = 16;

/**
 * A subscription to all streams or to one: a confirmation, the past behind the given place (exclusive), "caught up",
 * then what comes. With a filter a checkpoint follows every so many records that were looked at.
 */
export const subscribe = (node: Node, call: ReadCall, options: ReadReq.Options): void => {
  const { log, faults } = node;
  const filter = options.getFilter();
  const matches = matcherOf(filter);
  const every = checkpointEvery(filter);
  const source = (): readonly Stored[] => (options.hasStream() ? log.stream(streamOf(options)) : log.records);
  const outgoing: ReadResp[] = [];
  let next = firstOf(options, source());
  let looked = 0;
  let caughtUp = false;

  const look = (): void => {
    for (const records = source(); next < records.length; next += 1) {
      const record = records[next]!;
      if (matches(record)) outgoing.push(eventFrame(record));
      looked += 1;
      if (looked % every === 0) outgoing.push(checkpointFrame(record.position));
    }
    if (!caughtUp) outgoing.push(caughtUpFrame());
    caughtUp = true;
  };
  const send = (): void => {
    while (outgoing.length > 0 && call.writableLength < AHEAD) call.write(outgoing.shift()!);
    if (outgoing.length <= faults.slowSubscriberFrames) return;
    leave();
    refuse(call, { code: status.CANCELLED, details: 'Consumer too slow' });
  };
  const grow = (): void => {
    if (faults.muteSubscriptions) return;
    look();
    send();
  };
  const stopGrowing = log.onGrowth(grow);
  const leave = (): void => {
    stopGrowing();
    call.off('drain', send);
  };
  call.on('drain', send);
  call.on('cancelled', leave);
  call.on('close', leave);
  const begun = options.getAll()?.getPosition();
  node.subscribedAfter.push(begun ? BigInt(begun.getCommitPosition()) : null);
  outgoing.push(confirmationFrame());
  grow();
};

const firstOf = (options: ReadReq.Options, records: readonly Stored[]): number => {
  const behind = (isBehind: (record: Stored) => boolean): number => {
    const at = records.findIndex(isBehind);
    return at === -1 ? records.length : at;
  };
  const all = options.getAll();
  const stream = options.getStream();
  if (all?.hasEnd() || stream?.hasEnd()) return records.length;
  if (all?.hasPosition()) {
    const after = BigInt(all.getPosition()!.getCommitPosition());
    return behind(({ position }) => position > after);
  }
  if (stream?.hasRevision()) return behind(({ revision }) => revision > BigInt(stream.getRevision()));
  return 0;
};
