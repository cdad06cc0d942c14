import type { Decider } from '../shared/decider.ts';
import type { SecretCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { SecretEvent } from './events.ts';
import { evolve, initial, type SecretState } from './state.ts';

export const secret: Decider<SecretCommand, SecretEvent, SecretState, 'secret'> = {
  category: 'secret',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export type * from './events.ts';
export { SECRET_TYPES, type SecretType } from './secret-type.ts';
export type { KeptSecret, SecretState, SecretUse } from './state.ts';
export {
  type GivenValue,
  type OauthRefreshValue,
  parseSecretValue,
  type SecretValue,
  type ServiceAccountValue,
} from './value.ts';
