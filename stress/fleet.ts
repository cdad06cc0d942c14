import { setTimeout as pause } from 'node:timers/promises';
import type { Service } from '../tests/support/service.ts';
import { type DisturbanceOptions, type Disturbances, disturbUntil } from './disturbances.ts';
import { endMember, type Member, startMember } from './member.ts';
import type { Random } from './random.ts';

export interface Fleet {
  /** API processes that listen now. */
  readonly apis: () => readonly Service[];
  /** Waits for an API process, and answers one of those that listen. @throws when the fleet is stopped */
  readonly anyApi: (random: Random) => Promise<Service>;
  readonly running: () => readonly Service[];
  /**
   * Kills a member now and then, and starts it again a moment later, or freezes it for longer than a lease, until
   * `over`; then all of them run.
   */
  readonly disturbUntil: (over: Promise<unknown>, random: Random) => Promise<Disturbances>;
  /** Ends all in good order. */
  readonly stop: () => Promise<void>;
}

const MEMBERS = [
  ['projector-1', 'projector,scheduler'],
  ['projector-2', 'projector,scheduler'],
  ['api-1', 'api'],
  ['api-2', 'api'],
  ['worker-1', 'worker'],
  ['worker-2', 'worker'],
] as const;
/** Starts two processes of each role, on one database and one data directory. */
export const startFleet = async (options: DisturbanceOptions): Promise<Fleet> => {
  const stopping = new AbortController();
  const recovering = new Set<Promise<void>>();
  const members: readonly Member[] = MEMBERS.map(([name, roles]) => ({
    name,
    roles,
    service: null,
    frozen: false,
  }));
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all(recovering);
    await Promise.all(members.map((member) => endMember(member, options.found)));
  };
  const started = await Promise.allSettled(members.map((member) => startMember(member, options)));
  const failed = started.find(({ status }) => status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw (failed as PromiseRejectedResult).reason;
  }
  const listening = (those: readonly Member[]): readonly Service[] =>
    those.flatMap(({ service }) => (service === null ? [] : [service]));
  const apis = () => listening(members.filter(({ roles }) => roles === 'api'));
  return {
    apis,
    anyApi: async (random) => {
      while (apis().length === 0) await pause(50, undefined, { signal: stopping.signal });
      return random.pick(apis());
    },
    running: () => listening(members),
    disturbUntil: (over, random) => disturbUntil({ members, recovering, ...options }, over, random),
    stop,
  };
};
