import type { Dispatcher } from 'undici';
import { describe, expect, it } from 'vitest';
import { exchange } from '../../../../../adapters/models/language-model/openai-compatible/language-model.ts';

const LIMITS = {
  connectMs: 1,
  firstTokenMs: 2,
  nextTokenMs: 3,
  totalMs: 4,
  maxBytes: 1_000,
  maxEventCharacters: 100,
};

/** A dispatcher whose one answer has this body. */
const answering = (...pieces: readonly string[]): Dispatcher => {
  async function* body() {
    for (const piece of pieces) yield Buffer.from(piece);
  }
  const answer = { statusCode: 200, headers: { 'content-type': 'text/event-stream' }, body: body() };
  return { request: async () => answer } as unknown as Dispatcher;
};

describe('an exchange', () => {
  it('has its timers run while the provider is waited for, and not while the consumer works', async () => {
    const log: string[] = [];
    const timeBudget = {
      signal: new AbortController().signal,
      waitFor: (what: string, ms: number) => void log.push(`${what} in ${ms}`),
      shorten: () => undefined,
      rest: () => void log.push('rest'),
      giveUp: () => undefined,
    };
    const request = { url: new URL('http://127.0.0.1:1/'), headers: {}, body: '' };
    const dispatcher = answering('data: 1\n\ndata: 2\n\n: comment\n\n', ': comment\n\n', 'data: 3\n\n');
    for await (const data of exchange(dispatcher, request, LIMITS, timeBudget, () => undefined))
      log.push(data);
    const next = ['next_token in 3', 'rest'];
    expect(log).toEqual(['first_token in 2', 'rest', '1', ...next, '2', ...next, '3', 'next_token in 3']);
  });
});
