import type { Migration } from '../migrate.ts';

/** What no rebuild makes again: the secret of the salts, checkpoints with their cosignatures, and verifier keys. */
export const proofMigrations: readonly Migration[] = [
  {
    id: 'proof-0001',
    up: async (execute) => {
      await execute('CREATE SCHEMA proof');
      await execute(
        'CREATE TABLE proof.salt (one boolean PRIMARY KEY DEFAULT true CHECK (one), secret bytea NOT NULL)',
      );
      // Two random UUIDs have 244 random bits.
      await execute(`
        INSERT INTO proof.salt (secret)
        VALUES (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')))`);
      await execute(`
        CREATE TABLE proof.checkpoint (
          tenant text COLLATE "C" NOT NULL,
          size bigint NOT NULL,
          root bytea NOT NULL,
          note text NOT NULL,
          signed_at bigint NOT NULL,
          PRIMARY KEY (tenant, size)
        )`);
      await execute(`
        CREATE TABLE proof.cosignature (
          tenant text COLLATE "C" NOT NULL,
          size bigint NOT NULL,
          witness text NOT NULL,
          line text NOT NULL,
          PRIMARY KEY (tenant, size, witness),
          FOREIGN KEY (tenant, size) REFERENCES proof.checkpoint
        )`);
      await execute('CREATE TABLE proof.verifier_key (public_key bytea PRIMARY KEY, since bigint NOT NULL)');
    },
  },
];
