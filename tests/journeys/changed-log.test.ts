import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Backing, openBacking, type Store } from '../support/backing.ts';
import { startStandIn } from '../support/eventstoredb/stand-in.ts';
import { eventually } from '../support/eventually.ts';
import { readiness } from '../support/health.ts';
import { inServer } from '../support/restoring.ts';
import { type Service, startService } from '../support/service.ts';

let backing: Backing | undefined;
let service: Service | undefined;
let dataDir = '';
const closing: (() => Promise<void>)[] = [];
const start = async (store: Store): Promise<Service> => {
  [backing, dataDir] = await Promise.all([
    openBacking(store),
    mkdtemp(join(tmpdir(), 'knowledger-changed-')),
  ]);
  service = await startService({}, { dataDir, backing });
  return service;
};
afterEach(async () => {
  await service?.end('SIGTERM');
  for (const close of closing.splice(0)) await close();
  await backing?.close();
  await rm(dataDir, { recursive: true, force: true });
});

const tag = (of: Service, name: string) => of.api('POST', '/tags', { name });
const untilChanged = async (of: Service) => {
  await eventually(
    () => readiness(of),
    ({ reasons }) => 'event log' in reasons,
  );
  return tag(of, 'late');
};
const untilReady = (of: Service) =>
  eventually(
    () => readiness(of),
    ({ status }) => status === 200,
  );
const errorsOf = ({ output }: Service): string[] =>
  output()
    .split('\n')
    .filter((line) => line.includes('"message":"the event log has changed"'));

describe(
  'a service whose EventStoreDB is exchanged for another one while it runs',
  { timeout: 180_000 },
  () => {
    /** An empty server in the place of the one that was there. */
    const exchange = async () => {
      const old = backing!.standIn!;
      await old.close();
      const other = await startStandIn({ port: old.port });
      const putBack = async (): Promise<void> => {
        await other.close();
        const { close } = await startStandIn({ port: old.port, log: old.log });
        closing.push(close);
      };
      return { other, putBack };
    };
    const tagsIn = (log: { readonly records: readonly { readonly stream: string }[] }): number =>
      log.records.filter(({ stream }) => stream.startsWith('tag-')).length;

    it('takes no writes, says so once, and goes on when the right one is back', async () => {
      const of = await start('eventstoredb');
      const seen = { 'x-min-position': (await tag(of, 'early')).headers.get('x-position') ?? '' };
      expect((await of.api('GET', '/tags', undefined, seen)).status).toBe(200);
      const { other, putBack } = await exchange();
      // At once: a server that was reached anew is looked at before it is written to.
      // Where the service has just seen that nobody was there, it says so first.
      const { status, body, headers } = await eventually(
        () => tag(of, 'late'),
        (answer) => answer.body.error?.type !== 'unavailable',
      );
      expect([status, body.error.type, headers.get('retry-after')]).toEqual([503, 'event_log_changed', '1']);
      expect(tagsIn(other.log)).toBe(0);
      expect(await readiness(of)).toEqual({
        status: 503,
        reasons: { 'event log': 'it is not the log that was known' },
      });
      expect((await of.api('GET', '/events')).body.error.type).toBe('event_log_changed');
      const listed = await of.api('GET', '/tags');
      expect([listed.status, listed.body.tags.length]).toEqual([200, 1]);
      expect(errorsOf(of)).toHaveLength(1);
      expect(errorsOf(of)[0]).toContain('Log lost or exchanged');

      await putBack();
      await untilReady(of);
      const position = (await tag(of, 'later')).headers.get('x-position') ?? '';
      const after = await of.api('GET', '/tags', undefined, { 'x-min-position': position });
      expect(after.body.tags).toHaveLength(2);
      expect(of.output()).toContain('the event log is the known one again');
    });

    it('is led out by a rebuild from the new log and a start, where the old one is lost', async () => {
      const of = await start('eventstoredb');
      expect((await tag(of, 'lost')).status).toBe(201);
      const { other } = await exchange();
      closing.push(other.close);
      await untilChanged(of);
      // A start knows it too, and writes nothing: not even its first key.
      expect(await of.end('SIGTERM')).toEqual([0, null]);
      service = await of.again();
      expect((await readiness(service)).reasons).toMatchObject({ 'event log': expect.any(String) });
      expect(other.log.stream('apiKey-00000000-0000-8000-8000-000000000001')).toEqual([]);
      expect((await service.command('rebuild')).code).toBe(0);
      await service.end('SIGTERM');
      service = await service.again();
      await untilReady(service);
      expect((await service.get('/tags')).tags).toEqual([]);
      expect((await tag(service, 'new')).status).toBe(201);
    });
  },
);

describe('a service whose Postgres is restored to an older state while it runs', { timeout: 180_000 }, () => {
  it('takes no writes until it is started again on views of that state', async () => {
    const of = await start('postgres');
    await tag(of, 'kept');
    const { headers } = await tag(of, 'lost');
    await inServer(backing?.database ?? '', (client) =>
      client.query(
        'DELETE FROM es.events WHERE (tx, pos) >= ($1::bigint, $2::bigint)',
        (headers.get('x-position') ?? '').split(':'),
      ),
    );
    await untilChanged(of);
    expect(Object.keys((await readiness(of)).reasons)).toContain('event log');
    expect((await of.command('rebuild')).code).toBe(0);
    expect((await tag(of, 'late')).body.error.type).toBe('event_log_changed');
    expect(await of.end('SIGTERM')).toEqual([0, null]);
    service = await of.again();
    await untilReady(service);
    const names = (await service.get('/tags')).tags.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['kept']);
    expect((await tag(service, 'new')).status).toBe(201);
  });
});

describe('a service whose Postgres is made anew, and empty, while it runs', { timeout: 180_000 }, () => {
  const replaceByEmpty = (database: string): Promise<void> => {
    const server = new URL(database);
    const name = server.pathname.slice(1);
    server.pathname = '/postgres';
    return inServer(server.href, async (client) => {
      await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
      await client.query(`CREATE DATABASE "${name}"`);
    });
  };

  it('answers 503 with the reason, and a start makes all views again from the events', async () => {
    const of = await start('eventstoredb');
    await tag(of, 'kept');
    await replaceByEmpty(backing?.database ?? '');
    const seen: (readonly [number, string])[] = [];
    const { body } = await eventually(
      async () => {
        const answer = await of.api('GET', '/tags');
        seen.push([answer.status, answer.body.error?.type]);
        return answer;
      },
      (answer) => answer.body.error?.message.includes('tables'),
    );
    expect(body.error.message).toBe('the tables of the database are gone: ask the operator');
    expect(seen.filter(([status, type]) => status !== 503 || type !== 'unavailable')).toEqual([]);
    expect((await readiness(of)).reasons).toMatchObject({ database: 'its tables are gone' });
    expect((await tag(of, 'late')).status).toBe(503);
    expect(of.output()).toContain('its tables are gone: it was dropped, or replaced by an empty one');
    expect(of.output()).not.toContain('"message":"request failed"');

    expect(await of.end('SIGTERM')).toEqual([0, null]);
    service = await of.again();
    await untilReady(service);
    const names = (await service.get('/tags')).tags.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['kept']);
  });
});
