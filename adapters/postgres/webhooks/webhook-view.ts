import type { WebhookRow, WebhookView } from '../../../application/ports/webhooks.ts';
import type { Sql } from '../database-schema.ts';
import { createRowList } from '../views/row-list.ts';

export const createWebhookView = (db: Sql): WebhookView => createRowList<WebhookRow>(db, 'webhook');
