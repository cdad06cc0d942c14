import type { RunError } from '../../../domain/agent-run/index.ts';

/** What the service itself says of runs that it ended. Other codes bring their own message. */
const MESSAGES: Readonly<Record<string, string>> = {
  worker_lost: 'the worker that executed it was lost; it is not executed again: send it again as a sibling',
  worker_stopped:
    'the service was stopped while it ran; it is not executed again: send it again as a sibling',
  queue_timeout: 'it waited for longer than 10 minutes',
  timed_out: 'it ran for longer than an hour',
  unavailable:
    'the database that keeps what is said in runs was away for too long: send it again as a sibling',
  thread_deleted: 'its thread was deleted',
  internal_error: 'something went wrong here',
};

/** For the caller: what happened, and which tools may have acted without anybody knowing how that ended. */
export const failureMessage = (
  { code, openToolCalls }: Pick<RunError, 'code' | 'openToolCalls'>,
  told: string | null,
): string => {
  const message = told ?? MESSAGES[code] ?? `it failed: ${code}`;
  const acting = openToolCalls.filter(({ readOnly }) => !readOnly).map(({ tool }) => tool);
  if (acting.length === 0) return message;
  return `${message}. These tools were called and did not answer, so that they may have acted: ${acting.join(', ')}`;
};
