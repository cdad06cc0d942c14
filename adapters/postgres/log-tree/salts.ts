import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { SaltOf } from '../../../domain/proof/leaf.ts';
import type { Sql } from '../database-schema.ts';

/** Of SHA-256. */
const BLOCK_BYTES = 64;
const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer');

/** The salts of this installation: an HMAC-SHA256 of event and field, by a secret that the database was made with. */
export const readSalts = async (db: Sql): Promise<SaltOf> => {
  const { rows } = await sql<{ secret: Buffer }>`select secret from proof.salt`.execute(db);
  const { secret } = rows[0]!;
  const [inner, outer] = [0x36, 0x5c].map((pad) => Buffer.alloc(BLOCK_BYTES, pad));
  for (const [at, byte] of secret.entries()) {
    inner![at]! ^= byte;
    outer![at]! ^= byte;
  }
  // HMAC as RFC 2104 defines it: objects of node:crypto cost several times as much as these two hashes.
  return (eventId, field) =>
    sha256(Buffer.concat([outer!, sha256(Buffer.concat([inner!, Buffer.from(`${eventId} ${field}`)]))]));
};
