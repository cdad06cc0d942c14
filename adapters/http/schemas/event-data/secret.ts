import Type from 'typebox';
import { SECRET_TYPES, type SecretEvent } from '../../../../domain/secret/decider.ts';
import { type DataOf, fact, Millis, orNull, Uuid } from './facts.ts';

const name = Type.String();
const expiresAt = orNull(Millis);
const valueId = Type.String({ format: 'uuid', description: 'Names the value, which is in no event' });

export const SECRET: DataOf<SecretEvent> = {
  SecretCreated: fact('A secret is kept', {
    name,
    secret_type: Type.Enum([...SECRET_TYPES]),
    value_id: valueId,
    expires_at: expiresAt,
  }),
  SecretChanged: fact('Name and expiry from now on', { name, expires_at: expiresAt }),
  SecretValueReplaced: fact('A caller has given another value', { value_id: valueId }),
  SecretRenewed: fact('The provider has given another token', { value_id: valueId }),
  SecretAttached: fact('A data source names it', { data_source_id: Uuid }),
  SecretDetached: fact('A data source names it no more', { data_source_id: Uuid }),
  SecretDeleted: fact('Nobody can read its value any more'),
};
