import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { SaltOf } from '../../../domain/proof/leaf.ts';
import type { Sql } from '../database-schema.ts';

/** The salts of this installation: an HMAC-SHA256 of event and field, by a secret that the database was made with. */
export const readSalts = async (db: Sql): Promise<SaltOf> => {
  const { rows } = await sql<{ secret: Buffer }>`select secret from proof.salt`.execute(db);
  const { secret } = rows[0]!;
  return (eventId, field) => createHmac('sha256', secret).update(`${eventId} ${field}`).digest();
};
