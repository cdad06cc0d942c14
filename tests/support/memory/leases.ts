import type { Clock } from '../../../application/ports/identity.ts';
import type {
  AnswerLeases,
  Lease,
  RenewalLeases,
  UploadLease,
  UploadLeases,
  WorkLeases,
} from '../../../application/ports/leases.ts';

/** Leases of one process, gone with it. */
export const createMemoryAnswerLeases = (clock: Clock): AnswerLeases => {
  const until = new Map<string, number>();
  return {
    hold: async (id, ms) => void until.set(id, clock.now() + ms),
    isHeld: async (id) => (until.get(id) ?? 0) > clock.now(),
    release: async (id) => void until.delete(id),
    takeOver: async () => until.clear(),
  };
};

/** They last until they are given back. */
export const createMemoryRenewalLeases = (): RenewalLeases => {
  const taken = new Set<string>();
  return {
    take: async (secretId) => {
      if (taken.has(secretId)) return null;
      taken.add(secretId);
      return async () => void taken.delete(secretId);
    },
  };
};

export const createMemoryUploadLeases = (now: () => number): UploadLeases => {
  const held = new Map<string, UploadLease & { readonly until: number }>();
  return {
    hold: async ({ id, tenant, createdId }, ms) => {
      held.set(id, { id, tenant: held.get(id)?.tenant ?? tenant, createdId, until: now() + ms });
    },
    renew: async (id, ms) => {
      const upload = held.get(id);
      if (upload === undefined || upload.until <= now()) return false;
      held.set(id, { ...upload, until: now() + ms });
      return true;
    },
    release: async (id) => void held.delete(id),
    abandoned: async (limit) =>
      [...held.values()]
        .filter(({ until }) => until <= now())
        .slice(0, limit)
        .map(({ id, tenant, createdId }) => ({ id, tenant, createdId })),
  };
};

/** Of work that is claimed by its id. */
export const createMemoryWorkLeases = (clock: Clock): Pick<WorkLeases, 'claimOne' | 'release'> => {
  const held = new Map<string, Lease & { readonly owner: string; readonly until: number }>();
  return {
    claimOne: async (owner, { kind, id, tenant }, leaseMs) => {
      const before = held.get(id);
      if (before !== undefined && before.until > clock.now()) return null;
      const lease = { kind, id, tenant, token: (before?.token ?? 0n) + 1n, attempt: 1, lasting: 0 };
      held.set(id, { ...lease, owner, until: clock.now() + leaseMs });
      return lease;
    },
    release: async (owner, { id, token }) => {
      const lease = held.get(id);
      if (lease?.owner === owner && lease.token === token) held.set(id, { ...lease, until: clock.now() });
    },
  };
};
