import { describe, expect, it } from 'vitest';
import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createAuditOperations } from '../../../application/audit/operations.ts';
import { matchesFilter } from '../../../application/ports/event-checks.ts';
import type { Caller } from '../../../application/access/caller.ts';
import { BEGINNING, type JsonObject, type RecordedEvent } from '../../../application/ports/event-store.ts';

const TENANT = '00000000-0000-8000-8000-000000000001';
const context = { tenant: TENANT, actor: { kind: 'api_key', id: 'k' }, correlationId: 'c', causationId: 'c' };
const caller = {
  id: 'k',
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
  const redactTextFor = async () => (text: string) => text.replaceAll(/\S+@\S+/g, '[email]');
  return { store, audit: createAuditOperations({ feed: store, redactTextFor }) };
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

  it('shows events of any other stream as they are', async () => {
    const data = { title: 'Ask jane@example.org', key_hash: 'h' };
    const { audit } = await logOf('tag-1', ['TagRenamed', data]);
    expect(await readAll(audit)).toStrictEqual([[data], [data], [data]]);
  });

  it('is that of the tenant of the key, filtered as asked, and of no key that is restricted', async () => {
    const { audit } = await logOf('tag-1', ['TagCreated', { n: 1 }], ['TagRenamed', { n: 2 }]);
    const pageOf = async (by: Caller, filter = {}) =>
      (await audit.page(by, filter, BEGINNING, 100)).events.map(({ type }) => type);
    expect(await pageOf(caller, { types: ['TagRenamed'] })).toEqual(['TagRenamed']);
    expect(await pageOf({ ...caller, tenant: 'other' })).toEqual([]);
    const restricted = { ...caller, grant: { scopes: [], sourceGroupIds: ['g'] } };
    const refused = expect.objectContaining({
      code: 'key_restricted',
      message: expect.stringContaining('reading the event log') as string,
    });
    await expect(pageOf(restricted)).rejects.toEqual(refused);
    await expect(audit.pageBack(restricted, {}, BEGINNING, 9)).rejects.toEqual(refused);
    expect(() => audit.follow(restricted, {}, BEGINNING, new AbortController().signal)).toThrow(refused);
  });

  it('is read backwards as it is read forwards', async () => {
    const { audit } = await logOf(
      'source-1',
      ['SourceIndexed', { title: 'Ask jane@example.org' }],
      ['SourceIndexed', { title: 'Second' }],
      ['SourceIndexed', { title: 'Third' }],
    );
    const forwards = (await audit.page(caller, {}, BEGINNING, 100)).events;
    const back = await audit.pageBack(caller, {}, BEGINNING, 2);
    expect(back).toMatchObject({ events: forwards.toReversed().slice(0, 2), more: true });
    const rest = await audit.pageBack(caller, {}, back.position, 2);
    expect(rest.events.map(({ data }) => data)).toEqual([{ title: 'Ask [email]' }]);
    const others = await audit.pageBack({ ...caller, tenant: 'other' }, {}, BEGINNING, 2);
    expect(others).toEqual({ events: [], position: BEGINNING, more: false });
  });

  it('ends a page where few events match before it takes too long, and goes on from there', async () => {
    const { store } = await logOf('tag-1', ...Array.from({ length: 60 }, () => ['TagRenamed', {}] as const));
    let [event] = (await store.read(BEGINNING, {}, 1)).events;
    await store.append('tag-2', 'none', [{ ...event!, id: crypto.randomUUID(), type: 'TagCreated' }]);
    // Each read passes over one event: a store does so with ten thousand.
    const oneByOne = (read: 'read' | 'readBack') => async (from: string, filter: object) => {
      const { events, ...page } = await store[read](from, {}, 1);
      return { events: events.filter((one) => matchesFilter(filter, one)), ...page };
    };
    const feed = { ...store, read: oneByOne('read'), readBack: oneByOne('readBack') };
    const audit = createAuditOperations({ feed, redactTextFor: async () => String });
    const filter = { types: ['TagCreated'] };
    let after = BEGINNING;
    const sizes: number[] = [];
    for (let more = true; more;) {
      const page = await audit.page(caller, filter, after, 5);
      [event] = page.events;
      sizes.push(page.events.length);
      ({ position: after, more } = page);
    }
    expect(sizes).toEqual([0, 0, 0, 1]);
    expect(event).toMatchObject({ stream: 'tag-2' });
    const back = await audit.pageBack(caller, { types: ['TagDeleted'] }, BEGINNING, 5);
    expect(back).toMatchObject({ events: [], more: true });
    expect(back.position > BEGINNING && back.position < after).toBe(true);
  });

  it('goes on from its beginning and from where it was read, and from nowhere else', async () => {
    const { audit, store } = await logOf('tag-1', ['TagCreated', {}]);
    const head = await store.head();
    await expect(audit.mustHold(BEGINNING)).resolves.toBeUndefined();
    await expect(audit.mustHold(head)).resolves.toBeUndefined();
    // In an empty log no event lies at or behind anything.
    const feed = { ...createMemoryEventStore(), holds: async () => false };
    const nothing = createAuditOperations({ feed, redactTextFor: async () => String });
    await expect(nothing.mustHold(BEGINNING)).resolves.toBeUndefined();
    await expect(nothing.mustHold(head)).rejects.toMatchObject({
      code: 'invalid_cursor',
      message: 'the log ends before this position: use one from a response',
    });
  });

  it('is replayed to its end, also where that does not match', async () => {
    const { audit } = await logOf('tag-1', ['TagCreated', { n: 1 }], ['TagRenamed', { n: 2 }]);
    const replayed: string[] = [];
    const wanted = { types: ['TagCreated'] };
    for await (const { type } of audit.replay(caller, wanted, BEGINNING, new AbortController().signal))
      replayed.push(type);
    expect(replayed).toEqual(['TagCreated']);
  });

  describe('where values of events are asked for', () => {
    const titled = (title: string) => ['SourceIndexed', { title, size: { bytes: 7 } }] as const;

    it('answers the events that have all of them, as their readers see them, by every way', async () => {
      const { audit } = await logOf('source-1', titled('jane@example.org'), titled('b'), titled('[email]'));
      const where = { '/data/title': '[email]', '/data/size': { bytes: 7 }, '/stream': 'source-1' };
      const page = await audit.page(caller, { where }, BEGINNING, 10);
      const revisions = page.events.map(({ revision }) => revision);
      expect(revisions).toEqual([0n, 2n]);
      const back = await audit.pageBack(caller, { where }, BEGINNING, 10);
      expect(back.events.map(({ revision }) => revision)).toEqual([2n, 0n]);
      const { signal } = new AbortController();
      const replayed: RecordedEvent[] = [];
      for await (const event of audit.replay(caller, { where }, BEGINNING, signal)) replayed.push(event);
      expect(replayed).toEqual(page.events);
    });

    it('goes on behind the last event of a page', async () => {
      const { audit } = await logOf('source-1', titled('a'), titled('b'), titled('a'), titled('a'));
      const filter = { where: { '/data/title': 'a' } };
      const first = await audit.page(caller, filter, BEGINNING, 2);
      expect([first.events.map(({ revision }) => revision), first.more]).toEqual([[0n, 2n], true]);
      const rest = await audit.page(caller, filter, first.position, 2);
      expect([rest.events.map(({ revision }) => revision), rest.more]).toEqual([[3n], false]);
    });

    it('answers the streams whose names begin so', async () => {
      const { audit, store } = await logOf('source-1', titled('a'));
      const [event] = (await store.read(BEGINNING, {}, 1)).events;
      await store.append('source-2', 'none', [{ ...event!, id: crypto.randomUUID() }]);
      const page = await audit.page(caller, { streamPrefix: 'source-2' }, BEGINNING, 10);
      expect(page.events.map(({ stream }) => stream)).toEqual(['source-2']);
    });

    it('tells a follower how far it has looked where nothing fits', async () => {
      const { audit, store } = await logOf('source-1', titled('a'));
      const stop = new AbortController();
      const filter = { where: { '/data/title': 'z' } };
      for await (const message of audit.follow(caller, filter, BEGINNING, stop.signal)) {
        expect(message).toEqual({ kind: 'checkpoint', position: await store.head() });
        break;
      }
      stop.abort();
    });

    it('ends a page where few events fit before it takes too long', async () => {
      const { store } = await logOf('source-1', titled('a'), titled('b'));
      let reads = 0;
      const read = async (from: string, filter: object, limit: number) => {
        reads += 1;
        return { ...(await store.read(from, filter, limit)), more: true };
      };
      const audit = createAuditOperations({ feed: { ...store, read }, redactTextFor: async () => String });
      const page = await audit.page(caller, { where: { '/data/title': 'b' } }, BEGINNING, 5);
      expect(page).toMatchObject({ events: [{ revision: 1n }], more: true });
      expect(reads).toBe(20);
    });
  });
});
