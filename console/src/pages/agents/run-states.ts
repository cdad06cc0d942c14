import type { AgentRun } from 'knowledger-client';

export const isOver = (status: AgentRun['status']): boolean =>
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
