import type { Metadata } from '@grpc/grpc-js';
import { type Faults, type Refusal, noLeader, notLeader, wrongPassword } from './faults.ts';
import type { StandInLog } from './log.ts';

export type Role =
  | { readonly kind: 'leader' }
  /** Answers what may be answered by any node; sends whoever requires the leader there. */
  | { readonly kind: 'follower'; readonly leader: { readonly host: string; readonly port: number } }
  /** A read-only replica, or a node during an election: it knows no leader to name. */
  | { readonly kind: 'readOnly' };

/** What the handlers of one node share. */
export interface Node {
  readonly log: StandInLog;
  readonly faults: Faults;
  readonly maxAppendBytes: number;
  /** How often each method was called, and how many events were sent out by reads. */
  readonly calls: {
    append: number;
    batchAppend: number;
    read: number;
    /** Those of the reads that were of one stream. */
    readStream: number;
    /**
     * Those of the log, forwards, from a place where no record begins: a server takes the bytes there for a record, and
     * may read on for seconds. Backwards it compares two lengths first.
     */
    readGarbage: number;
    subscribe: number;
    eventsRead: number;
  };
  /** After which position each subscription began; null: at an end. */
  readonly subscribedAfter: (bigint | null)[];
  /** Appends, reads and subscriptions that have not ended. */
  readonly open: Set<unknown>;
  role: Role;
  /** Why a call with these headers is refused, or null. */
  readonly refusalFor: (headers: Metadata) => Refusal | null;
  readonly cut: () => void;
}

export interface User {
  readonly name: string;
  readonly password: string;
}

/** Users are asked for only where there is TLS: the client sends none without. */
export const refuser =
  (role: () => Role, user: User | undefined) =>
  (headers: Metadata): Refusal | null => {
    const expected = user && `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
    if (expected !== undefined && headers.get('authorization')[0] !== expected) return wrongPassword;
    const { kind, ...rest } = role();
    if (kind === 'leader' || headers.get('requires-leader')[0] !== 'true') return null;
    const leader = 'leader' in rest ? rest.leader : undefined;
    return leader === undefined ? noLeader : notLeader(leader.host, leader.port);
  };
