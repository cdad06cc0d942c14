import type { Decider } from '../shared/decider.ts';
import type { AgentThreadCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { AgentThreadEvent } from './events.ts';
import { type AgentThreadState, evolve, initial } from './state.ts';

export const agentThread: Decider<AgentThreadCommand, AgentThreadEvent, AgentThreadState, 'agentThread'> = {
  category: 'agentThread',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export { MOST_UNSETTLED, noSuchThread, visible } from './decide.ts';
export type * from './events.ts';
export type { AgentThreadState, OpenThread } from './state.ts';
