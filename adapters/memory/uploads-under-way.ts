import type { UploadsUnderWay, UploadUnderWay } from '../../application/ports/leases.ts';

/** Uploads of one process, by its clock, gone with it: for tests. */
export const createMemoryUploadsUnderWay = (now: () => number): UploadsUnderWay => {
  const held = new Map<string, UploadUnderWay & { readonly until: number }>();
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
