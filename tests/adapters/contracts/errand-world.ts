import { createMemoryEventStore } from '../../support/memory/event-store.ts';
import { createEventCodec } from '../../../application/event-sourcing/event-codec.ts';
import type { CommandContext } from '../../../application/ports/event-metadata.ts';
import { createExecute } from '../../../application/event-sourcing/execute.ts';
import type { EventStore } from '../../../application/ports/event-store.ts';
import type { WorkLeases } from '../../../application/ports/leases.ts';
import { runWorker } from '../../../application/jobs/worker.ts';
import { countingIds } from '../../support/ids.ts';
import { writeAsNewer } from '../../support/newer-version.ts';
import { createErrandHandler, errandStream, type SendErrand, sendBy, STORED_ERRANDS } from './errands.ts';
import type { OpenWorkLeases } from './work-leases.ts';

export const CALLER: CommandContext = {
  tenant: 'acme',
  actor: { kind: 'api_key', id: 'k' },
  correlationId: 'request-1',
  causationId: 'request-1',
};

/** What a worker is at: the test ends it. */
interface Begun {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly assertLeaseHeld: () => void;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** Errands, of two kinds, and workers at them. Nothing happens by itself: time, looks and ends are the test's. */
export const openErrands = (opened: OpenWorkLeases) => {
  const time = { now: 1_000_000 };
  const store = createMemoryEventStore(() => time.now);
  const codec = createEventCodec(STORED_ERRANDS);
  const ids = countingIds();
  const kinds = new Map<string, string>();
  const logged: (readonly [string, object | undefined])[] = [];
  const note = (message: string, fields?: object) => void logged.push([message, fields]);
  /** Sends it, and has the leases see what it has led to. */
  const sendOver = (over: EventStore): SendErrand => {
    const send = sendBy(createExecute({ store: over, codec, ids }));
    return async (id, command, context) => {
      const done = await send(id, command, context);
      const work = { kind: kinds.get(id) ?? '', id, tenant: context.tenant };
      await opened.settle(id);
      const { status, epoch } = done.state;
      if (status === 'asked') await opened.owe({ ...work, since: time.now });
      if (status === 'begun') await opened.begin({ ...work, overdue: false, claim: { epoch } });
      return done;
    };
  };
  const send = sendOver(store);

  /** A worker that has looked for work once. `stubborn`: its work goes on when it is told to stop. */
  const worker = async (owner: string, { stubborn = false } = {}) => {
    let dead = false;
    const alive = <T extends object>(port: T): T =>
      new Proxy(port, {
        get: (_, name) => {
          const member = Reflect.get(port, name) as unknown;
          if (typeof member !== 'function') return member;
          return (...call: unknown[]) =>
            dead ? new Promise(() => {}) : (member as (...of: unknown[]) => unknown)(...call);
        },
      });
    const lookOuts = new Set<() => Promise<void>>();
    const shutdown = new AbortController();
    /** What was begun and not asked for yet, and who asks for what is not begun yet. */
    const begun: Begun[] = [];
    const asking: ((begun: Begun) => void)[] = [];
    const tell = (work: Begun): void => {
      const ask = asking.shift();
      if (ask === undefined) begun.push(work);
      else ask(work);
    };
    const left = Promise.withResolvers<void>();
    let rest = Promise.withResolvers<void>();
    let go: () => void = () => {};
    const own = alive<EventStore>(store);
    const handlerOf = (kind: string) =>
      createErrandHandler({
        kind,
        owner,
        execute: createExecute({ store: own, codec, ids }),
        send: sendOver(own),
        run: (id, signal, assertLeaseHeld) =>
          new Promise((resolve, reject) => {
            if (!stubborn) signal.addEventListener('abort', () => resolve());
            tell({ id, signal, assertLeaseHeld, end: resolve, fail: reject });
          }),
      });
    const deps = {
      leases: {
        ...alive<WorkLeases>(opened.leases),
        leave: async (leaving: string) => {
          await opened.leases.leave(leaving);
          left.resolve();
        },
      },
      handlers: opened.leases.kinds.map(handlerOf),
      store: own,
      codec,
      owner,
      leaseMs: 60_000,
      slots: 2,
      clock: { now: () => time.now },
      log: { info: note, warn: note, error: note },
      every: (_: number, run: () => Promise<void>) => {
        lookOuts.add(run);
        return { stop: () => void lookOuts.delete(run) };
      },
      idle: (_: number, signal: AbortSignal) =>
        new Promise<void>((resolve) => {
          go = resolve;
          signal.addEventListener('abort', () => resolve());
          rest.resolve();
        }),
    };
    const running = runWorker(deps, shutdown.signal);
    await rest.promise;
    return {
      running,
      /** What it has taken up, or takes up next. */
      next: async (): Promise<Begun> =>
        begun.shift() ?? (await new Promise<Begun>((resolve) => asking.push(resolve))),
      /** Has it look for work once more. */
      look: async () => {
        rest = Promise.withResolvers();
        go();
        await rest.promise;
      },
      /** Has its timers run that keep leases and look for what stops work. */
      lookOut: async () => {
        for (const run of lookOuts) await run();
      },
      stop: () => shutdown.abort(),
      /** Resolves when it has noted with its leases that it stops. */
      left: left.promise,
      /** As by `kill -9`: it says nothing more, and nothing reaches it. */
      kill: () => {
        dead = true;
        lookOuts.clear();
      },
    };
  };

  return {
    worker,
    logged,
    send,
    ask: async (kind: string): Promise<string> => {
      const id = ids.newId();
      kinds.set(id, kind);
      await send(id, { type: 'ask' }, CALLER);
      return id;
    },
    pass: async (ms: number): Promise<void> => {
      time.now += ms;
      await opened.pass(ms);
    },
    writeNewer: (id: string) => writeAsNewer(store, errandStream(id)),
    trail: async (id: string) => store.readStream(errandStream(id)),
    types: async (id: string) => (await store.readStream(errandStream(id))).map(({ type }) => type),
  };
};
