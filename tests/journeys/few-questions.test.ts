import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Backing, openBacking } from '../support/backing.ts';
import { type CountedPostgres, openCountedPostgres } from '../support/counted-postgres.ts';
import { startStandIn, type StandIn } from '../support/eventstoredb/stand-in.ts';
import { type Service, startService } from '../support/service.ts';

let backing: Backing;
let dataDir: string;
let postgres: CountedPostgres;
let service: Service;
beforeAll(async () => {
  [backing, dataDir] = await Promise.all([
    openBacking('postgres'),
    mkdtemp(join(tmpdir(), 'knowledger-questions-')),
  ]);
  const url = new URL(backing.database!);
  postgres = await openCountedPostgres(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${postgres.port}`;
  // Workers look for work now and then, whoever writes.
  const env = { DATABASE_URL: url.href, KNOWLEDGER_ROLES: 'api,projector' };
  service = await startService(env, { dataDir, backing });
}, 120_000);
afterAll(async () => {
  await service.end('SIGTERM');
  await postgres.close();
  await Promise.all([backing.close(), rm(dataDir, { recursive: true, force: true })]);
});

const WRITES = 30;
const APPENDS = /INSERT INTO es\.events|es\.append/;
const READS_STREAM = /WHERE e\.stream = \$1 AND e\.revision >= \$2/;

const write = async (name: string): Promise<void> => {
  const { status, headers } = await service.api('POST', '/tags', { name });
  expect(status).toBe(201);
  const seen = { 'x-min-position': headers.get('x-position')! };
  const { body } = await service.api('GET', '/tags?limit=1', undefined, seen);
  expect(body.tags[0].name).toBe(name);
};

const createTags = async (of: Service): Promise<void> => {
  for (let n = 0; n < WRITES; n += 1) {
    expect((await of.api('POST', '/tags', { name: crypto.randomUUID() })).status).toBe(201);
  }
};

describe('a write over HTTP, with the events in Postgres', () => {
  it('takes at most eight transactions until every view holds it, and its read one more', async () => {
    for (let n = 0; n < 3; n += 1) await write(`before ${n}`);
    const before = postgres.transactions.length;
    for (let n = 0; n < WRITES; n += 1) await write(`tag ${n}`);
    const made = postgres.transactions.length - before;
    expect(made / WRITES).toBeLessThanOrEqual(8 + 1);
  });

  it('reads the stream once before each append, also where eight write at the same time', async () => {
    await createTags(service);
    const before = postgres.transactions.length;
    await Promise.all(Array.from({ length: 8 }, () => createTags(service)));
    const made = postgres.transactions.slice(before);
    const countOf = (pattern: RegExp): number =>
      made.filter((statements) => statements.some((text) => pattern.test(text))).length;
    const appends = countOf(APPENDS);
    expect(appends).toBe(8 * WRITES);
    expect(countOf(READS_STREAM) / appends).toBeLessThan(1.25);
  });
});

describe('a write over HTTP, with the events in EventStoreDB', () => {
  let alone: Service;
  let standIn: StandIn;
  beforeAll(async () => {
    // What is prepared for tests has events in Postgres already.
    const own = { env: {}, database: null, close: async () => {} };
    const [server, folder] = await Promise.all([
      startStandIn(),
      mkdtemp(join(tmpdir(), 'knowledger-questions-')),
    ]);
    standIn = server;
    const env = { EVENTSTORE_URL: standIn.connectionString };
    alone = await startService(env, { dataDir: folder, backing: own });
  }, 120_000);
  afterAll(async () => {
    await alone.end('SIGTERM');
    await Promise.all([standIn.close(), rm(alone.dataDir, { recursive: true, force: true })]);
  });

  it('reads the stream once before each append', async () => {
    await createTags(alone);
    await createTags(alone);
    const before = standIn.calls.readStream;
    await Promise.all(Array.from({ length: 8 }, () => createTags(alone)));
    expect((standIn.calls.readStream - before) / (8 * WRITES)).toBeLessThan(1.25);
  });
});
