import { projectionMigrations } from '../../../../adapters/postgres/projections/versions.ts';
import { createAnswerLeases, createUploadLeases } from '../../../../adapters/postgres/work/leases.ts';
import { workMigrations } from '../../../../adapters/postgres/work/migrations.ts';
import { freshDatabase } from '../../../support/postgres.ts';
import { answerLeasesContract } from '../../contracts/answer-leases.ts';
import { uploadLeasesContract } from '../../contracts/upload-leases.ts';
import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';

const open = async () => {
  const { db, close } = await freshDatabase([...projectionMigrations, ...workMigrations]);
  return { db, answerLeases: createAnswerLeases(db), close };
};

answerLeasesContract('Postgres', open);

it('holds that a dead process left long ago go with the next one', async () => {
  const { db, answerLeases, close } = await open();
  await answerLeases.hold(randomUUID(), -3_700_000);
  await answerLeases.hold(randomUUID(), 1_000);
  const { rows } = await sql`select from work.answer_hold`.execute(db);
  expect(rows).toHaveLength(1);
  await close();
});

uploadLeasesContract('Postgres', async () => {
  const database = await freshDatabase([...projectionMigrations, ...workMigrations]);
  return { uploads: createUploadLeases(database.db), close: database.close };
});
