import { sql } from 'kysely';
import { snakeKeys } from '../../../domain/shared/key-case.ts';
import type { ApiKeyOverlay } from '../../../application/ports/read-your-writes.ts';
import type { Position } from '../../../application/ports/event-store.ts';
import type { Sql } from '../database-schema.ts';

/** Each mark takes away those that the view of keys has come to know: the table holds what it is behind by. */
export const createApiKeyOverlay = (db: Sql): ApiKeyOverlay => {
  const mark = async (keyHash: string, row: object | null, revision: bigint, position: Position) => {
    const doc = row === null ? null : JSON.stringify(snakeKeys(row));
    await sql`
      with known as (
        delete from work.api_key_mark where key_hash in (
          select m.key_hash from work.api_key_mark m join projection_version v on v.position >= m.position
          where v.view = 'api_key' and v.live and v.halted_at_position is null and m.key_hash <> ${keyHash}
          for update of m skip locked))
      insert into work.api_key_mark (key_hash, doc, revision, position)
      values (${keyHash}, ${doc}::jsonb, ${String(revision)}::bigint, ${position})
      on conflict (key_hash) do update
        set doc = excluded.doc, revision = excluded.revision, position = excluded.position`.execute(db);
  };
  return {
    open: ({ revision, ...row }, position) => mark(row.keyHash, row, revision, position),
    close: (keyHash, position) => mark(keyHash, null, 0n, position),
  };
};
