import { beforeAll, describe, expect, it } from 'vitest';
import { STORE } from '../support/backing.ts';
import { withKey } from '../support/client.ts';
import { openJourney } from '../support/journey.ts';
import { issued } from '../support/keys.ts';
import { holding, onDisk } from '../support/on-disk.ts';
import type { Service } from '../support/service.ts';

const journey = openJourney();
let service: Service;
beforeAll(async () => {
  service = await journey.service({ KNOWLEDGER_LOG_FORMAT: 'json' });
}, 120_000);

const refusal = (answer: { status: number; body: { error?: { type: string } } }) => [
  answer.status,
  answer.body.error?.type,
];

describe('an API key', { timeout: 180_000 }, () => {
  it('is shown once, when it is made', async () => {
    const made = await issued(service, { name: 'shown once' });
    expect(made.key).toMatch(/^kn_[A-Za-z0-9_-]{43}$/);
    const { body } = await service.api('GET', `/api-keys/${made.id}`);
    const { key: _, ...rest } = made;
    expect(body).toEqual(rest);
    const list = await service.api('GET', '/api-keys?limit=100');
    expect(JSON.stringify(list.body)).not.toContain(made.key);
    const repeated = { name: 'twice', scopes: ['audit:read'] };
    const [first, again] = [
      await service.api('POST', '/api-keys', repeated, { 'idempotency-key': 'same' }),
      await service.api('POST', '/api-keys', repeated, { 'idempotency-key': 'same' }),
    ];
    expect([again.status, again.body.id, again.body.key]).toEqual([201, first.body.id, undefined]);
  });

  it('cannot be revoked when it is the last that issues keys', async () => {
    const { body } = await service.api('GET', '/api-keys?limit=100');
    const issuers = body.api_keys.filter((key: { scopes: string[] }) => key.scopes.includes('apikeys:issue'));
    const first = issuers.at(-1).id;
    for (const { id } of issuers) if (id !== first) await service.api('DELETE', `/api-keys/${id}`);
    expect(refusal(await service.api('DELETE', `/api-keys/${first}`))).toEqual([409, 'last_issuer_key']);
    expect((await service.api('GET', '/api-keys')).status).toBe(200);
  });

  it('leaves no trace of itself: not in the log, not in events, not in what the service prints, not on disk', async () => {
    const made = await issued(service, { name: 'secret', scopes: ['audit:read'] });
    await withKey(service, made.key).api('GET', '/crawls');
    await service.api('POST', '/api-keys', { name: made.key.slice(0, 5), scopes: ['no such scope'] });
    await withKey(service, `${made.key}x`).api('GET', '/events');
    const accept = { accept: 'application/x-ndjson' };
    const { body: events } = await service.api('GET', '/events', undefined, accept);
    expect(events).toContain('ApiKeyIssued');
    const files = await onDisk(service.dataDir);
    for (const text of [events, service.output(), ...files.map((file) => file.text)]) {
      expect(text.includes(made.key) || text.includes(service.key)).toBe(false);
    }
    // What is no secret is found: on servers there is nothing on disk before anything is crawled.
    expect(holding(files, made.id).length > 0).toBe(STORE === 'embedded');
    expect([events.includes(made.id), service.output().includes('listening on')]).toEqual([true, true]);
  });
});
