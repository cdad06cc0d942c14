import type { Decider } from '../shared/decider.ts';
import type { AgentRunCommand } from './commands.ts';
import { decide } from './decide.ts';
import type { AgentRunEvent } from './events.ts';
import { type AgentRunState, evolve, initial } from './state.ts';

export const agentRun: Decider<AgentRunCommand, AgentRunEvent, AgentRunState, 'agentRun'> = {
  category: 'agentRun',
  initial,
  decide,
  evolve,
};
export type * from './commands.ts';
export { noSuchRun } from './decide.ts';
export type * from './events.ts';
export {
  CANCEL_LIMIT,
  isOver,
  QUEUE_LIMIT,
  RUN_LIMIT,
  RUN_STATUS_AFTER,
  RUN_STATUSES,
  type RunStatus,
} from './run-status.ts';
export type { AgentRun, AgentRunState, RunError } from './state.ts';
