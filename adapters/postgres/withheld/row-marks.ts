import { sql } from 'kysely';
import type { Position } from '../../../application/ports/event-store.ts';
import type { MarkedRow, MarkedView, RowMarks } from '../../../application/ports/row-marks.ts';
import type { Sql } from '../sql.ts';

/**
 * Each mark takes away those that their view has come to know: the table holds what the views are behind by.
 * Two that do so at once leave each other's rows alone, or they might deadlock.
 */
export const createRowMarks = (db: Sql): RowMarks => {
  const mark = async (
    view: MarkedView,
    { id, tenant, revision }: MarkedRow,
    doc: object | null,
    position: Position,
  ): Promise<void> => {
    await sql`
      with known as (
        delete from work.row_mark where view = ${view} and id in (
          select m.id from work.row_mark m join projection_version v on v.view = m.view
          where m.view = ${view} and m.id <> ${id}
            and v.live and v.halted_at_position is null and v.position >= m.position
          for update of m skip locked))
      insert into work.row_mark as m (view, id, tenant, doc, revision, position)
      values (${view}, ${id}, ${tenant}, ${doc && JSON.stringify(doc)}::jsonb, ${String(revision)}::bigint, ${position})
      on conflict (view, id) do update
        set doc = excluded.doc, revision = excluded.revision, position = excluded.position
        where m.revision < excluded.revision`.execute(db);
  };
  return {
    put: (view, row, position) => {
      const { revision: _, ...doc } = row;
      return mark(view, row, doc, position);
    },
    gone: (view, row, position) => mark(view, row, null, position),
  };
};
