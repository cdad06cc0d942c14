import type { Response } from 'express';
import { HttpProblem } from './problem.ts';

export type WithDatabase = <T>(work: () => Promise<T>, refusal: (reason: Error) => Error) => Promise<T>;

/** Every request needs the database, if only to know its key. What is being streamed goes on. */
export const answeredSoon = async (
  withDatabase: WithDatabase,
  res: Response,
  answer: () => Promise<void>,
): Promise<void> => {
  let answering: Promise<void> | undefined;
  const away = (): HttpProblem =>
    new HttpProblem('unavailable', 'the database does not answer: try again', { 'retry-after': '1' });
  try {
    await withDatabase(() => (answering = answer()), away);
  } catch (error) {
    if (!res.headersSent || answering === undefined) throw error;
    await answering;
  }
};
