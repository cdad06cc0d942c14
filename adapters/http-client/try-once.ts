import type { Dispatcher } from 'undici';
import { SourceAway, SourceRefused } from '../../application/sources/ingestion/listed/listed-source.ts';
import { type Answer, BrokenOff } from './answer.ts';
import { Unusable } from './ask.ts';
import { follow, type ProviderRequest } from './follow.ts';
import { connectionFault } from './transient.ts';
import { type Judge, type Refusal, RequestRefused, usualVerdict } from './refusal.ts';

export type Outcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'wait'; readonly ms: number | null }
  | { readonly kind: 'fault'; readonly error: SourceAway; readonly isTransient: boolean };

interface TryOptions {
  readonly name: string;
  readonly dispatcher: Dispatcher;
  readonly silenceMs: number;
  readonly wholeMs: number;
  readonly judge?: Judge;
  readonly now: () => number;
}

/** See `ProviderClient.ask`. @throws RequestRefused, SourceRefused, the reason of `caller`, and what `read` throws */
export const tryOnce = async <T>(
  options: TryOptions,
  request: ProviderRequest,
  read: (answer: Answer) => Promise<T>,
  caller: AbortSignal,
): Promise<Outcome<T>> => {
  const over = new AbortController();
  const time = AbortSignal.timeout(options.wholeMs);
  try {
    const answer = await follow(options, request, AbortSignal.any([caller, time, over.signal])).catch(
      (error: unknown) => {
        throw error instanceof SourceRefused || error instanceof Unusable ? error : new Unanswered(error);
      },
    );
    if (isAnswer(request, answer)) return { kind: 'done', value: await read(answer) };
    return verdictOn(options, await refusalOf(answer));
  } catch (error) {
    caller.throwIfAborted();
    return faultIn(options, error, time.aborted);
  } finally {
    // Whoever has not read the body does not want it.
    over.abort(OVER);
  }
};

/** Made once: the error that would be made for each request, with the stack of its calls, costs more than its abort. */
const OVER = new Error('the answer has been read');

/** No answer came. */
class Unanswered extends Error {
  override readonly name = 'Unanswered';
  constructor(cause: unknown) {
    super('no answer came', { cause });
  }
}

const isAnswer = ({ takes }: ProviderRequest, { status }: Answer): boolean =>
  (status >= 200 && status < 300) || takes?.includes(status) === true;

const faultIn = ({ name }: TryOptions, error: unknown, timeIsUp: boolean): Outcome<never> => {
  const fault = (what: string, oneRequest: boolean, isTransient = true): Outcome<never> => ({
    kind: 'fault',
    error: new SourceAway(`${name} ${what}`, { oneRequest }),
    isTransient,
  });
  if (error instanceof Unusable) return fault(error.message, true);
  if (!(error instanceof Unanswered || error instanceof BrokenOff)) throw error;
  const { word, isTransient } = connectionFault(error.cause);
  if (timeIsUp || word === 'UND_ERR_HEADERS_TIMEOUT' || word === 'UND_ERR_BODY_TIMEOUT')
    return fault('does not answer in time', true);
  if (error instanceof BrokenOff) return fault(`broke off its answer: ${word}`, true);
  if (word === 'ADDRESS_NOT_ALLOWED') {
    const message = `${name} is at, or leads to, an address that is not public and that the operator has not allowed`;
    throw new SourceRefused('address_not_allowed', 'Address not allowed', message);
  }
  return fault(`cannot be reached: ${word}`, false, isTransient);
};

const verdictOn = ({ name, judge, now }: TryOptions, refusal: Refusal): Outcome<never> => {
  const verdict = judge?.(refusal, now()) ?? usualVerdict(name, refusal, now());
  switch (verdict.kind) {
    case 'wait':
      return verdict;
    case 'fault': {
      const error = new SourceAway(`${name} answers ${refusal.status}`, { oneRequest: true });
      return { kind: 'fault', error, isTransient: true };
    }
    case 'refused':
      throw verdict.error;
    case 'no':
      throw new RequestRefused(name, refusal);
  }
};

const MOST_REFUSAL_BYTES = 64 * 1024;

/** The first of its body, as much as comes: a refusal is one without it too. */
const refusalOf = async ({ status, header, body }: Answer): Promise<Refusal> => {
  const parts: Uint8Array[] = [];
  try {
    let bytes = 0;
    for await (const part of body) {
      parts.push(part);
      bytes += part.length;
      if (bytes >= MOST_REFUSAL_BYTES) break;
    }
  } catch {
    // What came by then has to do.
  }
  const text = Buffer.concat(parts).subarray(0, MOST_REFUSAL_BYTES).toString('utf8');
  return { status, header, text, json: jsonIn(text) };
};

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
