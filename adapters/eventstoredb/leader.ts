import { setTimeout as delay } from 'node:timers/promises';
import { Metadata } from '@grpc/grpc-js';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import type { Endpoint } from './connection-string.ts';
import { notConnected } from './failures.ts';
import { type LineOptions, openLine } from './line.ts';

const { LEADER } = gossip.MemberInfo.VNodeState;
/** How long the others may take once one node has answered. */
const GRACE_MS = 200;

/**
 * Asks all nodes at once who leads, and believes most of those who answer soon: one that was deposed while it was frozen
 * goes on calling itself the leader. A node that does not answer is not waited for.
 *
 * @throws notConnected when none of them knows a leader
 */
export const findLeader = async (nodes: readonly Endpoint[], options: LineOptions): Promise<Endpoint> => {
  const votes: Endpoint[] = [];
  const asked = nodes.map(async (node) => {
    votes.push(...leadersIn(await ask(node, options)));
    if (votes.length === 0) throw new Error('it knows no leader');
  });
  const first = Promise.any(asked).catch(() => {});
  await first;
  if (votes.length > 0) await Promise.race([Promise.allSettled(asked), delay(GRACE_MS)]);
  const leader = mostNamed(votes);
  if (leader !== undefined) return leader;
  const addresses = nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  throw notConnected(`failed to discover a leader: none of ${addresses} names one`);
};

const ask = async (node: Endpoint, options: LineOptions): Promise<ClusterInfo> => {
  const line = await openLine(GossipClient, node, options);
  try {
    return await new Promise<ClusterInfo>((resolve, reject) => {
      const deadline = Date.now() + options.connectMs;
      line.service.read(new shared.Empty(), new Metadata(), { deadline }, (error, info) =>
        error ? reject(error) : resolve(info),
      );
    });
  } finally {
    line.leave();
  }
};

const leadersIn = (info: ClusterInfo): readonly Endpoint[] =>
  info.getMembersList().flatMap((member) => {
    const at = member.getHttpEndPoint();
    const leads = member.getIsAlive() && member.getState() === LEADER;
    return leads && at !== undefined ? [{ host: at.getAddress(), port: at.getPort() }] : [];
  });

const mostNamed = (votes: readonly Endpoint[]): Endpoint | undefined => {
  const grouped = Map.groupBy(votes, ({ host, port }) => `${host}:${port}`);
  return [...grouped.values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
};
