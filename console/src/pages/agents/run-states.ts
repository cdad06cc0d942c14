import type { AgentRun } from 'knowledger-client';

export type RunStatus = AgentRun['status'];

/** The state of a job that has the same words and colour. */
export const stateOf = (status: RunStatus): string => {
  switch (status) {
    case 'QUEUED':
      return 'queued';
    case 'RUNNING':
      return 'started';
    case 'CANCELLING':
      return 'canceling';
    case 'SUCCEEDED':
      return 'success';
    case 'FAILED':
      return 'failure';
    case 'CANCELLED':
      return 'canceled';
  }
};

export const isOver = (status: RunStatus): boolean =>
  status === 'SUCCEEDED' || status === 'FAILED' || status === 'CANCELLED';

/** Of a request: on behalf of this principal, or of nobody. */
export const whose = (principal: string | undefined): { readonly principal_id?: string } =>
  principal === undefined ? {} : { principal_id: principal };

export const secondsOf = (time: string): number => Date.parse(time) / 1_000;

/** What the user has asked last. */
export const questionOf = ({ input }: Pick<AgentRun, 'input'>): string => {
  const messages = (input['messages'] ?? []) as readonly {
    readonly role: string;
    readonly content: string;
  }[];
  return messages.findLast(({ role }) => role === 'user')?.content ?? '';
};
