import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ KNOWLEDGER_LOG_LEVEL: 'warn' });
}, 120_000);
afterAll(() => service.dispose());

const started = (...args: readonly string[]) =>
  service.started(...args, '--url', service.base, '--key', service.key);
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
});
