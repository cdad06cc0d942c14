import { sql } from 'kysely';
import type { Segment } from '../../../domain/ranking/postings.ts';
import {
  type CacheBudget,
  type SegmentDocuments,
  createSegmentCache,
  unpackDocuments,
} from '../../../domain/ranking/segment-cache.ts';
import { blockWith, entryIn, type TermEntry } from '../../../domain/ranking/term-blocks.ts';
import { packedNumbers, unpackedNumbers } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { type IndexState, isLive, keyOf, OutdatedState, retainState } from './index-state.ts';
import { createSingleFlight } from '../batching.ts';

/** What a segment is beside its blocks. */
export interface SegmentHead {
  readonly documents: SegmentDocuments;
  /** The first term of each block. */
  readonly directory: readonly string[];
}

/** Reads segments, which never change, and keeps in memory what was read. @throws OutdatedState where one is gone */
export interface SegmentReader {
  /** Of each segment of the state, in its order. */
  readonly heads: (trx: Sql, state: IndexState) => Promise<readonly SegmentHead[]>;
  /**
   * What each segment says of its terms, null of one that it does not have; in the order of the state.
   *
   * @param wanted terms of each segment
   */
  readonly entries: (
    trx: Sql,
    state: IndexState,
    wanted: readonly (readonly string[])[],
  ) => Promise<readonly ReadonlyMap<string, TermEntry | null>[]>;
  /**
   * Numbers of the contents that these data sources have in the segments, in no order. Some of the dead are among them.
   *
   * @param sources ids in lower case
   */
  readonly contentsOf: (trx: Sql, state: IndexState, sources: readonly string[]) => Promise<Float64Array>;
}

/** Numbers of contents, less the first number of their segment, by the id of their data source. */
type Members = ReadonlyMap<string, Uint32Array>;

/** What a block takes beside its bytes, about, and a term of a directory. */
const [BLOCK_BYTES, TERM_BYTES] = [200, 60];

export const createSegmentReader = (budget: CacheBudget): SegmentReader => {
  const blocks = createSegmentCache<Uint8Array>(budget, ({ length }) => length + BLOCK_BYTES);
  const known = createSegmentCache<SegmentHead>(
    budget,
    ({ documents: { offsets, ids }, directory }) =>
      8 * offsets.length + ids.length + TERM_BYTES * directory.length,
  );
  const members = createSegmentCache<Members>(budget, (of) => {
    let bytes = 0;
    for (const { byteLength } of of.values()) bytes += byteLength + BLOCK_BYTES;
    return bytes;
  });
  const readMembers = sharedUnlessInTransaction<Members>();
  const readHeads = sharedUnlessInTransaction<SegmentHead>();
  const readBlocks = sharedUnlessInTransaction<Uint8Array>();
  const heads: SegmentReader['heads'] = async (trx, state) => {
    retainState(known, state);
    retainState(blocks, state);
    const found = state.segments.map((of) => known.get(keyOf(state, of), [HEAD]).get(HEAD));
    const lacking = new Map(
      state.segments.flatMap((of, i) => (found[i] === undefined ? [[keyOf(state, of), of] as const] : [])),
    );
    if (lacking.size === 0) return found as readonly SegmentHead[];
    const read = await readHeads(trx, lacking, (segments) => storedHeads(trx, state, segments));
    for (const [key, head] of read) known.add(key, HEAD, head);
    return state.segments.map((of, i) => found[i] ?? (read.get(keyOf(state, of)) as SegmentHead));
  };
  const entries: SegmentReader['entries'] = async (trx, state, wanted) => {
    const ofSegments = await heads(trx, state);
    const places = wanted.map((terms, i) => {
      const { directory } = ofSegments[i] as SegmentHead;
      return terms.map((term) => ({ term, block: blockWith(directory, term) }));
    });
    const loaded = state.segments.map((of, i) =>
      blocks.get(keyOf(state, of), new Set(places[i]?.map(({ block }) => String(block)))),
    );
    const lacking = new Map(
      places.flatMap((of, i) =>
        of.flatMap(({ block }) =>
          block >= 0 && loaded[i]?.has(String(block)) !== true
            ? [[`${keyOf(state, state.segments[i] as Segment)} ${block}`, { i, block }] as const]
            : [],
        ),
      ),
    );
    if (lacking.size > 0) {
      const read = await readBlocks(trx, lacking, (of) => storedBlocks(trx, state, of));
      for (const [key, { i, block }] of lacking) {
        const bytes = read.get(key) as Uint8Array;
        loaded[i]?.set(String(block), bytes);
        blocks.add(keyOf(state, state.segments[i] as Segment), String(block), bytes);
      }
    }
    return places.map(
      (of, i) =>
        new Map(
          of.map(({ term, block }) => {
            const bytes = loaded[i]?.get(String(block));
            return [term, bytes === undefined ? null : entryIn(bytes, term)];
          }),
        ),
    );
  };
  const membersOf = async (trx: Sql, state: IndexState): Promise<readonly Members[]> => {
    retainState(members, state);
    const found = state.segments.map((of) => members.get(keyOf(state, of), [ALL]).get(ALL));
    const lacking = new Map(
      state.segments.flatMap((of, i) => (found[i] === undefined ? [[keyOf(state, of), of] as const] : [])),
    );
    if (lacking.size === 0) return found as readonly Members[];
    const read = await readMembers(trx, lacking, (segments) => storedMembers(trx, state, segments));
    for (const [key, of] of read) members.add(key, ALL, of);
    return state.segments.map((of, i) => found[i] ?? (read.get(keyOf(state, of)) as Members));
  };
  const contentsOf: SegmentReader['contentsOf'] = async (trx, state, sources) => {
    const parts = (await membersOf(trx, state)).flatMap((of, i) =>
      sources.flatMap((source) => {
        const offsets = of.get(source);
        return offsets === undefined ? [] : [{ offsets, first: state.segments[i]!.firstNo }];
      }),
    );
    const numbers = new Float64Array(parts.reduce((sum, { offsets }) => sum + offsets.length, 0));
    let at = 0;
    for (const { offsets, first } of parts) for (const offset of offsets) numbers[at++] = first + offset;
    return numbers;
  };
  return { heads, entries, contentsOf };
};

const HEAD = '';
const ALL = '';

/**
 * Reads all that is wanted, by its keys, together with whoever wants the same. What is read in a snapshot is read for it
 * alone: it must not miss what others did.
 */
const sharedUnlessInTransaction = <Found>() => {
  const shared = createSingleFlight<Found>();
  return async <Wanted>(
    trx: Sql,
    wanted: ReadonlyMap<string, Wanted>,
    stored: (wanted: readonly Wanted[]) => Promise<ReadonlyMap<string, Found>>,
  ): Promise<ReadonlyMap<string, Found>> => {
    const keys = [...wanted.keys()];
    const read = (some: readonly string[]) => stored(some.map((key) => wanted.get(key) as Wanted));
    const found = await (trx.isTransaction ? read(keys) : shared(keys, read));
    if (found.size < keys.length) throw new OutdatedState();
    return found;
  };
};

const storedHeads = async (
  trx: Sql,
  state: IndexState,
  segments: readonly Segment[],
): Promise<ReadonlyMap<string, SegmentHead>> => {
  const { version, tenantNo } = state;
  const { rows } = await sql<{
    readonly segment: number;
    readonly directory: string;
    readonly documents: Buffer;
  }>`
    select segment, directory, documents from read.lexical_segment
    where tenant_no = ${tenantNo} and segment = any(${segments.map(({ segment }) => segment)}::bigint[])
      and ${isLive(version)}`.execute(trx);
  return new Map(
    rows.map(({ segment, directory, documents }) => [
      keyOf(state, { segment }),
      { documents: unpackDocuments(documents), directory: directory.split('\n') },
    ]),
  );
};

/** Contents that have gone since are not told of, and stay dead. */
const storedMembers = async (
  trx: Sql,
  state: IndexState,
  segments: readonly Segment[],
): Promise<ReadonlyMap<string, Members>> => {
  const { version, tenantNo } = state;
  const { rows } = await sql<{
    readonly segment: number;
    readonly id: string | null;
    readonly numbers: Buffer;
  }>`
    select s.segment, c.data_source_id::text as id, ${packedNumbers(sql`c.no - s.first_no`, sql`c.no is not null`)} as numbers
    from read.lexical_segment s join read.lexical_tenant t on t.no = s.tenant_no
      left join read.content c on c.no between s.first_no and s.last_no and c.tenant = t.tenant
    where s.tenant_no = ${tenantNo} and s.segment = any(${segments.map(({ segment }) => segment)}::bigint[])
      and ${isLive(version)}
    group by s.segment, c.data_source_id`.execute(trx);
  const found = new Map<string, Map<string, Uint32Array>>();
  for (const { segment, id, numbers } of rows) {
    const key = keyOf(state, { segment });
    const of = found.get(key) ?? new Map<string, Uint32Array>();
    found.set(key, of);
    if (id !== null) of.set(id, Uint32Array.from(unpackedNumbers(numbers)));
  }
  return found;
};

const storedBlocks = async (
  trx: Sql,
  state: IndexState,
  wanted: readonly { readonly i: number; readonly block: number }[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const { version, tenantNo, segments } = state;
  const { rows } = await sql<{ readonly segment: number; readonly block: number; readonly bytes: Buffer }>`
    select b.segment, b.block, b.bytes
    from unnest(${wanted.map(({ i }) => segments[i]?.segment ?? 0)}::bigint[],
      ${wanted.map(({ block }) => block)}::int[]) as w(segment, block)
      join read.lexical_block b on b.tenant_no = ${tenantNo} and b.segment = w.segment and b.block = w.block
    where ${isLive(version)}`.execute(trx);
  // Copies: a Buffer is a slice of all that came over the wire with it.
  return new Map(
    rows.map(({ segment, block, bytes }) => [`${keyOf(state, { segment })} ${block}`, new Uint8Array(bytes)]),
  );
};
