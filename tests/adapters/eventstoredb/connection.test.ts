import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readConnectionString } from '../../../adapters/eventstoredb/connection-string.ts';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import type { Deadlines } from '../../../adapters/eventstoredb/deadlines.ts';
import { BEGINNING, EventStoreUnavailable } from '../../../application/ports/event-store.ts';
import { AUTHORITY, CERTIFICATE, KEY } from '../../support/eventstoredb/certificate.ts';
import { notLeader } from '../../support/eventstoredb/faults.ts';
import { createLog, systemEvent } from '../../support/eventstoredb/log.ts';
import { type StandIn, type StandInOptions, startStandIn } from '../../support/eventstoredb/stand-in.ts';
import { eventsOf, followUntil } from '../contracts/event-feed.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { failureOf, IMPATIENT, soon } from './open-store.ts';

const PASSWORD = 'pass:w@rd/?';
const user = { name: 'reader', password: PASSWORD };

describe('the connection to EventStoreDB', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  const start = async (options?: StandInOptions): Promise<StandIn> => {
    const standIn = await startStandIn(options);
    closing.push(standIn.close);
    return standIn;
  };
  const use = (connectionString: string, deadlines: Partial<Deadlines> = {}) => {
    const db = createEventStoreDb({
      connectionString,
      deadlines: { ...IMPATIENT, callMs: 3_000, ...deadlines },
    });
    closing.push(db.close);
    const probe = () =>
      db.probe('eventLog-identity').then(
        () => null,
        (error: Error) => error.message,
      );
    return { ...db, probe };
  };
  /** Nothing is listening there: it was given up a moment ago. */
  const deadPort = async (): Promise<number> => {
    const standIn = await startStandIn();
    await standIn.close();
    return standIn.port;
  };

  describe('with TLS', () => {
    const authority = join(tmpdir(), `authority-${randomUUID()}.pem`);
    beforeAll(() => writeFile(authority, AUTHORITY));
    afterAll(() => rm(authority));
    const secure = () => start({ tls: { key: KEY, certificate: CERTIFICATE, user } });

    it('writes and reads as the user of the connection string', async () => {
      const { connectionString } = await secure();
      const { store, feed, probe } = use(`${connectionString}&tlsCAFile=${encodeURIComponent(authority)}`);
      expect(await store.append(newStream(), 'none', [newEvent('A')])).toMatchObject({ revision: 0n });
      expect((await feed.read(BEGINNING, {}, 10)).events).toMatchObject([{ type: 'A' }]);
      expect(await probe()).toBeNull();
    });

    it.each([
      ['another password', 'reader:guess@', 'refuses the user of the connection string'],
      ['no user at all', '', 'asks for a user, and none was sent'],
    ])('is unavailable with %s, says so, and repeats no password', async (_, who, reason) => {
      const { port, log } = await secure();
      const { store, probe } = use(
        `esdb://${who}localhost:${port}?tlsCAFile=${encodeURIComponent(authority)}`,
      );
      const refused = await failureOf(store.append(newStream(), 'none', [newEvent()]));
      expect(refused).toBeInstanceOf(EventStoreUnavailable);
      expect(String(refused)).toContain(reason);
      expect(await failureOf(store.readStream(newStream()))).toBeInstanceOf(EventStoreUnavailable);
      expect(await probe()).toContain(reason);
      expect(String(refused)).not.toContain('guess');
      expect(log.records).toHaveLength(1);
    });

    it('says what a connection string lacks that does not fit the node', async () => {
      const [{ port }, plain] = [await secure(), await start()];
      for (const [node, advice] of [
        [`localhost:${port}?tls=false`, 'a node with TLS answers so to tls=false'],
        [`localhost:${plain.port}`, 'it needs tls=false'],
        [`localhost:${port}`, 'tlsCAFile has to name the authority'],
      ]) {
        expect(await use(`esdb://${node}`).probe()).toContain(advice);
      }
    });

    it('tells a user that is refused from a node that does not answer', async () => {
      const { port } = await secure();
      const { feed } = use(
        `esdb://reader:guess@localhost:${port}?tlsCAFile=${encodeURIComponent(authority)}`,
      );
      expect(await failureOf(feed.head())).toMatchObject({ reason: 'refused' });
      expect(await failureOf(use(`esdb://localhost:${await deadPort()}`).feed.head())).toMatchObject({
        reason: 'unavailable',
      });
    });

    it('is unavailable where the certificate is signed by nobody it knows', async () => {
      const { connectionString, log } = await secure();
      const { store, probe } = use(connectionString);
      const refused = await failureOf(store.append(newStream(), 'none', [newEvent()]));
      expect(refused).toBeInstanceOf(EventStoreUnavailable);
      expect(await probe()).not.toBeNull();
      expect(log.records).toHaveLength(1);
    });
  });

  describe('to a cluster', () => {
    it('goes to the leader when a follower answers', async () => {
      const log = createLog();
      const leader = await start({ log });
      const role = { kind: 'follower', leader: { host: '127.0.0.1', port: leader.port } } as const;
      const follower = await start({ log, role });
      const stream = newStream();
      const { store, probe } = use(follower.connectionString);
      expect(await store.append(stream, 'none', [newEvent()])).toMatchObject({ revision: 0n });
      expect(await store.readStream(stream)).toHaveLength(1);
      expect(await probe()).toBeNull();
      expect(leader.calls.append).toBe(1);
    });

    it('follows the leadership to another node', async () => {
      const log = createLog();
      const [first, second] = [await start({ log }), await start({ log })];
      const stream = newStream();
      const { store } = use(first.connectionString);
      await store.append(stream, 'none', [newEvent()]);
      first.become({ kind: 'follower', leader: { host: '127.0.0.1', port: second.port } });
      expect(await store.append(stream, 0n, [newEvent()])).toMatchObject({ revision: 1n });
      expect(second.calls.append).toBe(1);
    });

    it('skips nothing that a new leader does not show yet', async () => {
      const [old, next] = [await start(), await start()];
      const sent = { ...systemEvent('A'), id: randomUUID() };
      for (const { log } of [old, next]) log.append('some-1', 'noStream', [sent]);
      old.log.append('some-2', 'noStream', [sent]);
      // The end of the log is asked of the old leader, then the election comes.
      old.faults.reads.push({ kind: 'fine' }, { kind: 'refuse', with: notLeader('127.0.0.1', next.port) });
      const { feed } = use(old.connectionString);
      let elected = false;
      const messages = await followUntil(feed, BEGINNING, { categories: ['some'] }, (seen) => {
        if (!elected && seen.at(-1)?.kind === 'caughtUp') {
          elected = true;
          next.log.append('some-2', 'noStream', [sent]);
        }
        return eventsOf(seen).length === 2;
      });
      expect(eventsOf(messages).map(({ stream }) => stream)).toEqual(['some-1', 'some-2']);
    });

    it('is unavailable with a follower whose leader cannot be reached, and keeps nothing', async () => {
      const leader = { host: '127.0.0.1', port: await deadPort() };
      const follower = await start({ role: { kind: 'follower', leader } });
      const { store, probe } = use(follower.connectionString);
      const refused = await failureOf(store.append(newStream(), 'none', [newEvent()]));
      expect(refused).toBeInstanceOf(EventStoreUnavailable);
      expect(await probe()).not.toBeNull();
      expect(follower.log.records).toHaveLength(1);
    });

    it('is unavailable with a node that knows no leader, and says so', async () => {
      const replica = await start({ role: { kind: 'readOnly' } });
      const { store, probe } = use(replica.connectionString);
      const refused = await failureOf(store.append(newStream(), 'none', [newEvent()]));
      expect(refused).toBeInstanceOf(EventStoreUnavailable);
      expect(await probe()).toMatch(/leader/);
      expect(replica.log.records).toHaveLength(1);
    });

    it('finds the leader by a list of nodes and by discovery', async () => {
      const log = createLog();
      const leader = await start({ log });
      const role = { kind: 'follower', leader: { host: '127.0.0.1', port: leader.port } } as const;
      const follower = await start({ log, role });
      const options = 'tls=false&maxDiscoverAttempts=2&discoveryInterval=10';
      for (const nodes of [
        `esdb://127.0.0.1:${await deadPort()},127.0.0.1:${follower.port}?${options}`,
        `esdb+discover://127.0.0.1:${follower.port}?${options}`,
      ]) {
        const { store } = use(nodes);
        expect(await store.append(newStream(), 'none', [newEvent()])).toMatchObject({ revision: 0n });
      }
      expect(leader.calls.append).toBe(2);
      expect(follower.calls.append).toBe(0);
    });
  });

  describe('that was never made', () => {
    /** The pause before the next try would be longer than the time that is left. */
    const hasty = { outageMs: 300, totalMs: 400, pauseMs: 60_000, maxPauseMs: 60_000 };
    const refusalOf = async (connectionString: string): Promise<unknown> =>
      failureOf(use(connectionString, hasty).store.append(newStream(), 'none', [newEvent()]));

    it.each([
      ['refuses', async () => `127.0.0.1:${await deadPort()}?tls=false`, 'ECONNREFUSED'],
      ['has an unknown name', () => `${'x'.repeat(70)}.invalid?tls=false`, 'Name resolution failed'],
      [
        'shows a certificate of an unknown authority',
        async () => `localhost:${(await start({ tls: { key: KEY, certificate: CERTIFICATE, user } })).port}`,
        'certificate',
      ],
    ])('is told as such, with its reason, where the node %s', async (_, node, reason) => {
      const at = await node();
      for (const connectionString of [`esdb://${at}`, `esdb+discover://${at}`]) {
        const refused = await refusalOf(connectionString);
        expect(refused).toBeInstanceOf(EventStoreUnavailable);
        expect(String(refused)).toContain(reason);
      }
    });

    it('is told as such where the node says nothing', async () => {
      const { connectionString, network } = await start();
      network.fallSilent('new');
      expect(await refusalOf(connectionString)).toBeInstanceOf(EventStoreUnavailable);
    });

    it('tells of each node why it names no leader', async () => {
      const [dead, alive] = [await deadPort(), await start({ role: { kind: 'readOnly' } })];
      const refused = await refusalOf(`esdb://127.0.0.1:${dead},127.0.0.1:${alive.port}?tls=false`);
      expect(String(refused)).toMatch(
        new RegExp(`127.0.0.1:${dead}: .*ECONNREFUSED.*; 127.0.0.1:${alive.port}: it knows no leader`),
      );
    });
  });

  it('leaves nothing behind after an outage, not even once it is closed', async () => {
    const { connectionString, network } = await start();
    const { feed, close } = use(connectionString);
    await feed.head();
    await network.isolate();
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await failureOf(feed.head())).toBeInstanceOf(EventStoreUnavailable);
    }
    await network.restore();
    const before = network.connections().ever;
    await close();
    // gRPC connects once more for each failed try, when its back-off of a second has passed.
    await soon(() => expect(network.connections().ever).toBeGreaterThan(before));
    await soon(() => expect(network.connections().open).toBe(0));
  });

  describe('the probe', () => {
    it('tells when nobody listens, and that it is well again', async () => {
      const standIn = await start();
      const { probe } = use(standIn.connectionString);
      expect(await probe()).toBeNull();
      await standIn.network.isolate();
      await expect.poll(probe).toMatch(/connect/i);
      await standIn.network.restore();
      await expect.poll(probe).toBeNull();
    });

    it('does not wait for a server that says nothing', async () => {
      const standIn = await start();
      const { probe } = use(standIn.connectionString, { callMs: 200 });
      for (let reads = 0; reads < 9; reads += 1) standIn.faults.reads.push({ kind: 'silence' });
      expect(await probe()).toContain('no answer within');
    });
  });
});

describe('a connection string', () => {
  it('is read with its nodes, its credentials decoded and its options by any spelling', () => {
    const text = `esdb://a%40b:${encodeURIComponent(PASSWORD)}@one:2113,two:2114?tls=true&nodePreference=leader`;
    expect(readConnectionString(` ${text} `)).toEqual({
      nodes: [
        { host: 'one', port: 2113 },
        { host: 'two', port: 2114 },
      ],
      discover: true,
      tls: {},
      credentials: { username: 'a@b', password: PASSWORD },
      keepAlive: { intervalMs: 10_000, timeoutMs: 10_000 },
    });
    expect(readConnectionString('esdb+discover://cluster/?TLS=false&keep-alive-interval=-1')).toEqual({
      nodes: [{ host: 'cluster', port: 2113 }],
      discover: true,
      tls: null,
      credentials: undefined,
      keepAlive: null,
    });
    expect(readConnectionString('esdb://one:2113').discover).toBe(false);
  });

  it.each([
    'kurrentdb://u:secret@host',
    'esdb://u:sec@ret@host',
    'esdb://u:secret@host?unknown=1',
    'esdb://u:secret@host?tlsVerifyCert=false',
    'esdb://u:secret%@host',
    'esdb://u:secret@host:70000',
    'esdb://u:secret@host,,other',
    'esdb://u:secret@host?keepAliveInterval=secret',
    'esdb://u:secret@host?userCertFile=secret',
    'esdb://u:secret@host?tlsCAFile=%2Fnowhere%2Fsecret.pem',
    `esdb://u:secret@host?tlsCAFile=${encodeURIComponent(fileURLToPath(import.meta.url))}`,
  ])('is refused without a word of what it holds: %s', (text) => {
    const use = (): unknown => createEventStoreDb({ connectionString: text });
    expect(use).toThrow('the EventStoreDB connection string cannot be used');
    expect(use).not.toThrow(/secret|sec|ret@/);
  });
});
