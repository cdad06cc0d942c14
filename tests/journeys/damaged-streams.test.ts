import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type Backing, openBacking, openEmptyBacking } from '../support/backing.ts';
import { systemEvent } from '../support/eventstoredb/log.ts';
import { eventually } from '../support/eventually.ts';
import { readiness } from '../support/health.ts';
import { type Service, startService } from '../support/service.ts';

let backing: Backing | undefined;
let service: Service | undefined;
let dataDir = '';
afterEach(async () => {
  await service?.end('SIGTERM');
  await backing?.close();
  await rm(dataDir, { recursive: true, force: true });
});
const start = async (
  on: Promise<Backing>,
  env: { readonly [name: string]: string } = {},
): Promise<Service> => {
  [backing, dataDir] = await Promise.all([on, mkdtemp(join(tmpdir(), 'knowledger-damaged-'))]);
  service = await startService(env, { dataDir, backing });
  return service;
};
const detailsOf = async ({ base }: Service): Promise<Readonly<Record<string, string>>> =>
  ((await (await fetch(`${base}/readyz`)).json()) as { details: Record<string, string> }).details;
const tag = (of: Service, name: string) => of.api('POST', '/tags', { name });

describe('a service on an EventStoreDB that others use and change', { timeout: 180_000 }, () => {
  it('refuses by name what was cut, and tells an operator of it while everything else goes on', async () => {
    const of = await start(openBacking('eventstoredb'));
    const { log } = backing!.standIn!;
    await tag(of, 'one');
    await tag(of, 'two');
    const stream = log.records.find((record) => record.stream.startsWith('tag-'))!.stream;
    log.append('conversation-1', 'any', [{ ...systemEvent('MessageSent'), data: Buffer.from('{"n":1}') }]);
    await eventually(
      () => detailsOf(of),
      (details) => details['projection conversation'] !== undefined,
    );
    log.truncate(stream, 1n);
    log.scavenge();

    expect(await of.end('SIGTERM')).toEqual([0, null]);
    service = await of.again();
    const { status, body } = await tag(service, 'three');
    expect([status, body.error.type]).toEqual([500, 'history_damaged']);
    // What the view had read before, it keeps; a view that is made anew cannot know it.
    expect((await service.get('/tags')).tags).toHaveLength(2);
    expect((await service.command('rebuild')).code).toBe(0);
    expect((await service.get('/tags')).tags).toEqual([]);
    expect(await readiness(service)).toEqual({ status: 200, reasons: {} });
    expect(await detailsOf(service)).toEqual({
      'projection conversation': 'passes over 1: conversation-1; see npm run views',
      'projection lifetime': 'passes over 1: conversation-1; see npm run views',
      'projection tag': `passes over 1: ${stream}; see npm run views`,
    });
    const { output } = await service.command('views');
    expect(output).toContain(`passes over ${stream}: earlier events of it are missing from the event log`);
    expect(output).toContain(
      'passes over conversation-*, such as conversation-1: another program wrote to it',
    );
    await service.get('/crawls');
  });

  it('keeps its streams under the prefix of its first start, and starts under no other', async () => {
    const of = await start(openEmptyBacking('eventstoredb'), { EVENTSTORE_STREAM_PREFIX: 'kb_' });
    expect((await tag(of, 'one')).status).toBe(201);
    const streams = new Set(backing!.standIn!.log.records.map(({ stream }) => stream));
    expect([...streams].filter((name) => !name.startsWith('kb_') && !name.startsWith('$'))).toEqual([]);
    const { events } = await of.get('/events', { query: { category: ['tag'] } });
    expect(events).toMatchObject([{ type: 'TagCreated', stream: expect.stringMatching(/^tag-/) }]);
    const other = startService({ EVENTSTORE_STREAM_PREFIX: 'other_' }, { dataDir, backing: backing! });
    await expect(other).rejects.toThrow('begin with kb_, as was chosen at its first start');
  });
});
