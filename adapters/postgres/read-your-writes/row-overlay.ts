import { sql } from 'kysely';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { Position } from '../../../application/ports/event-store.ts';
import type { OverlaidRow, OverlaidView, RowOverlay } from '../../../application/ports/read-your-writes.ts';
import { PREPARED } from '../prepared-statements.ts';
import type { Sql } from '../database-schema.ts';

/**
 * The table holds what the views are behind by. A mark is taken away when its view knows of it: by whoever moves the view,
 * and by whoever puts the mark, for a view that was faster. Marks that are just being written are passed over, so that
 * nobody waits: their writer looks after them.
 */
export const createRowOverlay = (db: Sql): RowOverlay => {
  const prune = async (view: OverlaidView): Promise<void> => {
    await sql`
      delete from work.row_mark where view = ${view} and id in (
        select m.id from work.row_mark m join projection_version v on v.view = m.view
        where m.view = ${view} and v.live and v.halted_at_position is null and v.position >= m.position
        for update of m skip locked) ${PREPARED}`.execute(db);
  };
  const mark = async (
    view: OverlaidView,
    { id, tenant, revision }: OverlaidRow,
    doc: object | null,
    position: Position,
  ): Promise<void> => {
    await sql`
      insert into work.row_mark as m (view, id, tenant, doc, revision, position)
      values (${view}, ${id}, ${tenant}, ${doc && JSON.stringify(snakeKeys(doc))}::jsonb, ${String(revision)}::bigint, ${position})
      on conflict (view, id) do update
        set doc = excluded.doc, revision = excluded.revision, position = excluded.position
        where m.revision < excluded.revision`.execute(db);
    await prune(view);
  };
  return {
    put: (view, row, position) => {
      const { revision: _, ...doc } = row;
      return mark(view, row, doc, position);
    },
    remove: (view, row, position) => mark(view, row, null, position),
    prune,
  };
};
