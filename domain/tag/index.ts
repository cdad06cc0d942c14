import type { Decider } from '../shared/decider.ts';
import type { TagCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { TagEvent } from './events.ts';
import { evolve, initial, type Tagging } from './state.ts';

export const tag: Decider<TagCommand, TagEvent, Tagging, 'tag'> = {
  category: 'tag',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export type * from './events.ts';
export { type Binding, bindingOf, type LivingTag, type Tagging } from './state.ts';
