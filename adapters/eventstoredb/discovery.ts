import { setTimeout as delay } from 'node:timers/promises';
import { Metadata } from '@grpc/grpc-js';
import { GossipClient } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { type ChannelSettings, openChannel } from './channel.ts';
import type { Endpoint } from './connection-string.ts';
import { failureOf, notConnected } from './errors.ts';

const { LEADER } = gossip.MemberInfo.VNodeState;
/** Time for the other nodes after the first response. */
const GRACE_MS = 200;
/** What the error of this adapter says anyway. */
const CONNECTION_LOST = /^no connection established[.:] (last error: )?(error: )?/i;

/**
 * Asks all nodes at once for the leader and takes the majority of those that respond soon: a node that was
 * deposed while it was frozen still claims to be the leader.
 *
 * @throws notConnected when no node knows a leader, with what each of them answered
 */
export const findLeader = async (
  nodes: readonly Endpoint[],
  settings: ChannelSettings,
): Promise<Endpoint> => {
  const votes: Endpoint[] = [];
  const answers = new Map<string, string[]>();
  const requests = nodes.map(async (node) => {
    try {
      votes.push(...leadersIn(await readGossip(node, settings)));
      if (votes.length === 0) throw new Error('it knows no leader');
    } catch (error) {
      const answer = failureOf(error).message.replace(CONNECTION_LOST, '');
      answers.set(answer, [...(answers.get(answer) ?? []), addressOf(node)]);
      throw error;
    }
  });
  await Promise.any(requests).catch(() => {});
  if (votes.length > 0) await Promise.race([Promise.allSettled(requests), delay(GRACE_MS)]);
  const grouped = Map.groupBy(votes, addressOf);
  const leader = [...grouped.values()].toSorted((a, b) => b.length - a.length)[0]?.[0];
  if (leader !== undefined) return leader;
  const reasons = [...answers].map(([answer, from]) => `${from.join(', ')}: ${answer}`);
  throw notConnected(`none of the nodes names a leader (${reasons.join('; ')})`);
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
