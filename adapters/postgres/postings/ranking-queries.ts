import { type RawBuilder, sql } from 'kysely';
import { packedNumbers } from '../bulk-values.ts';
import type { Sql } from '../database-schema.ts';
import { newlyHiddenDataSources, withheldSources } from '../read-your-writes/conditions.ts';
import { type IndexState, isLive, keptPlan, OutdatedState } from './index-state.ts';

/** Conditions on `read.content` as `c`. Null: all that is indexed and alive. */
export interface Candidates {
  /** Contents that are ranked. */
  readonly allowed: RawBuilder<boolean> | null;
  /** Of the ranked, those that are shown. */
  readonly shown: RawBuilder<boolean> | null;
}

/** What a ranking begins with. */
export interface Beginning extends IndexState {
  /** Living contents of the tenant, and the lengths of all their texts and titles in terms. */
  readonly contents: number;
  readonly textLength: number;
  readonly titleLength: number;
  /** Languages other than the usual one that contents are or were indexed by. */
  readonly languages: readonly string[];
  /** Packed numbers of contents: those that are ranked, or null, and then those that are not. */
  readonly allowed: Buffer | null;
  readonly dead: Buffer;
  /** Of those that are shown, null for all that are ranked. */
  readonly shown: Buffer | null;
}

/**
 * Numbers of the contents that have one of these in a column. One after the other, as there are seldom any: where one data
 * source has most contents, the planner would read all contents to compare them with nothing. `offset 0` keeps it from that.
 */
const contentsOf = (column: RawBuilder<unknown>, these: RawBuilder<readonly unknown[]>) => sql`
  select of_one.no from unnest(${these}) as one(id)
    cross join lateral (select c.no from read.content c where c.${column} = one.id offset 0) of_one`;

/** Null where the tenant has nothing indexed. */
export const beginning = async (
  trx: Sql,
  tenant: string,
  { allowed, shown }: Candidates,
): Promise<Beginning | null> => {
  const numbers = (which: RawBuilder<boolean> | null) =>
    which === null
      ? sql<null>`null`
      : sql<Buffer>`(select ${packedNumbers(sql`c.no`)} from read.content c where ${which})`;
  const dead = sql`(select ${packedNumbers(sql`d.no`)} from (
    select no from read.lexical_dead where tenant_no = t.no
    union all ${contentsOf(sql`data_source_id`, newlyHiddenDataSources(tenant))}
    union all ${contentsOf(sql`source_no`, withheldSources(tenant))}) d)`;
  const { rows } = await sql<Beginning>`
    select (select version from projection_version where view = 'catalog' and live) as version,
      t.no as tenant_no, t.contents::float8 as contents, t.text_length::float8 as text_length,
      t.title_length::float8 as title_length, t.languages,
      (select coalesce(json_agg(batch), '[]') from read.lexical_dead_batch where tenant_no = t.no) as dead_batches,
      (select coalesce(json_agg(json_build_object(
        'segment', s.segment, 'first_no', s.first_no, 'last_no', s.last_no) order by s.first_no), '[]')
        from read.lexical_segment s where s.tenant_no = t.no) as segments,
      ${numbers(allowed)} as allowed, ${allowed === null ? dead : sql`''::bytea`} as dead,
      ${numbers(shown)} as shown
    from read.lexical_tenant t where t.tenant = ${tenant} and t.contents > 0
    ${allowed === null && shown === null ? keptPlan(trx) : sql``}`.execute(trx);
  return rows[0] ?? null;
};

export interface BestContent {
  readonly no: number;
  readonly title: string;
  readonly headings: readonly string[];
  readonly text: string;
  readonly language: string;
}

/**
 * What the feedback is read from. The array is selected, so that its length is not known to the planner: a plan for any
 * length is kept, where one for each would be made every time.
 *
 * @throws OutdatedState where one of them is gone since the state was read
 */
export const feedbackContents = async (
  trx: Sql,
  { version }: IndexState,
  numbers: readonly number[],
): Promise<readonly BestContent[]> => {
  const { rows } = await sql<BestContent>`
    select c.no, s.title, x.heading_path as headings, x.text, coalesce(s.indexed ->> 'language', '') as language
    from unnest((select ${numbers}::bigint[])) with ordinality as b(no, place)
      join read.content c on c.no = b.no join read.source s on s.no = c.source_no
      join read.content_text x on x.content_no = c.no
    where ${isLive(version)}
    order by b.place ${keptPlan(trx)}`.execute(trx);
  if (rows.length < numbers.length && !trx.isTransaction) throw new OutdatedState();
  return rows;
};
