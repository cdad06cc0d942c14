import {
  type ModelEvent,
  ProviderError,
  ProviderTimeout,
} from '../../../../application/ports/language-model.ts';
import {
  DEFAULT_RETRY_POLICY,
  type RetryPolicy,
  connectionFault,
  isTransientStatus,
  retryDelay,
} from '../../../http-client/retry.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  readonly retry?: RetryPolicy;
  /** Waits between attempts; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** In [0, 1): spreads the delays between attempts. */
  readonly random?: () => number;
}

/**
 * Yields the events of the first attempt that does not fail before its answer begins; later failures are thrown.
 * Reasoning is no part of the answer, and is yielded of each attempt.
 */
export async function* retrying(
  tryOnce: () => AsyncIterable<ModelEvent>,
  { retry = DEFAULT_RETRY_POLICY, sleep: pause = systemSleep, random = Math.random }: RetryOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void, undefined> {
  for (let attempt = 1; ; attempt += 1) {
    signal.throwIfAborted();
    let begun = false;
    try {
      for await (const event of tryOnce()) {
        signal.throwIfAborted();
        begun ||= event.kind !== 'reasoning';
        yield event;
      }
      return;
    } catch (error) {
      const requestedMs = error instanceof ProviderError ? error.retryAfterMs : 0;
      const delay = begun || !isTransient(error) ? null : retryDelay(retry, attempt, requestedMs, random());
      if (delay === null) throw error;
      await pause(delay, signal);
    }
  }
}

/** An attempt that timed out is not repeated, unless it never connected. */
const isTransient = (error: unknown): boolean =>
  (error instanceof ProviderError && error.retryable) ||
  (error instanceof ProviderTimeout && error.waitingFor === 'connection');

const systemSleep = async (ms: number, signal: AbortSignal): Promise<void> => {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted(); // node:timers wraps the reason in an AbortError
    throw error;
  }
};

const MAX_DETAIL_CHARACTERS = 500;
/** A shorter part of a key reveals nothing. */
const MIN_REVEALING_CHARACTERS = 6;
/** A code such as `context_length_exceeded`. */
const CODE = /^[a-z][a-z0-9_.-]{2,60}$/i;
/** Codes for which waiting does not help, whatever the status. */
const PERMANENT = new Set(['insufficient_quota', 'billing_hard_limit_reached']);

/** An error as reported by a provider, in a body or within a stream. */
export interface ReportedError {
  /** HTTP status or the provider's own code. */
  readonly code: string | null;
  readonly message: string | null;
  /** The status, if it is separate from the code. */
  readonly status?: number;
}

/** Removes secrets from a provider's text. */
export type Censor = (text: string) => string | undefined;

/** Passes texts, shortened, unless they contain a revealing part of a secret: providers like to quote a wrong key. */
export const createCensor =
  (...secrets: readonly (string | undefined)[]): Censor =>
  (text) => {
    const short = text.slice(0, MAX_DETAIL_CHARACTERS).toWellFormed();
    return text === '' || secrets.some((secret) => tells(text, secret ?? '')) ? undefined : short;
  };

const tells = (text: string, secret: string): boolean => {
  if (secret === '') return false;
  const width = Math.min(MIN_REVEALING_CHARACTERS, secret.length);
  for (let i = 0; i + width <= secret.length; i += 1) {
    if (text.includes(secret.slice(i, i + width))) return true;
  }
  return false;
};

/** The error of a response whose status is not 200. */
export const refusalError = (
  status: number,
  reported: ReportedError | null,
  retryAfterMs: number,
  censor: Censor,
): ProviderError => {
  const code = codeOf(reported, censor);
  const retryable = isTransientStatus(status) && !PERMANENT.has(reported?.code ?? '');
  return new ProviderError(`the provider of the language model ${meaningOf(status)}${code}`, {
    status,
    retryable,
    retryAfterMs,
    ...detailOf(reported, censor),
  });
};

/** The error of a stream that fails within the answer. */
export const streamError = (reported: ReportedError, censor: Censor): ProviderError => {
  const status = reported.status ?? Number(reported.code);
  const known = Number.isInteger(status) && status >= 400 && status <= 599;
  return new ProviderError(
    `the provider of the language model failed while it answered${codeOf(reported, censor)}`,
    {
      ...(known && { status }),
      retryable: !PERMANENT.has(reported.code ?? '') && (!known || isTransientStatus(status)),
      ...detailOf(reported, censor),
    },
  );
};

/** The error of a response that is not a chat completion. A retry is unlikely to help. */
export const invalidResponseError = (what: string): ProviderError =>
  new ProviderError(`the provider of the language model sent ${what}`, { retryable: false });

/** The error of an answer that ended before it was finished. */
export const interruptedError = (): ProviderError =>
  new ProviderError('the provider of the language model broke off its answer', { retryable: true });

/** The error of a connection failure of undici or node:net, whose own messages contain addresses. */
export const connectionError = (error: unknown, connectMs: number): ProviderError | ProviderTimeout => {
  if ((error as { readonly code?: unknown } | null)?.code === 'UND_ERR_CONNECT_TIMEOUT')
    return new ProviderTimeout('connection', connectMs);
  const { word, isTransient: retryable } = connectionFault(error);
  return new ProviderError(`the connection to the provider of the language model failed: ${word}`, {
    retryable,
  });
};

const codeOf = (reported: ReportedError | null, censor: Censor): string => {
  const code = reported?.code ?? '';
  return CODE.test(code) && censor(code) !== undefined ? ` (${code})` : '';
};

const detailOf = (reported: ReportedError | null, censor: Censor): { readonly detail?: string } => {
  const detail = censor(reported?.message ?? '');
  return detail === undefined ? {} : { detail };
};

const meaningOf = (status: number): string => {
  if (status === 401 || status === 403)
    return `does not accept the service's credentials: it answers ${status}`;
  if (status === 404) return 'does not know the model or the path: it answers 404';
  if (status === 429) return 'has no capacity left for the service: it answers 429';
  return `answers ${status}`;
};
