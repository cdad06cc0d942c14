import type { Decider } from '../shared/decider.ts';
import type { ApiKeyCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { ApiKeyEvent } from './events.ts';
import { evolve, initial, type KeyRing } from './state.ts';

export const apiKey: Decider<ApiKeyCommand, ApiKeyEvent, KeyRing, 'apiKey'> = {
  category: 'apiKey',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export type * from './events.ts';
export { type Grant, type Scope, SCOPES } from './scope.ts';
export type { KeyRing, LivingKey } from './state.ts';
