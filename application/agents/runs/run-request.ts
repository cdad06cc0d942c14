import type { InputHistoryMode } from '../../../domain/agent-run/terms.ts';
import type { Concurrency } from '../../../domain/agent-thread/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { RunExecutor, RunToDo } from './run-executor.ts';

/** The request to create a run. */
export interface RunRequest extends Pick<
  RunToDo,
  'workflowType' | 'provider' | 'executionMode' | 'runtimeArn' | 'mcpSessionId' | 'input'
> {
  /** Absent for a new thread. */
  readonly threadId?: string;
  /** A run of that thread; null for a sibling of the first run; absent for the newest run. */
  readonly parentRunId?: string | null;
  readonly inputHistoryMode: InputHistoryMode;
  readonly principalId: string | null;
  readonly authzPolicy?: string;
  readonly title: string | null;
  readonly concurrency: Concurrency;
}

/** The executor of each mode; null when the mode is not configured. */
export type RunExecutors = { readonly [Mode in RunToDo['executionMode']]: RunExecutor | null };

/**
 * Rejects requests that no run could execute.
 *
 * @throws DomainError invalid_request, not_configured; errors of the executor's `check`
 */
export const mustBeRunnable = (executors: RunExecutors, request: RunRequest): RunExecutor => {
  const { executionMode, runtimeArn, input, threadId, parentRunId } = request;
  if (parentRunId !== undefined && threadId === undefined)
    throw invalid('parent_run_id requires the thread_id that it belongs to');
  if (executionMode === 'LOCAL' && runtimeArn !== null)
    throw invalid('runtime_arn requires execution_mode MANAGED_RUNTIME');
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

/** Models reject a tool call without a result, and a result without its call. */
const mustBeClosed = ({ input: { messages }, inputHistoryMode }: RunRequest): void => {
  const open = new Set<string>();
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.toolCallId))
        throw invalid(`a message with the role tool answers no earlier tool call: ${message.toolCallId}`);
    } else if (open.size > 0) throw invalid('a tool call in input.messages has no answer');
    if (message.role !== 'assistant' || message.toolCalls === undefined) continue;
    if (inputHistoryMode === 'delta_v1')
      throw invalid('delta_v1 sends only new messages: tool calls are already known');
    for (const { id } of message.toolCalls) open.add(id);
  }
};

const invalid = (message: string): DomainError => new DomainError('invalid_request', message);
