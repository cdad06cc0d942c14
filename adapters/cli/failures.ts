import { KnowledgerError } from '../../clients/typescript/src/index.ts';

/** The arguments do not say what to do. */
export class WrongUse extends Error {
  override readonly name = 'WrongUse';
}

/** An answer broke off, for a reason that is an `error.type` of the API. */
export class AnswerFailed extends Error {
  override readonly name = 'AnswerFailed';
  readonly code: string | undefined;
  constructor(message: string | undefined, code: string | undefined) {
    super(message);
    this.code = code;
  }
}

/** Nothing answers at the address of the service. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
}

/** Says what to do where the service cannot be reached; its refusals are causes, other errors stay as they are. */
export const reasonOf = (error: unknown, url: string): Error => {
  const { cause } = error as { cause?: { code?: string } };
  if (error instanceof KnowledgerError)
    return new Error(`the service refused the request: ${error.message}`, { cause: error });
  // What `fetch` throws.
  if (!(error instanceof TypeError)) return error as Error;
  const why = cause?.code ?? error.message;
  return new Unreachable(
    `${url} does not answer (${why}): is the service running there? set KNOWLEDGER_URL if it runs elsewhere`,
  );
};
