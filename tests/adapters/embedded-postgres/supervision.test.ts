import { describe, expect, it } from 'vitest';
import type { ServerProcess } from '../../../adapters/embedded-postgres/server-process.ts';
import { supervise } from '../../../adapters/embedded-postgres/supervision.ts';

interface Server extends ServerProcess {
  readonly die: (how: string) => void;
}
const running = (): Server => {
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  return { port: 1, ended, exitReason: () => null, kill: () => {}, die: resolve };
};

/** One that lives for so long, then ends. */
const dying = (live: (ms: number) => void, ms: number, how: string): ServerProcess => ({
  ...running(),
  get ended() {
    live(ms);
    return Promise.resolve(how);
  },
});

/** A supervised server on a clock of its own: waiting moves it on, and so does living. */
const supervised = (restart: (tries: number, signal: AbortSignal) => Promise<ServerProcess>) => {
  let now = 0;
  let tries = 0;
  const pauses: number[] = [];
  const warnings: string[] = [];
  const first = running();
  const supervision = supervise(first, {
    restart: (signal) => restart((tries += 1), signal),
    clock: { now: () => now },
    sleep: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
    recentLog: async () => 'PANIC: the last words',
    warn: (line) => warnings.push(line),
  });
  return { first, supervision, pauses, warnings, tries: () => tries, live: (ms: number) => (now += ms) };
};

describe('the supervision of a server', () => {
  it('starts a server that ended again, at once', async () => {
    const second = Promise.withResolvers<void>();
    const run = supervised(async () => {
      second.resolve();
      return running();
    });
    run.live(100_000);
    run.first.die('ended with SIGKILL');
    await second.promise;
    await run.supervision.end();
    expect([run.tries(), run.pauses]).toEqual([1, [0]]);
    expect(run.warnings[0]).toBe('the embedded Postgres ended with SIGKILL: starting it again');
  });

  it('tries again after longer and longer pauses, and goes on once it runs', async () => {
    const up = Promise.withResolvers<void>();
    const run = supervised(async (tries) => {
      if (tries < 9) throw new Error('No space left on device');
      up.resolve();
      return running();
    });
    run.live(100_000);
    run.first.die('ended with 1');
    await up.promise;
    await run.supervision.end();
    expect(run.pauses).toEqual([0, 250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
    expect(run.warnings.filter((line) => line.includes('No space left on device'))).toHaveLength(8);
  });

  it('gives up after a minute without a server, and says why', async () => {
    const run = supervised(async () => {
      throw new Error('No space left on device');
    });
    run.live(100_000);
    run.first.die('ended with 1');
    const { message } = await run.supervision.lost;
    expect(message).toMatch(/exited and could not be restarted within 6\d s: No space left on device$/);
    expect(run.warnings.at(-1)).toBe(message);
    expect(run.pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThanOrEqual(60_000);
  });

  it('counts a server that ends again within seconds as none', async () => {
    const run = supervised(async () => dying(run.live, 2_000, 'ended with SIGABRT'));
    run.first.die('ended with 1');
    expect((await run.supervision.lost).message).toMatch(
      /it ended with SIGABRT again\nPANIC: the last words/,
    );
  });

  it('begins a new minute for a server that has lived', async () => {
    const lasting = Promise.withResolvers<void>();
    const run = supervised(async (tries) => {
      if (tries < 40) return dying(run.live, 6_000, 'ended with SIGKILL');
      lasting.resolve();
      return running();
    });
    run.live(6_000);
    run.first.die('ended with SIGKILL');
    await lasting.promise;
    await run.supervision.end();
    expect(run.pauses).toEqual(Array.from({ length: 40 }, () => 0));
  });

  it('starts nothing more once it has ended, and breaks off a start that is under way', async () => {
    const begun = Promise.withResolvers<void>();
    const run = supervised((_, signal) => {
      begun.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    });
    run.live(100_000);
    run.first.die('ended with SIGKILL');
    await begun.promise;
    await run.supervision.end();
    expect(run.tries()).toBe(1);
  });
});
