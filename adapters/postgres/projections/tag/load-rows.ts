import { sql } from 'kysely';
import type { ProjectedEvent } from '../../../../application/read-models/projected-event.ts';
import type { TagBindingRow, TagRow, TagRows } from '../../../../application/read-models/tag-rows.ts';
import type { Sql } from '../../sql.ts';

/** What the tables hold of all that the events name, and of what ends with it. */
export const loadTagRows = async (
  trx: Sql,
  schema: string,
  events: readonly ProjectedEvent[],
): Promise<TagRows> => {
  const named = namedBy(events);
  const table = (name: string) => sql.id(schema, name);
  const { rows: bindings } = await sql<TagBindingRow>`
    select id, tenant, tag_id, source_group_id, created_at, gone from ${table('tag_binding')}
    where id = any(${named.bindings}::uuid[]) or (not gone and
      (tag_id = any(${named.deletedTags}::uuid[]) or source_group_id = any(${named.goneGroups}::uuid[])))`.execute(
    trx,
  );
  const tagIds = [...named.tags, ...bindings.map(({ tagId }) => tagId)];
  const { rows: tags } = await sql<Omit<TagRow, 'revision'> & { readonly revision: number }>`
    select id, tenant, name, description, created_at, source_group_count, deleted, revision from ${table('tag')}
    where id = any(${[...new Set(tagIds)]}::uuid[])`.execute(trx);
  const { rows: gone } = await sql<{ id: string }>`
    select source_group_id as id from ${table('tag_gone_group')}
    where source_group_id = any(${[...named.boundGroups, ...named.goneGroups]}::uuid[])`.execute(trx);
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
