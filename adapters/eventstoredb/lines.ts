import type { Client } from '@grpc/grpc-js';
import type { Endpoint, StoreAddress } from './connection-string.ts';
import { closed, failureOf } from './failures.ts';
import { findLeader } from './leader.ts';
import { type Line, type LineOptions, openLine } from './line.ts';

/** The connection of now, and those that were left and still have calls under way. */
export interface Lines<Service> {
  /** To the leader, as far as is known; opened where there is none, once for all who ask. */
  readonly current: () => Promise<Line<Service>>;
  /** A call on it failed: where that speaks against the line, the next call goes to another. */
  readonly failed: (line: Line<Service>, error: unknown) => void;
  /** The next call goes to another line than this one. */
  readonly leave: (line: object) => void;
  readonly close: () => void;
}

export const createLines = <Service extends Client>(
  ServiceClient: Parameters<typeof openLine<Service>>[0],
  { nodes, discover }: Pick<StoreAddress, 'nodes' | 'discover'>,
  options: LineOptions,
): Lines<Service> => {
  const all = new Set<Line<Service>>();
  let current: Promise<Line<Service>> | null = null;
  /** Named by a node that is none. */
  let leader: Endpoint | undefined;
  let isClosed = false;

  const open = async (): Promise<Line<Service>> => {
    const knownLeader = leader;
    leader = undefined;
    const node = knownLeader ?? (discover ? await findLeader(nodes, options) : nodes[0]!);
    const line = await openLine(ServiceClient, node, options);
    for (const earlier of all) if (!earlier.isOpen()) all.delete(earlier);
    all.add(line);
    if (isClosed) line.cut();
    return line;
  };

  const leave = (line: object, next?: Endpoint): void => {
    const found = [...all].find((one) => one === line);
    if (found === undefined || found.left.aborted) return;
    // Only the line of now was not left yet.
    leader = next;
    current = null;
    found.leave();
  };

  return {
    current: async () => {
      if (isClosed) throw closed();
      if (current !== null) return current;
      const opening = open();
      current = opening;
      opening.catch(() => {
        if (current === opening) current = null;
      });
      return opening;
    },
    failed: (line, error) => {
      const failure = failureOf(error);
      if (failure.leave) leave(line, failure.leader);
    },
    leave,
    close: () => {
      isClosed = true;
      for (const line of all) line.cut();
    },
  };
};
