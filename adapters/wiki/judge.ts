import type { Judge } from '../provider/refusal.ts';

/**
 * What the API means by its answers (its documentation of status codes): 409 is a collision of data that another try may
 * not meet. 429 and 529 ask to wait, and say how long in Retry-After, which the client obeys.
 */
export const judgeWiki: Judge = ({ status, header }) => {
  if (status === 409) return { kind: 'fault' };
  return status === 529 && header('retry-after') === null ? { kind: 'wait', ms: null } : undefined;
};
