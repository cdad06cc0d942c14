import { sql } from 'kysely';
import type { Sql } from '../../../../adapters/postgres/database-schema.ts';
import {
  createVectorIndex,
  type VectorIndexOptions,
} from '../../../../adapters/postgres/vectors/vector-index.ts';
import { createVectorStore } from '../../../../adapters/postgres/vectors/vector-store.ts';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { embedPending } from '../../../../application/search/embedding/embed-pending.ts';
import type { Embedder } from '../../../../application/ports/embedder.ts';
import { silent } from '../../../support/world.ts';
import { type CatalogFixture, searchedCatalog } from '../catalog/catalog-fixture.ts';

/** Remembers every text that it was asked to embed. */
export const counting = (embedder: Embedder) => {
  const texts: string[] = [];
  return {
    texts,
    embedder: {
      ...embedder,
      embed: async (asked, kind, signal) => {
        texts.push(...asked);
        return embedder.embed(asked, kind, signal);
      },
    } satisfies Embedder,
  };
};

/** Vectors over the catalog of a fixture; nothing of it is remembered from one search to the next but vectors. */
export const openVectors = ({ db, searchIndex }: CatalogFixture, options: VectorIndexOptions = {}) => {
  const store = createVectorStore(db);
  const index = createVectorIndex(db, { coverageMs: 0, recheckMissingMs: 0, backgroundMs: 0, ...options });
  return {
    store,
    index,
    catalog: searchedCatalog(db, searchIndex, index),
    /** Embeds until nothing is pending, or the embedder fails. */
    embedAll: async (embedder: Embedder, hours = 0): Promise<void> => {
      const done = new AbortController();
      const stop = async (): Promise<void> => done.abort();
      const sleep = async (ms: number): Promise<void> => (ms < 1_000 ? undefined : done.abort());
      const clock = { now: () => hours * 3_600_000 };
      const deps = { store, embedder, hash: sha256, clock, log: silent, sleep, idle: stop };
      await embedPending(deps, done.signal);
    },
    stored: () => storedVectors(db),
  };
};

/** How many vectors there are by tenant and model. */
const storedVectors = async (db: Sql): Promise<{ readonly [of: string]: number }> => {
  const { rows } = await sql<{ of: string; n: number }>`
    select e.tenant || ' ' || m.name as of, count(*) as n
    from vectors.embedding e join vectors.model m on m.no = e.model_no group by 1 order by 1`.execute(db);
  return Object.fromEntries(rows.map(({ of, n }) => [of, n]));
};
