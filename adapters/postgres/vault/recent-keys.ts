/** A data key, and how it is wrapped in its row: as long as the row says the same, the key is that of its owner. */
export interface DataKey {
  readonly key: Uint8Array;
  readonly wrapped: Uint8Array;
}

/** Data keys that were in use a moment ago. */
export interface RecentKeys {
  readonly get: (tenant: string, owner: string) => DataKey | undefined;
  readonly put: (tenant: string, owner: string, found: DataKey) => void;
  readonly drop: (tenant: string, owner: string) => void;
}

/** Who writes to an owner does so again within seconds. Afterwards the key is in the database alone, and can be destroyed. */
const KEPT_MS = 10_000;
const MOST = 200;

export const createRecentKeys = (): RecentKeys => {
  /** The eldest first. */
  const keys = new Map<string, DataKey>();
  const nameOf = (tenant: string, owner: string): string => `${tenant} ${owner}`;
  return {
    get: (tenant, owner) => keys.get(nameOf(tenant, owner)),
    put: (tenant, owner, found) => {
      const name = nameOf(tenant, owner);
      keys.delete(name);
      keys.set(name, found);
      for (const eldest of keys.keys()) {
        if (keys.size <= MOST) break;
        keys.delete(eldest);
      }
      const gone = (): void => {
        if (keys.get(name) === found) keys.delete(name);
      };
      setTimeout(gone, KEPT_MS).unref();
    },
    drop: (tenant, owner) => void keys.delete(nameOf(tenant, owner)),
  };
};
