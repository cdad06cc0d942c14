import { setTimeout as delay } from 'node:timers/promises';
import { Metadata } from '@grpc/grpc-js';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type ChannelSettings, openChannel } from './channel.ts';
import type { Endpoint } from './connection-string.ts';
import { notConnected } from './errors.ts';

const { LEADER } = gossip.MemberInfo.VNodeState;
/** Time for the other nodes after the first response. */
const GRACE_MS = 200;

/**
 * Asks all nodes at once for the leader and takes the majority of those that respond soon: a node that was
 * deposed while it was frozen still claims to be the leader.
 *
 * @throws notConnected when no node knows a leader
 */
export const findLeader = async (
  nodes: readonly Endpoint[],
  settings: ChannelSettings,
): Promise<Endpoint> => {
  const votes: Endpoint[] = [];
  const requests = nodes.map(async (node) => {
    votes.push(...leadersIn(await readGossip(node, settings)));
    if (votes.length === 0) throw new Error('the node knows no leader');
  });
  await Promise.any(requests).catch(() => {});
  if (votes.length > 0) await Promise.race([Promise.allSettled(requests), delay(GRACE_MS)]);
  const grouped = Map.groupBy(votes, addressOf);
  const leader = [...grouped.values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
  if (leader !== undefined) return leader;
  throw notConnected(`failed to discover a leader: none of ${nodes.map(addressOf).join(', ')} names one`);
};

const addressOf = ({ host, port }: Endpoint): string => `${host}:${port}`;

const readGossip = async (node: Endpoint, settings: ChannelSettings): Promise<ClusterInfo> => {
  const channel = await openChannel(GossipClient, node, settings);
  try {
    return await new Promise<ClusterInfo>((resolve, reject) => {
      const deadline = Date.now() + settings.connectMs;
      channel.service.read(new shared.Empty(), new Metadata(), { deadline }, (error, info) =>
        error ? reject(error) : resolve(info),
      );
    });
  } finally {
    channel.retire();
  }
};

const leadersIn = (info: ClusterInfo): readonly Endpoint[] =>
  info.getMembersList().flatMap((member) => {
    const at = member.getHttpEndPoint();
    const leads = member.getIsAlive() && member.getState() === LEADER;
    return leads && at !== undefined ? [{ host: at.getAddress(), port: at.getPort() }] : [];
  });
