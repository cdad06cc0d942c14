import { isOfTag, tagRows } from '../../../../application/read-models/tag-rows.ts';
import type { Projection } from '../projection.ts';
import { createTagTables, TAG_TABLES } from './tables.ts';
import { loadTagRows } from './load-rows.ts';
import { writeTagRows } from './write-rows.ts';

const concerns = (type: string): boolean => isOfTag({ type }) || type === 'DataSourceDeletionRequested';

/**
 * Tags and their bindings to source groups, with exact counters. Deletions of data sources end bindings here, and are
 * remembered: a binding that was decided before its command saw the deletion is not shown.
 */
export const tagProjection: Projection = {
  view: 'tag',
  shape: 1,
  // Not by type: what a newer version has written would be passed over in silence.
  filter: { categories: ['tag', 'dataSource'] },
  tables: TAG_TABLES,
  create: createTagTables,
  concerns,
  apply: async (trx, schema, projected) => {
    const events = projected.filter(({ event }) => concerns(event.type));
    if (events.length === 0) return;
    const before = await loadTagRows(trx, schema, events);
    await writeTagRows(trx, schema, before, tagRows(before, events));
  },
};
