import { type RawBuilder, sql } from 'kysely';
import type { ProjectedEvent } from '../../../../application/event-sourcing/projected-event.ts';
import type { TagBindingRow, TagRow, TagRows } from '../../../../application/read-models/tag-rows.ts';
import type { Sql } from '../../database-schema.ts';

/** What the tables hold of all that the events name, and of what ends with it. */
export const loadTagRows = async (
  trx: Sql,
  schema: string,
  events: readonly ProjectedEvent[],
): Promise<TagRows> => {
  const named = namedBy(events);
  const table = (name: string) => sql.id(schema, name);
  const endsBindings = named.deletedTags.length + named.goneGroups.length > 0;
  // Most batches have nothing but new tags: what can find nothing is not asked for.
  const rowsOf = async <Row>(mayFind: boolean, statement: RawBuilder<Row>): Promise<readonly Row[]> =>
    mayFind ? (await statement.execute(trx)).rows : [];
  const bindings = await rowsOf(
    named.bindings.length > 0 || endsBindings,
    sql<TagBindingRow>`
    select id, tenant, tag_id, source_group_id, created_at, gone from ${table('tag_binding')}
    where id = any(${named.bindings}::uuid[]) or (not gone and
      (tag_id = any(${named.deletedTags}::uuid[]) or source_group_id = any(${named.goneGroups}::uuid[])))`,
  );
  const tagIds = [...new Set([...named.tags, ...bindings.map(({ tagId }) => tagId)])];
  const tags = await rowsOf(
    tagIds.length > 0,
    sql<Omit<TagRow, 'revision'> & { readonly revision: number }>`
    select id, tenant, name, description, created_at, source_group_count, deleted, revision from ${table('tag')}
    where id = any(${tagIds}::uuid[])`,
  );
  const groups = [...named.boundGroups, ...named.goneGroups];
  const gone = await rowsOf(
    groups.length > 0,
    sql<{ readonly id: string }>`
    select source_group_id as id from ${table('tag_gone_group')} where source_group_id = any(${groups}::uuid[])`,
  );
  return {
    tags: new Map(tags.map((tag) => [tag.id, { ...tag, revision: BigInt(tag.revision) }])),
    bindings: new Map(bindings.map((binding) => [binding.id, binding])),
    goneGroups: new Set(gone.map(({ id }) => id)),
  };
};

const namedBy = (events: readonly ProjectedEvent[]) => {
  const tags: string[] = [];
  const deletedTags: string[] = [];
  const bindings: string[] = [];
  const boundGroups: string[] = [];
  const goneGroups: string[] = [];
  for (const { event, streamId } of events) {
    if ('tagId' in event) tags.push(event.tagId);
    if ('bindingId' in event) bindings.push(event.bindingId);
    if (event.type === 'TagDeleted') deletedTags.push(event.tagId);
    if (event.type === 'TagBound') boundGroups.push(event.sourceGroupId);
    if (event.type === 'DataSourceDeletionRequested') goneGroups.push(streamId);
  }
  return { tags, deletedTags, bindings, boundGroups, goneGroups };
};
