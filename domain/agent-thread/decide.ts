import { union } from '../shared/reach.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { AdmitRun, AgentThreadCommand } from './commands.ts';
import type { AgentThreadEvent, RunAdmitted } from './events.ts';
import { type AgentThreadState, type OpenThread, unsettledBut } from './state.ts';

/** Runs of a thread that may wait: what a thread knows must not grow without bounds. */
export const MOST_UNSETTLED = 100;

/** A command that is repeated with the ids that it had leads to nothing; after a deletion nothing is found any more. */
export const decide = (command: AgentThreadCommand, state: AgentThreadState): readonly AgentThreadEvent[] => {
  if (command.type === 'delete') {
    visible(state, command.principalId);
    return [{ type: 'AgentThreadDeleted', at: command.at }];
  }
  const { principalId, at, sourceGroupIds } = command;
  if (state.status === 'none' && command.starts) {
    const started = { type: 'AgentThreadStarted', principalId, at } as const;
    const place = { parentRunId: null, afterRunId: null, reach: sourceGroupIds };
    return [started, admitted(command, place)];
  }
  return admit(command, visible(state, principalId));
};

/** @throws DomainError not_found unless the thread is there and held on behalf of this principal */
export const visible = (state: AgentThreadState, principalId: string | null): OpenThread => {
  if (state.status !== 'open' || state.principalId !== principalId) throw noSuchThread();
  return state;
};

/** One answer for what is absent, deleted, or another's. */
export const noSuchThread = (): DomainError => new DomainError('not_found', 'there is no such thread');

const admit = (command: AdmitRun, thread: OpenThread): readonly AgentThreadEvent[] => {
  const { runId, concurrency } = command;
  if (thread.unsettled.includes(runId)) return [];
  if (command.starts) throw new DomainError('conflict', 'this thread was begun with another run');
  const busy = unsettledBut(thread, command);
  if (busy.length > 0 && concurrency === 'reject') {
    throw new DomainError(
      'thread_busy',
      'another run of this thread is not over: wait for it, cancel it, or send concurrency enqueue',
    );
  }
  if (busy.length >= MOST_UNSETTLED) {
    throw new DomainError('thread_busy', `${MOST_UNSETTLED} runs of this thread wait already`);
  }
  const parentRunId = command.parentRunId === undefined ? thread.newestRunId : command.parentRunId;
  const reach = union(thread.reach, command.sourceGroupIds);
  return [admitted(command, { parentRunId, afterRunId: busy.at(-1) ?? null, reach })];
};

const admitted = (
  command: AdmitRun,
  place: Pick<RunAdmitted, 'parentRunId' | 'afterRunId' | 'reach'>,
): RunAdmitted => {
  const { type: _, starts: _starts, concurrency: _concurrency, ...facts } = command;
  return { ...facts, type: 'RunAdmitted', ...place };
};
