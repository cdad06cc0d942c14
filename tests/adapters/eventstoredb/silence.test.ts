import { afterEach, describe, expect, it, vi } from 'vitest';
import { appendMessage } from '../../../adapters/eventstoredb/append-messages.ts';
import { connect } from '../../../adapters/eventstoredb/connection.ts';
import { createEventStoreDb } from '../../../adapters/eventstoredb/eventstoredb.ts';
import { endOf } from '../../../adapters/eventstoredb/read.ts';
import type { Deadlines } from '../../../adapters/eventstoredb/deadlines.ts';
import { checkAppend } from '../../../application/ports/event-checks.ts';
import { createLog } from '../../support/eventstoredb/log.ts';
import { type StandIn, type StandInOptions, startStandIn } from '../../support/eventstoredb/stand-in.ts';
import { newEvent, newStream } from '../contracts/event-store.ts';
import { IMPATIENT, soon } from './open-store.ts';

/** Two tries, as by default: whatever is silent must be left after the first. */
const TWICE: Partial<Deadlines> = {
  ...IMPATIENT,
  callMs: 1_500,
  connectMs: 1_500,
  attempts: 2,
  outageMs: 15_000,
  totalMs: 60_000,
};

describe('a connection to EventStoreDB that falls silent', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
    vi.restoreAllMocks();
  });
  const start = async (options?: StandInOptions): Promise<StandIn> => {
    const standIn = await startStandIn(options);
    closing.push(standIn.close);
    return standIn;
  };
  const use = (connectionString: string, deadlines: Partial<Deadlines> = {}) => {
    const db = createEventStoreDb({ connectionString, deadlines: { ...TWICE, ...deadlines } });
    closing.push(db.close);
    return db;
  };
  const append = (store: ReturnType<typeof use>['store']) => store.append(newStream(), 'none', [newEvent()]);

  it('is left by the next try, which opens another one, and none is left behind', async () => {
    const { connectionString, network } = await start();
    const { store, close } = use(connectionString);
    await append(store);
    network.fallSilent('open');
    expect(await append(store)).toMatchObject({ revision: 0n });
    expect(network.connections().ever).toBeGreaterThan(1);
    await soon(() => expect(network.connections().open).toBe(1));
    await close();
    await soon(() => expect(network.connections().open).toBe(0));
  });

  it('is left by reads and by the probe as well', async () => {
    const { connectionString, network } = await start();
    const { store, probe } = use(connectionString);
    expect(await store.readStream(newStream())).toEqual([]);
    network.fallSilent('open');
    expect(await store.readStream(newStream())).toEqual([]);
    network.fallSilent('open');
    expect(await probe(newStream())).toMatchObject({ identity: null });
  });

  it('is left where it is silent from its first byte on', async () => {
    const { connectionString, network } = await start();
    network.fallSilent('new');
    const { store, close } = use(connectionString);
    const waiting = append(store);
    await soon(() => expect(network.connections().ever).toBe(2));
    network.thaw();
    network.fallSilent('open');
    expect(await waiting).toMatchObject({ revision: 0n });
    await close();
    await soon(() => expect(network.connections().open).toBe(0));
  });

  it('is kept for the calls under way when another call leaves it', async () => {
    const { connectionString, faults, network } = await start();
    const connection = connect(connectionString, { connectMs: 15_000 });
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    faults.appends.push({ kind: 'late', until: held });
    const stream = newStream();
    const events = checkAppend(stream, [newEvent()]);
    const slow = connection.append(appendMessage({ stream, after: -1n, events }), {
      callMs: 60_000,
      left: () => 60_000,
    });
    await soon(() => expect(faults.appends).toEqual([]));
    faults.reads.push({ kind: 'silence' });
    const read = () => endOf(connection, 200);
    await expect(read()).rejects.toThrow('no answer within 200 ms');
    expect(await read()).toMatchObject({ position: expect.stringMatching(/^\d/) });
    expect(network.connections()).toEqual({ open: 2, ever: 2 });
    release();
    expect(await slow).toMatchObject({ kind: 'done', revision: 0n });
    await soon(() => expect(network.connections().open).toBe(1));
    connection.close();
    await soon(() => expect(network.connections().open).toBe(0));
  });

  it('lets followers hear again, though nothing else asks the store', async () => {
    const { connectionString, network, log, subscribedAfter } = await start();
    const { feed } = use(connectionString, { pollMs: 20 });
    const other = use(connectionString);
    const stop = new AbortController();
    const heard: string[] = [];
    const following = (async () => {
      for await (const message of feed.follow('', {}, stop)) {
        if (message.kind === 'events') heard.push(...message.events.map(({ type }) => type));
      }
    })();
    await soon(() => expect(subscribedAfter).toHaveLength(1));
    network.fallSilent('open');
    await other.store.append(newStream(), 'none', [newEvent('Later')]);
    await soon(() => expect(heard).toEqual(['Later']));
    await soon(() => expect(subscribedAfter).toHaveLength(2));
    expect(log.records).toHaveLength(2);
    stop.abort();
    await following;
  });

  it('says nothing on the console, however short its keepalive is', async () => {
    const lines = (['log', 'info', 'warn', 'error', 'debug'] as const).map((level) =>
      vi.spyOn(console, level).mockImplementation(() => {}),
    );
    const { connectionString, network } = await start();
    const { store } = use(`${connectionString}&keepAliveInterval=2000&keepAliveTimeout=2000`);
    await append(store);
    network.fallSilent('open');
    await append(store);
    for (const line of lines) expect(line).not.toHaveBeenCalled();
  });

  describe('of a leader', () => {
    const cluster = async () => {
      const log = createLog();
      const [first, second, third] = [await start({ log }), await start({ log }), await start({ log })];
      const lead = (leader: StandIn): void => {
        const role = { kind: 'follower', leader: { host: '127.0.0.1', port: leader.port } } as const;
        for (const node of [first, second, third]) node.become(node === leader ? { kind: 'leader' } : role);
      };
      lead(first);
      const nodes = [first, second, third].map(({ port }) => `127.0.0.1:${port}`).join();
      return { first, second, third, lead, nodes: `esdb://${nodes}?tls=false` };
    };
    /** Frozen: it goes on believing that it leads, and says nothing. */
    const freeze = (leader: StandIn): void => {
      leader.network.fallSilent('all');
    };

    it('is left for the next leader by a process that was connected', async () => {
      const { first, second, lead, nodes } = await cluster();
      const { store, close } = use(nodes);
      await append(store);
      freeze(first);
      lead(second);
      expect(await append(store)).toMatchObject({ revision: 0n });
      expect([first.calls.append, second.calls.append]).toEqual([1, 1]);
      await close();
      const open = () => [first, second].map(({ network }) => network.connections().open);
      await soon(() => expect(open()).toEqual([0, 0]));
    });

    it('does not keep a process from the next leader that opens in that moment', async () => {
      const { first, second, third, lead, nodes } = await cluster();
      freeze(first);
      lead(second);
      const { store, close } = use(nodes);
      expect(await append(store)).toMatchObject({ revision: 0n });
      expect(second.calls.append).toBe(1);
      await close();
      const open = () => [first, second, third].map(({ network }) => network.connections().open);
      await soon(() => expect(open()).toEqual([0, 0, 0]));
    });

    it('is not believed against the word of two others, when it thaws and still calls itself the leader', async () => {
      const { first, second, third, lead, nodes } = await cluster();
      lead(second);
      first.become({ kind: 'leader' });
      for (let process = 0; process < 5; process += 1) await append(use(nodes).store);
      expect([first, second, third].map(({ calls }) => calls.append)).toEqual([0, 5, 0]);
    });

    it('is waited out while the others still name it', async () => {
      const { first, second, lead, nodes } = await cluster();
      freeze(first);
      const { store } = use(nodes, { outageMs: 60_000 });
      const waiting = append(store);
      // Twice it was tried in vain.
      await soon(() => expect(first.network.connections().ever).toBeGreaterThan(4));
      lead(second);
      expect(await waiting).toMatchObject({ revision: 0n });
    });
  });
});
