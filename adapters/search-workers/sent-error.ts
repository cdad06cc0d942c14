import { DomainError, type DomainErrorCode } from '../../domain/shared/domain-error.ts';

/** An error that is sent to another thread: cloning would lose its class, its name and its code. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Error code of the system, of Postgres, or of a DomainError. */
  readonly code: string | undefined;
  readonly isDomainError: boolean;
}

export const sentError = (error: unknown): SentError => {
  const { name, message, stack, code } = (
    error instanceof Error ? error : new Error(String(error))
  ) as Error & {
    readonly code?: unknown;
  };
  return {
    name,
    message,
    stack,
    code: typeof code === 'string' ? code : undefined,
    isDomainError: error instanceof DomainError,
  };
};

/** Restores the error, with its original stack. */
export const receivedError = ({ name, message, stack, code, isDomainError }: SentError): Error => {
  const error = isDomainError ? new DomainError(code as DomainErrorCode, message) : new Error(message);
  error.name = name;
  if (stack !== undefined) error.stack = stack;
  return isDomainError || code === undefined ? error : Object.assign(error, { code });
};
