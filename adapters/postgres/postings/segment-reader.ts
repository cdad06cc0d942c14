import { sql } from 'kysely';
import type { Segment } from '../../../domain/ranking/postings.ts';
import { type SegmentDocuments, unpackDocuments } from '../../../domain/ranking/segment-documents.ts';
import { createSegmentCache } from '../../../domain/ranking/segment-cache.ts';
import { blockWith, entryIn, type TermEntry } from '../../../domain/ranking/term-blocks.ts';
import type { Sql } from '../sql.ts';
import { type IndexState, isLive, keyOf, OutdatedState } from './index-state.ts';

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
}

/** What a block takes beside its bytes, about, and a term of a directory. */
const [BLOCK_BYTES, TERM_BYTES] = [200, 60];

/** @param mostBytes of blocks; heads may take four times as much: every search needs all of its tenant */
export const createSegmentReader = (mostBytes: number): SegmentReader => {
  const blocks = createSegmentCache<Uint8Array>(mostBytes, ({ length }) => length + BLOCK_BYTES);
  const known = createSegmentCache<SegmentHead>(
    4 * mostBytes,
    ({ documents: { offsets, ids }, directory }) =>
      8 * offsets.length + ids.length + TERM_BYTES * directory.length,
  );
  const heads: SegmentReader['heads'] = async (trx, state) => {
    const found = state.segments.map((of) => known.of(keyOf(state, of)).get(HEAD));
    const lacking = state.segments.filter((_, i) => found[i] === undefined);
    if (lacking.length === 0) return found as readonly SegmentHead[];
    const read = await storedHeads(trx, state, lacking);
    if (read.size < lacking.length) throw new OutdatedState();
    for (const of of lacking) known.add(keyOf(state, of), HEAD, read.get(of.segment) as SegmentHead);
    return state.segments.map(({ segment }, i) => found[i] ?? (read.get(segment) as SegmentHead));
  };
  const entries: SegmentReader['entries'] = async (trx, state, wanted) => {
    const ofSegments = await heads(trx, state);
    const places = wanted.map((terms, i) => {
      const { directory } = ofSegments[i] as SegmentHead;
      return terms.map((term) => ({ term, block: blockWith(directory, term) }));
    });
    const loaded = state.segments.map((of) => new Map(blocks.of(keyOf(state, of))));
    const lacking = places.flatMap((of, i) =>
      [...new Set(of.map(({ block }) => block))]
        .filter((block) => block >= 0 && loaded[i]?.has(String(block)) !== true)
        .map((block) => ({ i, block })),
    );
    if (lacking.length > 0) {
      const read = await storedBlocks(trx, state, lacking);
      if (read.size < lacking.length) throw new OutdatedState();
      for (const { i, block } of lacking) {
        const of = state.segments[i] as Segment;
        const bytes = read.get(`${of.segment} ${block}`) as Uint8Array;
        loaded[i]?.set(String(block), bytes);
        blocks.add(keyOf(state, of), String(block), bytes);
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
  return { heads, entries };
};

const HEAD = '';

const storedHeads = async (
  trx: Sql,
  { version, tenantNo }: IndexState,
  segments: readonly Segment[],
): Promise<ReadonlyMap<number, SegmentHead>> => {
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
      segment,
      { documents: unpackDocuments(documents), directory: directory.split('\n') },
    ]),
  );
};

const storedBlocks = async (
  trx: Sql,
  { version, tenantNo, segments }: IndexState,
  wanted: readonly { readonly i: number; readonly block: number }[],
): Promise<ReadonlyMap<string, Uint8Array>> => {
  const { rows } = await sql<{ readonly segment: number; readonly block: number; readonly bytes: Buffer }>`
    select b.segment, b.block, b.bytes
    from unnest(${wanted.map(({ i }) => segments[i]?.segment ?? 0)}::bigint[],
      ${wanted.map(({ block }) => block)}::int[]) as w(segment, block)
      join read.lexical_block b on b.tenant_no = ${tenantNo} and b.segment = w.segment and b.block = w.block
    where ${isLive(version)}`.execute(trx);
  return new Map(rows.map(({ segment, block, bytes }) => [`${segment} ${block}`, bytes]));
};
