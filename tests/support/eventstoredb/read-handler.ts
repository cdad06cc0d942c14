import { setTimeout as delay } from 'node:timers/promises';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import { type ReadFate, type Refusal, handlerFailed, invalidPosition, streamDeleted } from './faults.ts';
import { eventFrame, notFoundFrame } from './frames.ts';
import type { Stored } from './log.ts';
import type { Node } from './node.ts';
import { type ReadCall, isBackwards, refuse, streamOf } from './read-call.ts';
import { matcherOf } from './server-side-filter.ts';
import { subscribe } from './subscription.ts';

/** Reads and subscriptions: one call, told apart by their options. */
export const handleRead =
  (node: Node) =>
  (call: ReadCall): void => {
    const options = call.request.getOptions()!;
    const refusal = node.refusalFor(call.metadata);
    node.calls[options.hasSubscription() ? 'subscribe' : 'read'] += 1;
    if (options.hasStream()) node.calls.readStream += 1;
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
  const asOf = fate?.kind === 'asOf' ? fate.records : Infinity;
  const found = options.hasStream() ? ofStream(node, options, asOf) : ofAll(node, options, asOf);
  if (found === 'no stream') {
    call.write(notFoundFrame(streamOf(options)));
    call.end();
    return;
  }
  if (!Array.isArray(found)) return refuse(call, found as Refusal);
  let frames = 0;
  for (const record of (found as readonly Stored[]).slice(0, Number(options.getCount()))) {
    if (fate?.kind === 'cut' && frames === fate.after) return node.cut();
    if (fate?.kind === 'stall' && frames === fate.after) return;
    if (fate?.kind === 'drip') await delay(fate.everyMs);
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

type Found = readonly Stored[] | 'no stream' | Refusal;

const ofStream = ({ log }: Node, options: ReadReq.Options, asOf: number): Found => {
  const of = options.getStream()!;
  if (of.hasRevision() && BigInt(of.getRevision()) > LARGEST) return handlerFailed;
  const records = log.shown(streamOf(options), asOf);
  if (records === 'deleted') return streamDeleted(streamOf(options));
  if (records === 'no stream') return records;
  if (isBackwards(options)) {
    const last = of.hasRevision() ? BigInt(of.getRevision()) : LARGEST;
    return records.filter(({ revision }) => revision <= last).toReversed();
  }
  const first = of.hasRevision() ? BigInt(of.getRevision()) : 0n;
  return of.hasEnd() ? [] : records.slice(firstAt(records, ({ revision }) => revision >= first));
};

const LARGEST = 2n ** 63n - 1n;

/**
 * A position that is given counts as the first to be read forwards; between two records there is nothing to begin with.
 */
const ofAll = ({ log, calls }: Node, options: ReadReq.Options, asOf: number): Found => {
  const of = options.getAll()!;
  const matches = matcherOf(options.getFilter());
  const end = Math.min(asOf, log.records.length);
  const position = of.getPosition();
  const begin = position === undefined ? null : BigInt(position.getCommitPosition());
  const at = begin === null ? null : firstAt(log.records, (record) => record.position >= begin);
  const isPlace = at === null || (at < end && log.records[at]?.position === begin);
  if (isBackwards(options)) {
    return isPlace ? part(log.records, Math.min(at ?? end, end), 0, options, matches) : invalidPosition;
  }
  if (of.hasEnd()) return [];
  if (at === null) return part(log.records, 0, end, options, matches);
  if (!isPlace) {
    calls.readGarbage += 1;
    return invalidPosition;
  }
  if (BigInt(position!.getPreparePosition()) !== begin) return handlerFailed;
  return part(log.records, at, end, options, matches);
};

/** From one place up to another, or down to it: no more than are asked for. */
const part = (
  records: readonly Stored[],
  from: number,
  to: number,
  options: ReadReq.Options,
  matches: (record: Stored) => boolean,
): readonly Stored[] => {
  const most = Number(options.getCount());
  const found: Stored[] = [];
  if (from <= to && !isBackwards(options)) {
    for (let at = from; at < to && found.length < most; at += 1) {
      if (matches(records[at]!)) found.push(records[at]!);
    }
  } else {
    for (let at = from - 1; at >= to && found.length < most; at -= 1) {
      if (matches(records[at]!)) found.push(records[at]!);
    }
  }
  return found;
};

/** Where the first of ordered records lies that is so; their number if none is. */
const firstAt = (records: readonly Stored[], isSo: (record: Stored) => boolean): number => {
  let [low, high] = [0, records.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isSo(records[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
};
