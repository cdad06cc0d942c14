import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import type { ClusterInfo, MemberInfo } from '@eventstore/db-client/generated/gossip_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { SupportedMethods } from '@eventstore/db-client/generated/serverfeatures_pb.js';
import type { Empty } from '@eventstore/db-client/generated/shared_pb.js';
import type { Node } from './node.ts';

const STATES = { follower: 6, leader: 8, readOnly: 14 } as const;

/** What a cluster string is resolved with: this node and, if it is no leader, the leader. */
export const handleGossip =
  (node: Node, port: () => number) =>
  (_call: ServerUnaryCall<Empty, ClusterInfo>, answer: sendUnaryData<ClusterInfo>): void => {
    const info = new gossip.ClusterInfo();
    info.addMembers(member('127.0.0.1', port(), STATES[node.role.kind]));
    if (node.role.kind === 'follower') {
      info.addMembers(member(node.role.leader.host, node.role.leader.port, STATES.leader));
    }
    answer(null, info);
  };

const member = (host: string, port: number, state: number): MemberInfo => {
  const info = new gossip.MemberInfo();
  const endpoint = new gossip.EndPoint();
  endpoint.setAddress(host);
  endpoint.setPort(port);
  info.setHttpEndPoint(endpoint);
  info.setIsAlive(true);
  info.setState(state);
  return info;
};

/** Newer than it matters, with the batch append: the client then prefers that to the plain one. */
export const handleFeatures = (
  _call: ServerUnaryCall<Empty, SupportedMethods>,
  answer: sendUnaryData<SupportedMethods>,
): void => {
  const methods = new features.SupportedMethods();
  methods.setEventStoreServerVersion('24.10.0');
  const batch = new features.SupportedMethod();
  batch.setServiceName('event_store.client.streams.Streams');
  batch.setMethodName('BatchAppend');
  methods.addMethods(batch);
  answer(null, methods);
};
