import type { Clock } from '../../application/ports/identity.ts';
import type { Abandoned, Lease, WorkLeases } from '../../application/ports/leases.ts';

type Thing = Pick<Lease, 'id' | 'tenant'>;

/** What is known of one kind of work. */
export interface MemoryWorkKind {
  readonly kind: string;
  /** What is owed at this time; `since`: what is owed for longest comes first. */
  readonly owed: (now: number) => readonly (Thing & { readonly since: number })[];
  /** What somebody should be at work on. */
  readonly underWay?: (now: number) => readonly (Thing & Pick<Abandoned, 'overdue' | 'claim'>)[];
}

interface Held extends Lease {
  readonly owner: string;
  readonly until: number;
  readonly notBefore: number;
  readonly leaving: boolean;
}

/** Leases of one process. */
export const createMemoryWorkLeases = (clock: Clock, kinds: readonly MemoryWorkKind[]): WorkLeases => {
  const leases = new Map<string, Held>();
  const isLive = ({ until }: Held): boolean => until > clock.now();
  const liveOf = (tenant: string): number =>
    [...leases.values()].filter((held) => held.tenant === tenant && isLive(held)).length;
  const isFree = ({ id }: Pick<Lease, 'id'>): boolean => {
    const held = leases.get(id);
    return held === undefined || (!isLive(held) && held.notBefore <= clock.now());
  };
  const take = (
    owner: string,
    { kind, id, tenant }: Pick<Lease, 'kind' | 'id' | 'tenant'>,
    ms: number,
  ): Held => {
    const before = leases.get(id);
    const [attempt, lasting] = before?.kind === kind ? [before.attempt + 1, before.lasting] : [1, 0];
    const token = (before?.token ?? 0n) + 1n;
    const lease = { kind, id, tenant, token, attempt, lasting };
    const held = { ...lease, owner, until: clock.now() + ms, notBefore: 0, leaving: false };
    leases.set(id, held);
    return held;
  };
  const heldBy = (owner: string, { id, token }: Lease): Held | undefined => {
    const held = leases.get(id);
    return held?.owner === owner && held.token === token ? held : undefined;
  };
  /** Changes it as long as it is this owner's. */
  const change = (owner: string, lease: Lease, to: (held: Held) => Partial<Held>): void => {
    const held = heldBy(owner, lease);
    if (held !== undefined) leases.set(lease.id, { ...held, ...to(held) });
  };

  return {
    kinds: kinds.map(({ kind }) => kind),
    claim: async (owner, limit, leaseMs) => {
      const owed = kinds
        .flatMap(({ kind, owed: of }) => of(clock.now()).map((thing) => ({ ...thing, kind })))
        .filter(isFree)
        .toSorted((a, b) => a.since - b.since || (a.id < b.id ? -1 : 1));
      const turns = new Map<string, number>();
      const inTurns = owed.map((work) => {
        const turn = (turns.get(work.tenant) ?? liveOf(work.tenant)) + 1;
        turns.set(work.tenant, turn);
        return { work, turn };
      });
      const first = inTurns.toSorted((a, b) => a.turn - b.turn).slice(0, limit);
      return first.map(({ work }) => leaseOf(take(owner, work, leaseMs)));
    },
    claimOne: async (owner, work, leaseMs) => {
      if (!isFree(work)) return null;
      const held = { ...take(owner, work, leaseMs), attempt: 1, lasting: 0 };
      leases.set(work.id, held);
      return leaseOf(held);
    },
    renew: async (owner, lease, leaseMs) => {
      const held = heldBy(owner, lease);
      if (held === undefined || !isLive(held)) return false;
      leases.set(lease.id, { ...held, until: clock.now() + leaseMs });
      return true;
    },
    release: async (owner, lease, how) => {
      const until = clock.now();
      if (how === 'done') change(owner, lease, () => ({ until, attempt: 0, lasting: 0, notBefore: 0 }));
      else if (how === 'stopped') change(owner, lease, ({ attempt }) => ({ until, attempt: attempt - 1 }));
      else if (heldBy(owner, lease) !== undefined) leases.delete(lease.id);
    },
    putOff: async (owner, lease, { ms, transient: passing }) => {
      const until = clock.now();
      change(owner, lease, ({ lasting }) => ({
        until,
        notBefore: until + ms,
        lasting: lasting + (passing ? 0 : 1),
      }));
    },
    abandoned: async (limit) =>
      kinds
        .flatMap(({ kind, underWay }) => (underWay?.(clock.now()) ?? []).map((of) => ({ ...of, kind })))
        .map((found) => ({ ...found, worker: workerOf(leases.get(found.id), isLive) }))
        .filter(({ worker, overdue }) => overdue || worker !== 'alive')
        .slice(0, limit),
    leave: async (owner) => {
      for (const [id, held] of leases) {
        if (held.owner === owner && isLive(held)) leases.set(id, { ...held, leaving: true });
      }
    },
    takeOver: async (owner) => {
      const others = [...leases.values()].filter((held) => held.owner !== owner && isLive(held));
      for (const held of others) leases.set(held.id, { ...held, until: clock.now() });
      return others.length;
    },
  };
};

const leaseOf = ({ kind, id, tenant, token, attempt, lasting }: Held): Lease => ({
  kind,
  id,
  tenant,
  token,
  attempt,
  lasting,
});

const workerOf = (held: Held | undefined, isLive: (held: Held) => boolean): Abandoned['worker'] => {
  if (held !== undefined && isLive(held)) return 'alive';
  return held?.leaving === true ? 'stopped' : 'lost';
};
