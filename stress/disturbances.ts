import { setTimeout as pause } from 'node:timers/promises';
import { LEASE_SECONDS, type Member, type MemberOptions, startMember } from './member.ts';
import type { Random } from './random.ts';

export interface Disturbances {
  readonly kills: number;
  readonly freezes: number;
}

export interface DisturbanceOptions extends MemberOptions {
  /** Least and most milliseconds between two disturbances. */
  readonly everyMs: readonly [number, number];
  /** The share of them that freeze a process, from 0 to 1; the others kill one. */
  readonly freezes: number;
}

/** On a machine where a start takes longer than the pause between kills, something must still get done. */
const MIN_WELL = 3;

interface Disturbed extends DisturbanceOptions {
  readonly members: readonly Member[];
  /** Those that are down or frozen, until they are well again. */
  readonly recovering: Set<Promise<void>>;
}

/** See Fleet. */
export const disturbUntil = async (
  options: Disturbed,
  over: Promise<unknown>,
  random: Random,
): Promise<Disturbances> => {
  let ended = false;
  const allOver = over.finally(() => (ended = true));
  const { members, recovering } = options;
  const broken = Promise.withResolvers<never>();
  const done = { kills: 0, freezes: 0 };
  for (;;) {
    await Promise.race([pause(random.between(...options.everyMs)), allOver, broken.promise]);
    if (ended) break;
    const well = members.filter(({ service, frozen }) => service !== null && !frozen);
    if (well.length < MIN_WELL) continue;
    const member = random.pick(well);
    const freezing = random.next() < options.freezes;
    done[freezing ? 'freezes' : 'kills'] += 1;
    const recovery: Promise<void> = (freezing ? freeze : kill)(member, options, random)
      .catch(broken.reject)
      .finally(() => recovering.delete(recovery));
    recovering.add(recovery);
  }
  await Promise.race([Promise.all(recovering), broken.promise]);
  return done;
};

const kill = async (member: Member, options: MemberOptions, random: Random): Promise<void> => {
  options.tell(`killing ${member.name}`);
  const { service } = member;
  member.service = null;
  await service?.end('SIGKILL');
  await pause(random.between(200, 1_500));
  await startMember(member, options);
};

/** Longer than a lease: when it goes on, others have taken its work over, and it does not know. */
const freeze = async (member: Member, { tell }: MemberOptions, random: Random): Promise<void> => {
  tell(`freezing ${member.name}`);
  member.frozen = true;
  member.service?.child.kill('SIGSTOP');
  await pause(1_000 * LEASE_SECONDS + random.between(1_000, 4_000));
  member.service?.child.kill('SIGCONT');
  member.frozen = false;
  tell(`${member.name} goes on`);
};
