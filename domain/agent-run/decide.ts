import { DomainError } from '../shared/domain-error.ts';
import type { AgentRunCommand } from './commands.ts';
import type { AgentRunEvent, RunCancelled, RunFailed } from './events.ts';
import { isOver, type RunStatus } from './run-status.ts';
import type { AgentRun, AgentRunState } from './state.ts';

/** A run that has ended before its cancellation was noticed keeps its result. A run is never started twice. */
export const decide = (command: AgentRunCommand, state: AgentRunState): readonly AgentRunEvent[] => {
  if (command.type === 'queue') {
    const { type: _, ...facts } = command;
    return state.status === 'none' ? [{ type: 'RunQueued', ...facts }] : [];
  }
  const run = existing(state);
  switch (command.type) {
    case 'claim': {
      mustBe(run, command.type, 'QUEUED');
      const { type: _, ...started } = command;
      return [{ type: 'RunStarted', ...started }];
    }
    case 'hand_over': {
      mustBe(run, command.type, 'RUNNING', 'CANCELLING');
      if (run.status === 'CANCELLING') return [];
      if (run.runtimeSessionId !== null)
        throw new DomainError('conflict', 'the run has already been handed over');
      const { type: _, ...handed } = command;
      return [{ type: 'RunHandedOver', ...handed }];
    }
    case 'emit': {
      mustBe(run, command.type, 'RUNNING', 'CANCELLING');
      const { type: _, ...emitted } = command;
      return run.status === 'CANCELLING' ? [] : [{ type: 'RunEmitted', ...emitted }];
    }
    case 'complete': {
      mustBe(run, command.type, 'RUNNING', 'CANCELLING');
      const { type: _, ...succeeded } = command;
      return [{ type: 'RunSucceeded', ...succeeded }];
    }
    case 'fail': {
      mustBe(run, command.type, 'QUEUED', 'RUNNING', 'CANCELLING');
      const { code, message, at } = command;
      if (run.status !== 'CANCELLING') return [failed(run, code, at, message)];
      return [cancelled(run, 'worker', at, { code, message })];
    }
    case 'lease_lost':
      mustBe(run, command.type, 'RUNNING', 'CANCELLING');
      if (run.status === 'RUNNING') return [failed(run, command.code, command.at)];
      return [cancelled(run, 'lost', command.at)];
    case 'queue_timeout':
      mustBe(run, command.type, 'QUEUED');
      return [failed(run, 'queue_timeout', command.at)];
    case 'cancel':
      return cancel(run, command.at);
    case 'cancel_done':
      if (run.status === 'CANCELLED') return [];
      mustBe(run, command.type, 'CANCELLING');
      return [cancelled(run, 'worker', command.at)];
    case 'cancel_timeout':
      mustBe(run, command.type, 'CANCELLING');
      return [cancelled(run, 'timeout', command.at)];
  }
};

/** One error for a run that does not exist, belongs to another tenant or principal, or is out of reach. */
export const noSuchRun = (): DomainError => new DomainError('not_found', 'there is no such run');

const existing = (state: AgentRunState): AgentRun => {
  if (state.status === 'none') throw noSuchRun();
  return state;
};

const mustBe = ({ status }: AgentRun, what: string, ...allowed: readonly RunStatus[]): void => {
  if (!allowed.includes(status)) throw new DomainError('conflict', `${what}: the run is ${status}`);
};

const cancel = (run: AgentRun, at: number): readonly AgentRunEvent[] => {
  if (isOver(run.status) || run.status === 'CANCELLING') return [];
  return run.status === 'QUEUED' ? [cancelled(run, 'caller', at)] : [{ type: 'RunCancelRequested', at }];
};

const failed = (
  { openToolCalls }: AgentRun,
  code: string,
  at: number,
  message: RunFailed['message'] = null,
): RunFailed => ({ type: 'RunFailed', code, message, openToolCalls, at });

const cancelled = (
  { openToolCalls }: AgentRun,
  by: RunCancelled['by'],
  at: number,
  { code, message }: Pick<RunCancelled, 'code' | 'message'> = { code: null, message: null },
): RunCancelled => ({ type: 'RunCancelled', by, code, message, openToolCalls, at });
