import { type OwnedTexts, KeyDestroyed, type Vault } from '../../../application/ports/vault.ts';

interface Kept {
  readonly tenant: string;
  readonly created: number;
  readonly bodies: Map<string, { readonly text: string; readonly created: number }>;
}

/** Texts in memory, in clear, gone with the process: for tests. */
export const createMemoryVault = (): Vault => {
  const owners = new Map<string, Kept>();
  const of = (tenant: string, owner: string): Kept | undefined => {
    const kept = owners.get(owner);
    return kept?.tenant === tenant ? kept : undefined;
  };
  const put: Vault['put'] = async (tenant, owner, bodies) => {
    const kept = of(tenant, owner);
    if (kept === undefined) throw new KeyDestroyed(`${owner} has no data key`);
    for (const { id, text } of bodies) {
      if (!kept.bodies.has(id)) kept.bodies.set(id, { text, created: Date.now() });
    }
  };
  return {
    create: async (tenant, owner, bodies = []) => {
      if (!owners.has(owner)) owners.set(owner, { tenant, created: Date.now(), bodies: new Map() });
      if (bodies.length > 0) await put(tenant, owner, bodies);
    },
    put,
    read: async (tenant, owner, ids) => {
      const kept = of(tenant, owner);
      if (kept === undefined) return null;
      const found = ids.filter((id) => kept.bodies.has(id));
      return new Map(found.map((id) => [id, kept.bodies.get(id)!.text]));
    },
    forget: async (tenant, owner, ids) => {
      for (const id of ids) of(tenant, owner)?.bodies.delete(id);
    },
    destroy: async (tenant, owner) => {
      if (of(tenant, owner) !== undefined) owners.delete(owner);
    },
    writtenBetween: async ({ olderMs, youngerMs }, after, limit) => {
      const [to, from] = [Date.now() - olderMs, Date.now() - youngerMs];
      const within = (created: number): boolean => created >= from && created <= to;
      return [...owners]
        .filter(([owner, { created, bodies }]) => {
          const times = [created, ...[...bodies.values()].map((body) => body.created)];
          return owner > after && times.some(within);
        })
        .map(([owner, { tenant, bodies }]): OwnedTexts => {
          const written = [...bodies].filter(([, { created }]) => within(created)).map(([id]) => id);
          return { tenant, owner, ids: written.toSorted() };
        })
        .toSorted((a, b) => (a.owner < b.owner ? -1 : 1))
        .slice(0, limit);
    },
  };
};
