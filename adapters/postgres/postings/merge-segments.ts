import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '../database-schema.ts';
import {
  FAN_IN,
  type MergeCandidate,
  type MergedSegment,
  chooseMerge,
  mergeDocuments,
  mergeTerms,
} from '../../../domain/ranking/merge-segments.ts';
import { unpackDocuments } from '../../../domain/ranking/segment-cache.ts';
import { type Block, type Counts, createBlockPacker } from '../../../domain/ranking/term-blocks.ts';
import { lessenDeadTerms, mergeDeadTerms } from './dead-terms.ts';
import { insertSegment } from './write-segment.ts';

/**
 * Merges at most `limit` (at least 8) segments of one tenant into one, takes the dead out of one, or adds up what is to
 * be subtracted for the dead. Answers how many there were: 0 when there is nothing to do, or when another process is at
 * it in this schema. Seconds at most.
 *
 * To be called in a transaction of its own, in which all of it happens or nothing. Readers see what was before or what
 * is after, with equal answers, and wait for neither. The projector only adds rows, and a merge takes away only rows
 * that it has seen: neither waits for the other.
 */
export const mergeSegments = async (trx: Sql, schema: string, limit = 2 * FAN_IN): Promise<number> => {
  const { rows } = await sql<{ mine: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${`merge ${schema}`})) as mine`.execute(trx);
  if (rows[0]?.mine !== true) return 0;
  await sql`select set_config('work_mem', '64MB', true)`.execute(trx);
  const next = await findMerge(trx, schema, limit);
  if (next === null) return mergeDeadTerms(trx, schema, limit);
  const [first] = next.segments;
  if (first !== undefined && next.segments.length === 1) await rewrite(trx, schema, next.tenantNo, first);
  else await concatenate(trx, schema, next.tenantNo, next.segments);
  return next.segments.length;
};

const findMerge = async (
  trx: Sql,
  schema: string,
  limit: number,
): Promise<{ readonly tenantNo: number; readonly segments: readonly MergeCandidate[] } | null> => {
  const { rows } = await sql<MergeCandidate & { tenantNo: number }>`
    select s.tenant_no, s.segment, s.contents, count(d.no) as dead,
      coalesce(min(d.since) < now() - interval '1 day', false) as overdue
    from ${sql.id(schema, 'lexical_segment')} s left join ${sql.id(schema, 'lexical_dead')} d
      on d.tenant_no = s.tenant_no and d.no between s.first_no and s.last_no
    group by s.tenant_no, s.segment order by s.tenant_no, s.first_no`.execute(trx);
  for (const [tenantNo, segments] of Map.groupBy(rows, (row) => row.tenantNo)) {
    const chosen = chooseMerge(segments, limit);
    if (chosen.length > 0) return { tenantNo, segments: chosen };
  }
  return null;
};

/** Without looking at the dead: who takes them out has to say what they counted. */
const concatenate = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  candidates: readonly MergeCandidate[],
): Promise<void> => {
  const table = (name: string) => sql.id(schema, name);
  const taken = await takeSegments(trx, schema, tenantNo, candidates);
  const { documents, places } = mergeDocuments(taken, () => false);
  const { blocks } = await mergeInTurns(taken, places);
  const segment = await insertSegment(trx, schema, tenantNo, {
    firstNo: taken[0]?.firstNo ?? 0,
    lastNo: taken.at(-1)?.lastNo ?? 0,
    documents,
    blocks,
  });
  await sql`
    with vocabulary as (
      delete from ${table('lexical_vocabulary')} where ${these(tenantNo, candidates)} returning words)
    insert into ${table('lexical_vocabulary')} (tenant_no, segment, words)
    select ${tenantNo}, ${segment}, coalesce(string_agg(distinct line, E'\n'), '')
    from vocabulary, string_to_table(words, E'\n') line`.execute(trx);
};

/**
 * The dead that are taken out of postings, those deleted from the list and what no longer has to be subtracted are the
 * same: those that the first statement finds. What it finds dead, all later ones find counted.
 */
const rewrite = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  candidate: MergeCandidate,
): Promise<void> => {
  const table = (name: string) => sql.id(schema, name);
  const it = these(tenantNo, [candidate]);
  const { rows: dead } = await sql<{ no: number }>`
    with old as (select first_no, last_no from ${table('lexical_segment')} where ${it})
    delete from ${table('lexical_dead')} d using old
    where d.tenant_no = ${tenantNo} and d.no between old.first_no and old.last_no returning d.no`.execute(
    trx,
  );
  const gone = new Set(dead.map(({ no }) => no));
  const taken = await takeSegments(trx, schema, tenantNo, [candidate]);
  const { documents, places } = mergeDocuments(taken, (no) => gone.has(no));
  const { blocks, dropped, vanished } = await mergeInTurns(taken, places);
  const { rows: vocabulary } = await sql<{ words: string }>`
    delete from ${table('lexical_vocabulary')} where ${it} returning words`.execute(trx);
  if (documents.offsets.length > 0) {
    const [firstNo, lastNo] = [taken[0]?.firstNo ?? 0, taken[0]?.lastNo ?? 0];
    const segment = await insertSegment(trx, schema, tenantNo, { firstNo, lastNo, documents, blocks });
    const lines = vocabulary[0]?.words.split('\n') ?? [];
    const words = lines.filter((line) => !vanished.has(line.slice(line.indexOf(' ') + 1))).join('\n');
    await sql`insert into ${table('lexical_vocabulary')} (tenant_no, segment, words)
      values (${tenantNo}, ${segment}, ${words})`.execute(trx);
  }
  await lessenDeadTerms(trx, schema, tenantNo, dropped);
};

const these = (tenantNo: number, segments: readonly MergeCandidate[]): RawBuilder<boolean> =>
  sql<boolean>`tenant_no = ${tenantNo} and segment = any(${segments.map(({ segment }) => segment)}::bigint[])`;

interface TakenSegment extends MergedSegment {
  readonly lastNo: number;
}

/** Deletes the rows of these segments and answers what they held, in the order of their contents. */
const takeSegments = async (
  trx: Sql,
  schema: string,
  tenantNo: number,
  candidates: readonly MergeCandidate[],
): Promise<readonly TakenSegment[]> => {
  const which = these(tenantNo, candidates);
  const { rows: blocks } = await sql<{ segment: number; block: number; bytes: Buffer }>`
    delete from ${sql.id(schema, 'lexical_block')} where ${which} returning segment, block, bytes`.execute(
    trx,
  );
  const { rows: heads } = await sql<{
    segment: number;
    firstNo: number;
    lastNo: number;
    documents: Buffer;
  }>`
    delete from ${sql.id(schema, 'lexical_segment')} where ${which}
    returning segment, first_no, last_no, documents`.execute(trx);
  const ofSegment = Map.groupBy(blocks, ({ segment }) => segment);
  return heads
    .toSorted((a, b) => a.firstNo - b.firstNo)
    .map(({ segment, firstNo, lastNo, documents }) => ({
      firstNo,
      lastNo,
      documents: unpackDocuments(documents),
      blocks: (ofSegment.get(segment) ?? []).toSorted((a, b) => a.block - b.block).map(({ bytes }) => bytes),
    }));
};

/** Terms between two turns of the event loop. */
const AT_ONCE = 2_000;

const mergeInTurns = async (segments: readonly MergedSegment[], places: readonly Int32Array[]) => {
  const blocks: Block[] = [];
  const packer = createBlockPacker((block) => blocks.push(block));
  /** What each term lost, and terms that nothing has any more. */
  const [dropped, vanished] = [new Map<string, Counts>(), new Set<string>()];
  let terms = 0;
  for (const { before, entry } of mergeTerms(segments, places)) {
    if (entry !== null) packer.add(entry);
    else vanished.add(before.term);
    const df = before.df - (entry?.df ?? 0);
    if (df > 0) {
      const [titleDf, cf] = [before.titleDf - (entry?.titleDf ?? 0), before.cf - (entry?.cf ?? 0)];
      dropped.set(before.term, { df, titleDf, cf });
    }
    terms += 1;
    if (terms % AT_ONCE === 0) await nextTurn();
  }
  packer.finish();
  return { blocks, dropped, vanished };
};
