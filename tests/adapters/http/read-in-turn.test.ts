import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { expect, it } from 'vitest';
import type { InTurn } from '../../../adapters/http/read-in-turn.ts';
import { createFairQueue } from '../../../adapters/system/fair-queue.ts';
import type { LanguageModel } from '../../../application/ports/language-model.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { completions, scripted } from '../../support/completions.ts';
import { KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();

const PATH = '/api/v1/completions';
const BODY = { messages: [{ role: 'user', content: 'Is it so?' }] };

/** Sends the headers of a question, and its body when told. */
const askSlowly = (url: string) => {
  const text = JSON.stringify(BODY);
  const headers = {
    'x-api-key': KEY,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  };
  const sent = request(url + PATH, { method: 'POST', headers });
  sent.flushHeaders();
  const answer = once(sent, 'response').then(([res]) => (res as IncomingMessage).resume());
  return { answer, finish: () => sent.end(text), cut: () => sent.destroy() };
};

const oneAtATime = () => createFairQueue({ maxConcurrent: 1, waitMs: 60_000, errorMessage: 'too many' });

it('a question that would wait too long is refused before its body is read', async () => {
  const refuse = () => Promise.reject(new DomainError('unavailable', 'there are too many questions'));
  const app = await runApp(() => ({ inTurn: refuse }));
  const { answer, cut } = askSlowly(app.url);
  const { statusCode, headers } = await answer;
  expect([statusCode, headers['retry-after']]).toEqual([503, '1']);
  cut();
  expect((await app.ask('GET', '/api/v1/crawls')).status).toBe(200);
});

it('a question that waits for its model keeps nobody waiting', async () => {
  const go = Promise.withResolvers<void>();
  const both = Promise.withResolvers<void>();
  let begun = 0;
  const model: LanguageModel = {
    ...scripted(),
    async *stream() {
      begun += 1;
      if (begun === 2) both.resolve();
      await go.promise;
      yield { kind: 'delta', text: 'Yes.' };
      yield { kind: 'finish', reason: 'stop', usage: null };
    },
  };
  const app = await runApp(() => ({ complete: completions(model).complete, inTurn: oneAtATime() }));
  const asked = [app.ask('POST', PATH, { body: BODY }), app.ask('POST', PATH, { body: BODY })];
  await both.promise;
  go.resolve();
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200]);
});

it('a question whose body comes slowly gives up its turn, and is answered in another', async () => {
  const { complete } = completions(scripted('Yes.'));
  const taken = Promise.withResolvers<void>();
  const queue = oneAtATime();
  const inTurn: InTurn = (key, work) =>
    queue(key, () => {
      taken.resolve();
      return work();
    });
  const app = await runApp(() => ({ complete, inTurn }));
  const slow = askSlowly(app.url);
  await taken.promise;
  expect((await app.ask('POST', PATH, { body: BODY })).status).toBe(200);
  slow.finish();
  expect((await slow.answer).statusCode).toBe(200);
});
