import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../../adapters/memory/event-store.ts';
import { createAuditOperations } from '../../../application/audit/operations.ts';
import type { Caller } from '../../../application/caller.ts';
import { BEGINNING, type JsonObject, type RecordedEvent } from '../../../application/ports/event-store.ts';

const TENANT = '00000000-0000-8000-8000-000000000001';
const context = { tenant: TENANT, actor: { kind: 'api_key', id: 'k' }, correlationId: 'c', causationId: 'c' };
const caller = {
  keyId: 'k',
  tenant: TENANT,
  grant: { scopes: [], sourceGroupIds: null },
  context,
} as Caller;

const logOf = async (stream: string, ...events: readonly (readonly [string, JsonObject])[]) => {
  const store = createMemoryEventStore();
  const made = events.map(([type, data]) => ({
    id: crypto.randomUUID(),
    type,
    data,
    metadata: { tenant: TENANT },
  }));
  await store.append(stream, 'none', made as [(typeof made)[0], ...typeof made]);
  const hidingFor = async () => (text: string) => text.replaceAll(/\S+@\S+/g, '[email]');
  return { store, audit: createAuditOperations({ feed: store, hidingFor }) };
};

/** By every way in which the log is read. */
const readAll = async (audit: ReturnType<typeof createAuditOperations>) => {
  const { signal } = new AbortController();
  const stop = new AbortController();
  const { events: page } = await audit.page(caller, {}, BEGINNING, 100);
  const replayed: RecordedEvent[] = [];
  for await (const event of audit.replay(caller, {}, BEGINNING, signal)) replayed.push(event);
  const followed: RecordedEvent[] = [];
  for await (const message of audit.follow(caller, {}, BEGINNING, stop.signal)) {
    if (message.kind === 'caughtUp') break;
    if (message.kind === 'events') followed.push(...message.events);
  }
  stop.abort();
  return [page, replayed, followed].map((events) => events.map(({ data }) => data));
};

describe('what the log answers', () => {
  it('leaves the hash of API keys out, also of events that a newer version wrote, and nothing else', async () => {
    const stream = `apiKey-${TENANT}`;
    const { store, audit } = await logOf(
      stream,
      ['ApiKeyIssued', { key_id: 'a', key_hash: 'h1', name: 'first' }],
      ['ApiKeyRotated', { key_id: 'a', key_hash: 'h2' }],
      ['ApiKeyRevoked', { key_id: 'a' }],
      ['ApiKeyIssued.v9', { key_id: 'b', key_hash: 'h3', more: { key: 'x' } }],
    );
    const shown = [
      { key_id: 'a', name: 'first' },
      { key_id: 'a' },
      { key_id: 'a' },
      { key_id: 'b', more: { key: 'x' } },
    ];
    expect(await readAll(audit)).toStrictEqual([shown, shown, shown]);
    const stored = await store.readStream(stream);
    expect(stored.map(({ data }) => data['key_hash'])).toEqual(['h1', 'h2', undefined, 'h3']);
  });

  it('hides in titles of documents what policies hide in contents, and there alone', async () => {
    const { audit } = await logOf(
      'source-1',
      ['SourceIndexed', { title: 'Ask jane@example.org', url: 'https://site.example/jane@example.org' }],
      ['SourceIndexed.v9', { title: 'Ask jane@example.org' }],
      ['SourceSkipped', { reason: 'a@b' }],
    );
    const shown = [
      { title: 'Ask [email]', url: 'https://site.example/jane@example.org' },
      { title: 'Ask [email]' },
      { reason: 'a@b' },
    ];
    expect(await readAll(audit)).toStrictEqual([shown, shown, shown]);
  });

  it('shows other events whole', async () => {
    const data = { keyHash: 'of something else', raw: { sha256: 'x' } };
    const { audit } = await logOf('source-1', ['SourceIndexed', data]);
    expect(await readAll(audit)).toStrictEqual([[data], [data], [data]]);
  });
});
