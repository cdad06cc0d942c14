import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ KNOWLEDGER_LOG_LEVEL: 'warn' });
}, 120_000);
afterAll(() => service.dispose());

const started = (command: string, ...args: readonly string[]) =>
  service.started(command, '--url', service.base, '--key', service.key, ...args);
const issueKey = () => service.post('/api-keys', { body: { name: 'k', scopes: ['knowledge:read'] } });

describe('the command', { timeout: 120_000 }, () => {
  it('ends well when nobody reads any more what it prints', async () => {
    await issueKey();
    const tail = started('tail', '--after', '');
    await once(tail.stdout!, 'data');
    tail.stdout!.destroy();
    for (let keys = 0; tail.exitCode === null && keys < 50; keys += 1) await issueKey();
    expect(tail.exitCode).toBe(0);
    tail.kill();
  });

  it('follows the log from its start, and the events alone that a filter lets through', async () => {
    await issueKey();
    const of = [
      '--stream-prefix',
      'apiKey',
      '--where',
      '{"/data/name":"k"}',
      '--from',
      '2020-01-01T00:00:00Z',
    ];
    const tail = started('tail', '--from-start', ...of);
    const [line] = (await once(tail.stdout!, 'data')) as [Buffer];
    expect(JSON.parse(line.toString().split('\n')[0]!)).toMatchObject({
      type: 'ApiKeyIssued',
      data: { name: 'k' },
    });
    tail.kill('SIGINT');
    expect(await once(tail, 'exit')).toEqual([130, null]);
  });

  it.each([
    [2, ['ingest']],
    [2, ['ingest', 'nowhere']],
    [4, ['ingest', '.', '--key', 'kn_wrong']],
    [5, ['ingest', '.', '--url', 'http://127.0.0.1:59998']],
    [2, ['sources', 'show', 'nope']],
    [3, ['sources', 'show', '01999999-9999-7999-8999-999999999999']],
    [4, ['sources', '--key', 'kn_wrong']],
    [2, ['tail', '--types', 'Nope']],
    [2, ['tail', '--from', 'yesterday']],
    [2, ['crawl', 'notaurl']],
  ] as const)('ends with %i after %j', async (code, [command, ...args]) => {
    const ended = started(command, ...args);
    expect(await once(ended, 'exit')).toEqual([code, null]);
  });

  it.each([
    ['completion', 'tcsh'],
    ['login', 'x'],
    ['events'],
    ['events', 'export', '--where', 'xx', 'file.ndjson'],
    ['tenant'],
    ['stream', 'show'],
  ])('ends with 2 after the wrong call %s %s', async (...args) => {
    expect((await service.command(...args)).code).toBe(2);
  });
});
