import type { SecretRow, SecretView } from '../../../application/ports/secrets.ts';
import type { Sql } from '../database-schema.ts';
import { createRowList } from './row-list.ts';

export const createSecretView = (db: Sql): SecretView => createRowList<SecretRow>(db, 'secret');
