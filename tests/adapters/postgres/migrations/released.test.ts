import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventStoreMigrations } from '../../../../adapters/postgres/events/migrations.ts';
import { checksumsOf } from '../../../../adapters/postgres/migrate.ts';
import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { vaultMigrations } from '../../../../adapters/postgres/vault/vault.ts';
import { vectorMigrations } from '../../../../adapters/postgres/vectors/migrations.ts';
import { snapshotMigrations, workMigrations } from '../../../../adapters/postgres/work/migrations.ts';

const MIGRATIONS = [
  ...eventStoreMigrations,
  ...projectionMigrations,
  ...vaultMigrations,
  ...workMigrations,
  ...snapshotMigrations,
  ...vectorMigrations,
];

describe('a data directory of an earlier release', () => {
  // A start refuses a database in which a step was applied that reads otherwise now.
  it.each(globSync('released-*.json', { cwd: import.meta.dirname }))(
    'opens: every step of %s is as it was applied',
    async (file) => {
      const released = readFileSync(join(import.meta.dirname, file), 'utf8');
      expect(Object.fromEntries(await checksumsOf(MIGRATIONS))).toMatchObject(JSON.parse(released) as object);
    },
  );
});
