import { describe, expect, it } from 'vitest';
import { mustNotBeEmpty } from '../../../application/answers/empty-answer.ts';
import {
  ProviderError,
  ProviderTimeout,
  logProviderFailure,
} from '../../../application/ports/language-model.ts';
import type { Logger } from '../../../application/ports/logger.ts';

/** What is logged of an error. */
const loggedOf = (error: unknown): readonly unknown[] => {
  const lines: unknown[] = [];
  const keep = (message: string, fields?: object) => void lines.push([message, fields]);
  const log: Logger = { info: keep, warn: keep, error: keep };
  logProviderFailure(log, 'reranker', error, { jobId: 'j' });
  return lines;
};

describe('what a log tells of a provider that failed', () => {
  it.each([
    [
      new ProviderError('no such key sk-1', { status: 401, retryable: false }),
      'provider_error',
      { status: 401 },
    ],
    [new ProviderTimeout('first_token', 5), 'provider_timeout', { waitedFor: 'first_token' }],
    [new DOMException('too late', 'TimeoutError'), 'provider_timeout', {}],
  ])('is its kind, and none of its words: %#', (error, code, more) => {
    expect(loggedOf(error)).toStrictEqual([
      ['a provider failed', { provider: 'reranker', code, ...more, jobId: 'j' }],
    ]);
  });

  it.each([new TypeError('not ours'), { name: 'TimeoutError' }, undefined])(
    'is nothing of other errors: %#',
    (error) => expect(loggedOf(error)).toEqual([]),
  );
});

describe('an answer of a language model', () => {
  it.each(['', ' \n'])('that ended well and says nothing is a failure that may pass: %j', (text) => {
    expect(() => mustNotBeEmpty(text, 'stop')).toThrow(
      expect.objectContaining({
        name: 'ProviderError',
        retryable: true,
        message: 'the language model ended its answer without saying anything',
      }),
    );
  });

  it('that was cut before it began is a failure that asks for more room', () => {
    expect(() => mustNotBeEmpty('\n', 'length')).toThrow(
      expect.objectContaining({
        name: 'ProviderError',
        retryable: false,
        message: expect.stringContaining('limit of tokens') as string,
      }),
    );
    expect(() => mustNotBeEmpty('Yes', 'length')).not.toThrow();
  });

  it('may be empty where it was withheld', () => {
    expect(() => mustNotBeEmpty('', 'content_filter')).not.toThrow();
    expect(() => mustNotBeEmpty('Yes.', 'stop')).not.toThrow();
  });
});
