import type { AnswerEvent } from './events.ts';

/** Pending: being written, or left by a process that died. */
export const ANSWER_STATUSES = ['pending', 'finished', 'failed'] as const;
export type AnswerStatus = (typeof ANSWER_STATUSES)[number];

/** What every event makes of an answer: for the aggregate and for those who read it. */
export const ANSWER_STATUS_AFTER: { readonly [T in AnswerEvent['type']]: AnswerStatus } = {
  AnswerBegun: 'pending',
  AnswerFinished: 'finished',
  AnswerFailed: 'failed',
};
