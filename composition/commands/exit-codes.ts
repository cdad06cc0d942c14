import { AnswerFailed, Unreachable, WrongUse } from '../../adapters/cli/failures.ts';
import { KnowledgerError } from '../../clients/typescript/src/index.ts';
import { DomainError } from '../../domain/shared/domain-error.ts';
import { ConfigError } from '../config/environment.ts';

/** What the exit code of a command says, beside 0 where it did what was asked for. */
export const EXIT = {
  failed: 1,
  wrongUse: 2,
  notFound: 3,
  forbidden: 4,
  unavailable: 5,
  interrupted: 130,
} as const;

const BUSY: ReadonlySet<string | undefined> = new Set(['unavailable', 'rate_limited', 'provider_timeout']);

/** The exit code of a command that ends with an error. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof WrongUse || error instanceof ConfigError) return EXIT.wrongUse;
  if (error instanceof DomainError && error.code === 'invalid_request') return EXIT.wrongUse;
  if (error instanceof Unreachable) return EXIT.unavailable;
  if (error instanceof AnswerFailed) return BUSY.has(error.code) ? EXIT.unavailable : EXIT.failed;
  const { cause } = error as Error;
  return cause instanceof KnowledgerError ? exitCodeOfStatus(cause.status) : EXIT.failed;
};

const exitCodeOfStatus = (status: number): number => {
  if (status === 400 || status === 422) return EXIT.wrongUse;
  if (status === 401 || status === 403) return EXIT.forbidden;
  if (status === 404) return EXIT.notFound;
  return status === 429 || status > 501 ? EXIT.unavailable : EXIT.failed;
};
