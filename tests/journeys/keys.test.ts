import { beforeAll, describe, expect, it } from 'vitest';
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

describe('an API key', { timeout: 180_000 }, () => {
  it('leaves no trace of itself: not in the log, not in events, not in what the service prints, not on disk', async () => {
    const made = await issued(service, { name: 'secret', scopes: ['audit:read'] });
    await expect(withKey(service, made.key).get('/crawls')).rejects.toMatchObject({ status: 403 });
    await service.api('POST', '/api-keys', { name: made.key.slice(0, 5), scopes: ['no such scope'] });
    await expect(withKey(service, `${made.key}x`).get('/events')).rejects.toMatchObject({ status: 401 });
    const accept = { accept: 'application/x-ndjson' };
    const { body: events } = await service.api('GET', '/events', undefined, accept);
    expect(events).toContain('ApiKeyIssued');
    const files = await onDisk(service.dataDir);
    for (const text of [events, service.output(), ...files.map((file) => file.text)]) {
      expect(text.includes(made.key) || text.includes(service.key)).toBe(false);
    }
    // What is no secret is found.
    expect(holding(files, made.id)).not.toEqual([]);
    expect([events.includes(made.id), service.output().includes('listening on')]).toEqual([true, true]);
  });
});
