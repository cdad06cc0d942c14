import type { Decider } from '../shared/decider.ts';
import type { SourceCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { SourceEvent } from './events.ts';
import { evolve, initial, type SourceState } from './state.ts';

export const source: Decider<SourceCommand, SourceEvent, SourceState, 'source'> = {
  category: 'source',
  initial,
  decide,
  evolve,
};
export { SOURCE_TYPES } from './source-types.ts';
export type * from './commands.ts';
export type * from './events.ts';
export type { SourceState } from './state.ts';
