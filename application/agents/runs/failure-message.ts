import type { RunError } from '../../../domain/agent-run/index.ts';

/** Messages for runs that the service itself has ended. For other codes the message is stored with the run. */
const MESSAGES: Readonly<Record<string, string>> = {
  worker_lost:
    'the worker that executed the run was lost; a run is never executed again: send it again as a sibling',
  worker_stopped:
    'the service was stopped during the run; a run is never executed again: send it again as a sibling',
  queue_timeout: 'the run waited in the queue for more than 10 minutes',
  timed_out: 'the run took longer than an hour',
  unavailable:
    'the database that stores the texts of runs was unavailable for too long: send it again as a sibling',
  thread_deleted: 'its thread was deleted',
  internal_error: 'something went wrong here',
};

/** The message for the caller: the cause, and the tools that may have acted although their outcome is unknown. */
export const failureMessage = (
  { code, openToolCalls }: Pick<RunError, 'code' | 'openToolCalls'>,
  storedMessage: string | null,
): string => {
  const message = storedMessage ?? MESSAGES[code] ?? `the run failed: ${code}`;
  const acting = openToolCalls.filter(({ readOnly }) => !readOnly).map(({ tool }) => tool);
  if (acting.length === 0) return message;
  return `${message}. These tools were called and did not answer, so that they may have acted: ${acting.join(', ')}`;
};
