import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { LanguageModel } from '../../../application/ports/language-model.ts';
import type { LogFields } from '../../../application/ports/logger.ts';
import { completions, scripted } from '../../support/completions.ts';
import { KEY } from './fake-records.ts';
import { runApp, stopServersAfterAll } from './running-app.ts';

stopServersAfterAll();
const PATH = '/api/v1/completions';
const EVENTS = 'text/event-stream';
const messages = [{ role: 'user', content: 'Is it so?' }];
const EXTRACTION = { query: 'anything', schema: { type: 'object' } };
const FORMS = [
  ['as a whole', { messages }, 'application/json'],
  ['as plain text', { messages, stream: true }, 'text/plain'],
  ['as events', { messages, stream: true }, EVENTS],
] as const;

/** Says this and then nothing, until it is given up; its error then says nothing of why. */
const standsStill = (said: string): LanguageModel & { readonly standing: Promise<void> } => {
  const standing = Promise.withResolvers<void>();
  return {
    ...scripted(),
    standing: standing.promise,
    async *stream(_asked, signal) {
      if (said !== '') yield { kind: 'delta', text: said };
      standing.resolve();
      if (!signal.aborted) await once(signal, 'abort');
      throw new Error('This operation was aborted');
    },
  };
};

const waiting = async (said: string) => {
  const model = standsStill(said);
  const { complete, recorded } = completions(model);
  const logged: { level: string; message: string; fields: LogFields | undefined }[] = [];
  const told = Promise.withResolvers<void>();
  const at = (level: string) => (message: string, fields?: LogFields) => {
    logged.push({ level, message, fields });
    told.resolve();
  };
  const log = { info: at('info'), warn: at('warn'), error: at('error') };
  const extracting = Promise.withResolvers<void>();
  const app = await runApp(() => ({
    complete,
    log,
    extract: async (_caller, _request, signal) => {
      extracting.resolve();
      await once(signal, 'abort');
      throw new Error('This operation was aborted');
    },
  }));
  const { promise: extractionStands } = extracting;
  return { app, recorded, logged, told: told.promise, standing: model.standing, extractionStands };
};

describe('a completion whose service stops', () => {
  it('ends where there is time for it', async () => {
    const go = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const model: LanguageModel = {
      ...scripted(),
      async *stream(_asked, signal) {
        begun.resolve();
        await go.promise;
        signal.throwIfAborted();
        yield { kind: 'delta', text: 'Yes.' };
        yield { kind: 'finish', reason: 'stop', usage: null };
      },
    };
    const app = await runApp(() => ({ complete: completions(model).complete }));
    const asked = app.ask('POST', PATH, { body: { messages } });
    await begun.promise;
    const stopped = app.stop(60_000);
    go.resolve();
    const { status, json } = await asked;
    expect([status, json().choices[0].message.content]).toEqual([200, 'Yes.']);
    expect(await stopped).toBe('clean');
  });

  it.each(FORMS.slice(0, 2))('is refused with 503 before its first word (%s)', async (_, body, accept) => {
    const { app, recorded, logged, standing } = await waiting('');
    const asked = app.ask('POST', PATH, { body, headers: { accept } });
    await standing;
    app.steps.refuse();
    const answer = await asked;
    expect([answer.status, answer.json().error]).toEqual([
      503,
      { type: 'unavailable', message: 'the service is stopping: try again' },
    ]);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect([recorded, logged]).toEqual([[['failed', 'unavailable']], []]);
  });

  it('tells it as its last event, and the stream ends well', async () => {
    const { app, recorded, logged, standing } = await waiting('It');
    const asked = app.ask('POST', PATH, { body: FORMS[2][1], headers: { accept: EVENTS } });
    await standing;
    app.steps.refuse();
    const frames = (await asked).body.trimEnd().split('\n\n');
    expect(JSON.parse(frames.at(-1)!.slice('data: '.length))).toEqual({
      type: 'RUN_ERROR',
      message: 'the service is stopping: try again',
      code: 'unavailable',
      metadata: { retry_after: 1 },
    });
    expect([recorded, logged]).toEqual([[['failed', 'unavailable']], []]);
  });

  it('cuts plain text that has begun', async () => {
    const { app, recorded, logged, standing } = await waiting('It');
    const asked = app.ask('POST', PATH, { body: FORMS[1][1] });
    await standing;
    app.steps.refuse();
    await expect(asked).rejects.toThrow('terminated');
    expect([recorded, logged]).toEqual([[['failed', 'unavailable']], []]);
  });
});

describe('an extraction whose service stops', () => {
  it('is refused with 503', async () => {
    const { app, logged, extractionStands } = await waiting('');
    const asked = app.ask('POST', '/api/v1/extract', { body: EXTRACTION });
    await extractionStands;
    app.steps.refuse();
    const answer = await asked;
    expect([answer.status, answer.json().error.type, logged]).toEqual([503, 'unavailable', []]);
  });
});

describe('a client that goes away', () => {
  const leave = async (
    url: string,
    path: string,
    body: object,
    accept: string,
    standing: Promise<unknown>,
  ) => {
    const gone = new AbortController();
    const asked = fetch(url + path, {
      method: 'POST',
      signal: gone.signal,
      headers: { 'x-api-key': KEY, 'content-type': 'application/json', accept },
      body: JSON.stringify(body),
    }).then((response) => response.text());
    await standing;
    gone.abort();
    await expect(asked).rejects.toThrow('aborted');
  };

  it.each(FORMS)(
    'during a completion (%s) is worth a line at info, without a stack',
    async (form, body, accept) => {
      const { app, recorded, logged, told, standing } = await waiting(form === 'as a whole' ? '' : 'It');
      await leave(app.url, PATH, body, accept, standing);
      await told;
      expect(logged).toMatchObject([{ level: 'info', message: 'the client has gone' }]);
      expect(JSON.stringify(logged)).not.toMatch(/ at |stack/);
      expect(recorded).toEqual([['failed', 'client_gone']]);
    },
  );

  it('during an extraction is worth the same', async () => {
    const { app, logged, told, extractionStands } = await waiting('');
    await leave(app.url, '/api/v1/extract', EXTRACTION, 'application/json', extractionStands);
    await told;
    expect(logged).toMatchObject([{ level: 'info', message: 'the client has gone' }]);
  });
});
