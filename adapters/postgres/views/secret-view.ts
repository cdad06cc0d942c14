import { unknownCursor } from '../../../application/ports/page.ts';
import type { SecretRow, SecretView } from '../../../application/ports/secrets.ts';
import { pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf } from '../projections/projection.ts';

export const createSecretView = (db: Sql): SecretView => ({
  get: async (tenant, id) => {
    const found = await existing(db, tenant).where('id', '=', id).executeTakeFirst();
    return found === undefined ? null : rowOf<SecretRow>(found);
  },
  list: (tenant, page) =>
    readSnapshot(db, async (trx) => {
      const { after, limit } = page;
      if (after !== undefined && !(await everExisted(trx, tenant, after))) throw unknownCursor(after);
      const rows = await existing(trx, tenant)
        .$if(after !== undefined, (query) => query.where('id', '<', after!))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute();
      const total = await trx
        .selectFrom('read.secretCount')
        .select('n')
        .where('tenant', '=', tenant)
        .where('list', '=', 'secret')
        .executeTakeFirst();
      return pageOf(rows.map(rowOf<SecretRow>), page, total?.n ?? 0);
    }),
});

const existing = (db: Sql, tenant: string) =>
  db
    .selectFrom('read.secret')
    .select(['doc', 'revision'])
    .where('tenant', '=', tenant)
    .where('deleted', '=', false);

/** Includes deleted secrets: a caller that has listed one may continue from it. */
const everExisted = async (db: Sql, tenant: string, id: string): Promise<boolean> => {
  const found = await db
    .selectFrom('read.secret')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
};
