import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogTree } from '../../../adapters/postgres/log-tree/log-tree.ts';
import { logTreeProjection } from '../../../adapters/postgres/log-tree/projection.ts';
import { rebuild } from '../../../adapters/postgres/projections/rebuild.ts';
import { sha256Bytes } from '../../../adapters/system/proof.ts';
import { treeHashes } from '../../../application/audit/tree-hashes.ts';
import type { NewEvent } from '../../../application/ports/event-store.ts';
import { eventOf, leavesOf, treeHash } from '../../support/log-proof.ts';
import { openWorld, type World } from '../../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld([logTreeProjection]);
});
afterAll(() => world.close());

/** Appends so many events each, in turn to streams of these tenants. */
const append = async (batches: readonly (readonly [tenant: string, events: number])[]): Promise<string> => {
  let last = '';
  for (const [tenant, events] of batches) {
    const given = Array.from({ length: events }, (_, n) => eventOf(tenant, { title: `page ${n}`, n }));
    const stream = `source-${crypto.randomUUID()}`;
    ({ position: last } = await world.store.append(stream, 'none', given as [NewEvent, ...NewEvent[]]));
  }
  return last;
};
const allOf = async (tenant: string) => (await world.feed.read('', { tenant }, 1_000_000)).events;

describe('a salt', () => {
  it('is an HMAC of event and field by the secret of the database', async () => {
    const saltOf = await createLogTree(world.db).salts();
    const { rows } = await sql<{ secret: Buffer }>`select secret from proof.salt`.execute(world.db);
    for (const [id, field] of [
      ['', ''],
      ['0b1e', 'title'],
      ['é'.repeat(200), 'key_hash'],
    ] as const)
      expect(Buffer.from(saltOf(id, field))).toStrictEqual(
        createHmac('sha256', rows[0]!.secret).update(`${id} ${field}`).digest(),
      );
  });
});

describe('the tree of a tenant', () => {
  it('has the hashes that RFC 9162 defines, whatever the batches, and the same once it is rebuilt', async () => {
    const tree = createLogTree(world.db);
    world.project({ ...logTreeProjection, batchSize: 500 });
    const batch = fc.tuple(fc.constantFrom('acme', 'other', 'third'), fc.integer({ min: 1, max: 300 }));
    const check = async (): Promise<void> => {
      for (const tenant of await tree.tenants()) {
        const events = await allOf(tenant);
        const leaves = leavesOf(events, await tree.salts());
        expect(await tree.size(tenant)).toBe(leaves.length);
        const hashes = treeHashes(tree, sha256Bytes, tenant);
        for (const size of new Set([1, 255, 256, 257, leaves.length >> 1, leaves.length])) {
          if (size < 1 || size > leaves.length) continue;
          expect(Buffer.from(await hashes.root(size))).toStrictEqual(treeHash(leaves.slice(0, size)));
        }
        const at = events.length >> 1;
        expect(await tree.indexOf(tenant, events[at]!.position)).toBe(at);
        const { stream, revision, position } = events[at]!;
        expect((await tree.places(tenant, at >> 8))[at % 256]).toStrictEqual({ stream, revision, position });
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(batch, { minLength: 1, maxLength: 8 }), async (batches) => {
        expect(await world.gate.reached(['log_tree'], await append(batches), 20_000)).toBe(true);
        await check();
      }),
      { numRuns: 12 },
    );
    await rebuild({ ...world.deps }, logTreeProjection, new AbortController().signal);
    await check();
  });
});
