import { parseCheckpoint, type TreeHead } from '../../domain/proof/checkpoint.ts';
import { type Sha256, subtreesOf } from '../../domain/proof/merkle.ts';
import { type Ed25519, parseNote, verifiedBy } from '../../domain/proof/note.ts';
import { TILE_WIDTH } from '../../domain/proof/tiles.ts';
import { isOurs } from '../event-sourcing/event-codec.ts';
import { BEGINNING, type EventFeed, type Position } from '../ports/event-store.ts';
import type { KeptCheckpoints, LogTree } from '../ports/log-tree.ts';
import { verifierKey } from './checkpoints.ts';
import { treeHashes } from './tree-hashes.ts';
import { type Difference, type KnownHead, type NextHead, startWalk, type Walk } from './verify-walk.ts';

export interface VerifyDeps {
  /** Reads the log as it is in the store. */
  readonly feed: Pick<EventFeed, 'follow'>;
  readonly tree: LogTree;
  readonly kept: KeptCheckpoints;
  readonly sha256: Sha256;
  readonly verify: Ed25519['verify'];
}

export interface VerifyRequest {
  /** One tenant alone; absent: all. */
  readonly tenant?: string;
  /** Checkpoints that were kept elsewhere, by tenant. */
  readonly outside: ReadonlyMap<string, readonly TreeHead[]>;
  /** Takes the events that this checkpoint covers for checked: only with a tenant. */
  readonly since?: TreeHead;
  /** Called with the number of events read since the last call. */
  readonly onProgress: (events: number) => void;
  readonly signal: AbortSignal;
}

interface Verified {
  readonly tenants: number;
  readonly events: number;
  /** Checkpoints whose roots are right. */
  readonly checkpoints: number;
  /** The first of each tenant. */
  readonly differences: readonly Difference[];
}

/** Larger pages spare round trips; two are in memory at a time. */
const BATCH = 4_000;

/**
 * Reads the log from the store, computes every leaf and root again, and compares them with the tree and with every
 * checkpoint. Memory does not grow with the events, but with the tenants.
 */
export const verifyLog = async (deps: VerifyDeps, request: VerifyRequest): Promise<Verified> => {
  const { feed, tree, kept } = deps;
  const { tenant: only, onProgress, signal } = request;
  const saltOf = await tree.salts();
  const forged: Difference[] = [];
  const walks = new Map<string, Walk>();
  let from: Position = BEGINNING;
  const begin = async (tenant: string): Promise<Walk> => {
    const start = await startOf(deps, tenant, request.since);
    from = start.position;
    const heads = await headsOf(deps, tenant, start.size, request.outside.get(tenant) ?? [], forged);
    const walk = await startWalk({ ...deps, saltOf }, tenant, start, heads);
    walks.set(tenant, walk);
    return walk;
  };
  const known = new Set([...(await tree.tenants()), ...(await kept.tenants()), ...request.outside.keys()]);
  for (const tenant of only === undefined ? known : [only]) await begin(tenant);
  let events = 0;
  const filter = only === undefined ? {} : { tenant: only };
  for await (const message of feed.follow(from, filter, { signal, batchSize: BATCH })) {
    if (message.kind === 'caughtUp') break;
    if (message.kind !== 'events') continue;
    for (const event of message.events) {
      if (!isOurs(event)) continue;
      const tenant = event.metadata['tenant'] as string;
      const taken = (walks.get(tenant) ?? (await begin(tenant))).take(event);
      if (taken !== undefined) await taken;
    }
    events += message.events.length;
    onProgress(message.events.length);
  }
  const all = [...walks.values()];
  for (const walk of all) await walk.end();
  return {
    tenants: all.length,
    events,
    checkpoints: all.reduce((sum, walk) => sum + walk.checked(), 0),
    differences: [...all.flatMap((walk) => walk.difference() ?? []), ...forged],
  };
};

/** Where the walk begins, and the tree until there. @throws Error when the tree has not the root of `since` */
const startOf = async ({ tree, sha256 }: VerifyDeps, tenant: string, since: TreeHead | undefined) => {
  if (since === undefined || since.size === 0) return { size: 0, hashes: [], position: BEGINNING };
  const hashes = treeHashes(tree, sha256, tenant);
  const size = since.size;
  if ((await tree.size(tenant)) < size || Buffer.compare(await hashes.root(size), since.root) !== 0)
    throw new Error(
      `the tree of tenant ${tenant} has not the root of this checkpoint: verify without --since`,
    );
  const places = await tree.places(tenant, Math.floor((size - 1) / TILE_WIDTH));
  return {
    size,
    hashes: await Promise.all(subtreesOf(0, size).map((subtree) => hashes.over([subtree]))),
    position: places[(size - 1) % TILE_WIDTH]!.position,
  };
};

const PAGE = 200;

/** The kept checkpoints with valid signatures and those from outside, with more leaves than `after`. */
const headsOf = async (
  { kept, sha256, verify }: VerifyDeps,
  tenant: string,
  after: number,
  outside: readonly TreeHead[],
  forged: Difference[],
): Promise<NextHead> => {
  const keys = await kept.keys();
  const others = outside
    .filter(({ size }) => size > after)
    .toSorted((a, b) => a.size - b.size)
    .map((head): KnownHead => ({ ...head, kept: 'elsewhere' }));
  const page: KnownHead[] = [];
  let at = after;
  const signed = (note: string): TreeHead | null => {
    const parsed = parseNote(note);
    const head = parsed && parseCheckpoint(parsed.text);
    const isBy = ({ publicKey }: { readonly publicKey: Uint8Array }): boolean =>
      verifiedBy(sha256, verify, verifierKey(head!.origin, publicKey), parsed!) !== null;
    return head !== null && keys.some(isBy) ? head : null;
  };
  const fill = async (): Promise<void> => {
    while (page.length === 0 && at < Infinity) {
      const found = await kept.list(tenant, at, PAGE);
      at = found.length < PAGE ? Infinity : found.at(-1)!.size;
      for (const { note, size: index } of found) {
        const head = signed(note);
        const told = `the kept checkpoint of ${index} events has no valid signature`;
        if (head === null) forged.push({ tenant, kind: 'forged', index, at: null, told });
        else page.push({ ...head, kept: 'here' });
      }
    }
  };
  return async () => {
    await fill();
    const [own, other] = [page[0], others[0]];
    if (own !== undefined && (other === undefined || own.size <= other.size)) return page.shift()!;
    return others.shift() ?? null;
  };
};
