import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { follow } from '../support/event-stream.ts';
import { readiness } from '../support/health.ts';
import { hangs, type ModelProvider, openModelProvider } from '../support/model-provider.ts';
import { type Service, startService } from '../support/service.ts';

const messages = [{ role: 'user', content: 'Is it so?' }];

let service: Service | undefined;
let provider: ModelProvider | undefined;
afterEach(async () => {
  await service?.dispose();
  await provider?.close();
  [service, provider] = [undefined, undefined];
});

/** What the log holds at level error, so far. */
const errorsOf = ({ output }: Service): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'));

describe('a service that gets SIGTERM', { timeout: 120_000 }, () => {
  it('says so and serves on while others learn of it; a second signal ends it at once', async () => {
    service = await startService({ KNOWLEDGER_DRAIN_MS: '600000' });
    const { child } = service;
    const logged = once(child.stderr!, 'data');
    child.kill('SIGTERM');
    await logged;
    expect(await readiness(service)).toEqual({ status: 503, reasons: { server: 'stopping' } });
    const made = await service.api('POST', '/tags', { name: 'made late' });
    expect([made.status, made.headers.get('connection')]).toEqual([201, 'close']);
    // Views go on too, so that what was written is read.
    const position = made.headers.get('x-position') ?? '';
    const listed = await service.api('GET', '/tags', undefined, { 'x-min-position': position });
    expect([listed.status, listed.body.tags.length]).toEqual([200, 1]);
    const [tag] = await follow(service, '/events?category=tag', ({ data }) => data.type === 'TagCreated');
    expect(tag?.data.data.name).toBe('made late');
    expect(await service.end('SIGTERM')).toEqual([1, null]);
    // What it has left behind is taken over, and stopped with it, without another ten minutes.
    service = await startService({ KNOWLEDGER_DRAIN_MS: '0' }, service);
  });

  it('refuses a completion that does not end in time with 503, and logs no error', async () => {
    provider = await openModelProvider();
    provider.next.push(hangs);
    service = await startService({
      KNOWLEDGER_MASTER_KEY: `${'A'.repeat(43)}=`,
      LLM_URL: provider.baseUrl,
      LLM_MODEL: 'stand-in',
    });
    const answer = service.api('POST', '/completions', { messages });
    await provider.request(1);
    const ended = service.end('SIGTERM');
    const { status, body, headers } = await answer;
    expect([status, body.error.type, headers.get('retry-after')]).toEqual([503, 'unavailable', '1']);
    expect(await ended).toEqual([0, null]);
    expect(errorsOf(service)).toEqual([]);
    service = await service.again();
    const { body: log } = await service.api('GET', '/events?category=conversation');
    expect(log.events.at(-1)).toMatchObject({ type: 'AnswerFailed', data: { code: 'unavailable' } });
  });

  it('ends event streams well, with an id from which the next process goes on without a gap', async () => {
    service = await startService();
    await service.api('POST', '/tags', { name: 'before' });
    const response = await fetch(`${service.base}/api/v1/events?category=tag`, {
      headers: { 'x-api-key': service.key, accept: 'text/event-stream' },
    });
    let [seen, ended] = ['', undefined as Promise<unknown> | undefined];
    // It ends well only with the last chunk of the body, and throws otherwise.
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      seen += chunk;
      if (seen.includes('before')) ended ??= service.end('SIGTERM');
    }
    expect(await ended).toEqual([0, null]);
    const lastId = [...seen.matchAll(/^id: (.*)$/gm)].at(-1)?.[1];
    service = await service.again();
    await service.api('POST', '/tags', { name: 'after' });
    const rest = await follow(service, '/events?category=tag', () => true, lastId);
    expect(rest.map(({ data }) => data.data.name)).toEqual(['after']);
  });
});
