import type { InputHistoryMode } from '../../../domain/agent-run/terms.ts';
import type { Concurrency } from '../../../domain/agent-thread/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { RunExecutor, RunToDo } from './run-executor.ts';

/** What a caller asks for. */
export interface RunRequest extends Pick<
  RunToDo,
  'workflowType' | 'provider' | 'executionMode' | 'runtimeArn' | 'mcpSessionId' | 'input'
> {
  /** Absent: a new thread. */
  readonly threadId?: string;
  /** A run of that thread; null: none, the run stands beside the first; absent: the newest. */
  readonly parentRunId?: string | null;
  readonly inputHistoryMode: InputHistoryMode;
  readonly principalId: string | null;
  readonly authzPolicy?: string;
  readonly title: string | null;
  readonly concurrency: Concurrency;
}

/** Who executes runs of each mode; null: nobody is set up to. */
export type RunExecutors = { readonly [Mode in RunToDo['executionMode']]: RunExecutor | null };

/**
 * Refuses at once what no run could do.
 *
 * @throws DomainError invalid_request, not_configured; what the executor says of the request
 */
export const mustBeRunnable = (executors: RunExecutors, request: RunRequest): RunExecutor => {
  const { executionMode, runtimeArn, input, threadId, parentRunId } = request;
  if (parentRunId !== undefined && threadId === undefined)
    throw invalid('parent_run_id goes with the thread_id that it belongs to');
  if (executionMode === 'LOCAL' && runtimeArn !== null)
    throw invalid('runtime_arn goes with execution_mode MANAGED_RUNTIME');
  if (executionMode === 'MANAGED_RUNTIME' && runtimeArn === null)
    throw invalid('execution_mode MANAGED_RUNTIME needs a runtime_arn');
  const last = input.messages.at(-1);
  if (last?.role !== 'user') throw invalid('the last of input.messages must be from the user');
  if (last.content.trim() === '') throw invalid('the last of input.messages must not be blank');
  mustBeClosed(request);
  const executor = executors[executionMode];
  if (executor === null)
    throw new DomainError('not_configured', `execution_mode ${executionMode} is not set up here`);
  executor.check?.(request);
  return executor;
};

/** A model refuses a tool call without its answer, and an answer without its call. */
const mustBeClosed = ({ input: { messages }, inputHistoryMode }: RunRequest): void => {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId))
        throw invalid(`a message of role tool answers no call of a tool before it: ${message.toolCallId}`);
    } else if (open.size > 0) throw invalid('a call of a tool in input.messages has no answer');
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue;
    if (inputHistoryMode === 'delta_v1')
      throw invalid('delta_v1 sends what is new alone: calls of tools are known');
    for (const { id } of message.toolCalls) open.add(id);
  }
};

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);
