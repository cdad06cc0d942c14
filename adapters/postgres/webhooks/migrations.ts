import type { Migration } from '../migrate.ts';

/** Deliveries of webhooks, and how far each webhook has read. Not read models: rebuilds do not touch them. */
export const webhookMigrations: readonly Migration[] = [
  {
    id: 'work-webhook-0001',
    up: async (execute) => {
      // Times in Unix milliseconds, by the clock of the service.
      await execute(`
        CREATE TABLE work.webhook_place (
          webhook_id uuid PRIMARY KEY,
          position text COLLATE "C" NOT NULL,
          enabled_at bigint NOT NULL,
          failing_since bigint
        )`);
      await execute(`
        CREATE TABLE work.webhook_delivery (
          webhook_id uuid NOT NULL REFERENCES work.webhook_place ON DELETE CASCADE,
          id text COLLATE "C" NOT NULL,
          position text COLLATE "C" NOT NULL,
          stream text COLLATE "C" NOT NULL,
          revision bigint NOT NULL,
          type text NOT NULL,
          lane text COLLATE "C" NOT NULL,
          state text NOT NULL,
          attempts integer NOT NULL DEFAULT 0,
          first_at bigint,
          next_at bigint,
          status integer,
          reason text NOT NULL DEFAULT '',
          created_at bigint NOT NULL,
          settled_at bigint,
          PRIMARY KEY (webhook_id, id)
        )`);
      await execute(`
        CREATE INDEX webhook_delivery_pending ON work.webhook_delivery (webhook_id, lane, position)
          WHERE state = 'pending'`);
      await execute(
        'CREATE INDEX webhook_delivery_list ON work.webhook_delivery (webhook_id, position DESC)',
      );
      await execute(
        'CREATE INDEX webhook_delivery_settled ON work.webhook_delivery (settled_at) WHERE settled_at IS NOT NULL',
      );
    },
  },
];
