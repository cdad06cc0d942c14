import { unknownCursor } from '../../../application/ports/page.ts';
import type { WebhookRow, WebhookView } from '../../../application/ports/webhooks.ts';
import { pageOf } from '../catalog/pages.ts';
import { readSnapshot } from '../connection.ts';
import type { Sql } from '../database-schema.ts';
import { rowOf } from '../projections/projection.ts';

export const createWebhookView = (db: Sql): WebhookView => ({
  get: async (tenant, id) => {
    const found = await existing(db, tenant).where('id', '=', id).executeTakeFirst();
    return found === undefined ? null : rowOf<WebhookRow>(found);
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
        .selectFrom('read.webhookCount')
        .select('n')
        .where('tenant', '=', tenant)
        .where('list', '=', 'webhook')
        .executeTakeFirst();
      return pageOf(rows.map(rowOf<WebhookRow>), page, total?.n ?? 0);
    }),
});

const existing = (db: Sql, tenant: string) =>
  db
    .selectFrom('read.webhook')
    .select(['doc', 'revision'])
    .where('tenant', '=', tenant)
    .where('deleted', '=', false);

/** Includes deleted webhooks: a caller that has listed one may continue from it. */
const everExisted = async (db: Sql, tenant: string, id: string): Promise<boolean> => {
  const found = await db
    .selectFrom('read.webhook')
    .select('id')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
};
