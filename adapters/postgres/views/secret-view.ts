import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { sql } from 'kysely';
import { unknownCursor } from '../../../application/ports/page.ts';
import type { SecretRow, SecretView } from '../../../application/ports/secrets.ts';
import { rowOf, type StoredRow } from '../projections/projection.ts';
import { pageOf } from '../catalog/pages.ts';

export const createSecretView = (db: Sql): SecretView => ({
  get: async (tenant, id) => {
    const { rows } = await sql<StoredRow<SecretRow>>`
      select doc, revision from read.secret
      where id = ${id} and tenant = ${tenant} and not deleted`.execute(db);
    return rows[0] === undefined ? null : rowOf<SecretRow>(rows[0]);
  },
  list: (tenant, page) =>
    readSnapshot(db, async (trx) => {
      const after = page.after === undefined ? sql`` : sql`and id < ${page.after}`;
      if (page.after !== undefined && !(await wasThere(trx, tenant, page.after)))
        throw unknownCursor(page.after);
      const { rows } = await sql<StoredRow<SecretRow>>`
      select doc, revision from read.secret where tenant = ${tenant} and not deleted ${after}
      order by id desc limit ${page.limit + 1}`.execute(trx);
      const total = await sql<{ n: number }>`
      select n from read.secret_count
      where tenant = ${tenant} and list = 'secret'`.execute(trx);
      return pageOf(
        rows.map((found) => rowOf<SecretRow>(found)),
        page,
        total.rows[0]?.n ?? 0,
      );
    }),
});

const wasThere = async (db: Sql, tenant: string, id: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from read.secret where tenant = ${tenant} and id = ${id}`.execute(db);
  return rows.length > 0;
};
