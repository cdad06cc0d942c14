import type { AnswerEvent } from './events.ts';

/** Pending: being written, or abandoned by a process that died. */
export const ANSWER_STATUSES = ['pending', 'finished', 'failed'] as const;
export type AnswerStatus = (typeof ANSWER_STATUSES)[number];

/** The status of an answer after each event; used by the aggregate and the read models. */
export const ANSWER_STATUS_AFTER: { readonly [T in AnswerEvent['type']]: AnswerStatus } = {
  AnswerBegun: 'pending',
  AnswerFinished: 'finished',
  AnswerFailed: 'failed',
};
