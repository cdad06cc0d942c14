import { setTimeout as sleep } from 'node:timers/promises';

export interface PolitenessOptions {
  /** Maximum concurrent requests to one host. */
  readonly maxConcurrency: number;
  /** Minimum time between the starts of two requests to one host, in milliseconds. */
  readonly minDelayMs: number;
  /** Upper bound of the delay that robots.txt can demand. */
  readonly maxDelayMs: number;
  readonly timer: Timer;
}

/**
 * Spaces the requests to each host. All crawls of a process share one gate, because a host does not care which crawl a
 * request belongs to.
 */
export interface PolitenessGate {
  /**
   * Waits for a slot at `host`, first come first served. The caller starts its request immediately and calls the
   * returned function when the response is complete (a second call does nothing).
   *
   * @throws the reason of `signal` when it aborts; the slot goes to the next caller
   */
  readonly acquire: (host: string, signal: AbortSignal) => Promise<() => void>;
  /** Sets the Crawl-delay of `host`; the configured delay stays the minimum. */
  readonly setDelay: (host: string, ms: number) => void;
  /** Starts no request to `host` before `ms` have passed. */
  readonly postpone: (host: string, ms: number) => void;
}

interface Host {
  active: number;
  delayMs: number;
  nextStart: number;
  readonly waiting: (() => void)[];
  /** Set while a wake-up is scheduled; aborting it cancels the wake-up. */
  alarm: AbortController | null;
}

const MAX_REMEMBERED_HOSTS = 10_000;

export const createPolitenessGate = (options: PolitenessOptions): PolitenessGate => {
  const { maxConcurrency, minDelayMs, maxDelayMs, timer } = options;
  const hosts = new Map<string, Host>();

  const hostOf = (name: string): Host => {
    const known = hosts.get(name);
    if (known !== undefined) return known;
    if (hosts.size >= MAX_REMEMBERED_HOSTS) evictIdle(hosts, timer.now());
    const host: Host = { active: 0, delayMs: minDelayMs, nextStart: 0, waiting: [], alarm: null };
    hosts.set(name, host);
    return host;
  };

  const serve = (host: Host): void => {
    while (host.waiting.length > 0 && host.active < maxConcurrency) {
      const wait = host.nextStart - timer.now();
      if (wait > 0) return wakeAfter(host, wait);
      host.active += 1;
      host.nextStart = timer.now() + host.delayMs;
      host.waiting.shift()?.();
    }
    if (host.waiting.length === 0) host.alarm?.abort();
  };

  const wakeAfter = (host: Host, ms: number): void => {
    if (host.alarm !== null) return;
    const alarm = new AbortController();
    host.alarm = alarm;
    const wake = (): void => {
      host.alarm = null;
      serve(host);
    };
    timer.sleep(ms, alarm.signal).then(wake, wake);
  };

  return {
    acquire: async (name, signal) => {
      signal.throwIfAborted();
      const host = hostOf(name);
      const turn = Promise.withResolvers<void>();
      const onAbort = (): void => {
        const place = host.waiting.indexOf(turn.resolve);
        if (place === -1) return;
        host.waiting.splice(place, 1);
        turn.reject(signal.reason);
        serve(host);
      };
      signal.addEventListener('abort', onAbort, { once: true });
      host.waiting.push(turn.resolve);
      serve(host);
      try {
        await turn.promise;
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
      return releaseOnce(() => {
        host.active -= 1;
        serve(host);
      });
    },
    setDelay: (name, ms) => {
      hostOf(name).delayMs = Math.max(minDelayMs, Math.min(ms, maxDelayMs));
    },
    postpone: (name, ms) => {
      const host = hostOf(name);
      host.nextStart = Math.max(host.nextStart, timer.now() + ms);
    },
  };
};

const releaseOnce = (release: () => void): (() => void) => {
  let released = false;
  return () => {
    if (released) return;
    released = true;
    release();
  };
};

/** A long-running process meets ever more hosts, so the idle ones are evicted. */
const evictIdle = (hosts: Map<string, Host>, now: number): void => {
  for (const [name, host] of hosts) {
    if (host.active === 0 && host.waiting.length === 0 && host.nextStart <= now) hosts.delete(name);
  }
};

/** The clock of the crawler, so that tests can pass their own. */
export interface Timer {
  /** Milliseconds from an arbitrary origin; monotonic. */
  readonly now: () => number;
  /** Rejects with the reason of `signal` when it aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const systemTimer: Timer = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted(); // node:timers wraps the reason in an AbortError
      throw error;
    }
  },
};
