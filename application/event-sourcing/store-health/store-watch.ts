import { EventLogChanged } from './compare-log.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';

/** Since when something is so, and whether it has lasted long enough to be told. */
interface Trouble {
  readonly kind: 'silent' | 'other log';
  readonly since: number;
  readonly reported: boolean;
  readonly reason: Error;
}

interface ReportDeps {
  readonly log: Logger;
  /** The store, for the log; null where another watch tells of the same server. */
  readonly name: string | null;
  /** More to say at the end of an outage. */
  readonly summary?: () => LogFields;
}

const WHAT_TO_DO =
  'put the right log back, or follow "Log lost or exchanged" in docs/operations.md; nothing is written until then';

/** Tells the log of troubles that have lasted, at their beginning and at their end. */
const createReport = ({ log, name, summary }: ReportDeps) => {
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  return {
    begin: ({ kind, reason }: Trouble): void => {
      if (kind === 'other log')
        log.error('the event log has changed', { error: reason.message, do: WHAT_TO_DO });
      else if (name !== null) log.warn(`the ${name} is away`, { error: reason.message });
    },
    end: ({ kind, since }: Trouble, now: number): void => {
      const lasted = { seconds: seconds(now - since), ...summary?.() };
      if (kind === 'other log') log.info('the event log is the known one again', lasted);
      else if (name !== null) log.info(`the ${name} is back`, lasted);
    },
  };
};

/** Whether a store can be used, as one process sees it. */
export interface StoreWatch {
  /** Asks the store, or joins a question under way: null when it answers as it should, else why not. */
  readonly look: () => Promise<Error | null>;
  /**
   * Does `work`, which uses the store, and is answered soon whatever becomes of it: while the store is known to be away,
   * work is not begun, and what is under way when that becomes known is left. What is left may still happen.
   *
   * @throws what `refusal` makes of the reason when the store is away; what `work` throws
   */
  readonly during: <T>(work: () => Promise<T>, refusal: Refusal) => Promise<T>;
  /** Has the next use look before: the store was reached anew. */
  readonly distrust: () => void;
  /** Resolves while the log is the one that was known. @throws EventLogChanged */
  readonly sameLog: () => Promise<void>;
  /** Aborts when the log is found to be another one. */
  readonly logChanged: () => AbortSignal;
  /** Since when it is known to be away, or to hold another log, by `now`; null: it can be used. */
  readonly unavailableSince: () => number | null;
  /** Looks every few seconds, until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/** What work is refused with that the store is away for. `begun`: nobody knows whether it was done. */
export type Refusal = (reason: Error, begun: boolean) => Error;

export interface StoreWatchDeps extends ReportDeps {
  /** Asks the store. @throws EventLogChanged where it holds another log; anything else where it does not answer */
  readonly ask: () => Promise<void>;
  /** Milliseconds that only grow. */
  readonly now: () => number;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Between two looks at a store that answers, at one that has just failed to, and at one that is away. */
const POLL_MS = 3_000;
const DOUBT_MS = 300;
const AWAY_MS = 1_000;
/** A store that has not answered for so long is away. An election of a leader is mostly over by then. */
const OUTAGE_MS = 2_500;
/** What was just elected may show less than its predecessor for a moment, and a deposed leader too. */
const OTHER_LOG_MS = 4_000;
/** Work that takes longer is reason to look, once in so long a time. */
const SUSPICIOUS_MS = 500;
const SUSPECT_EVERY_MS = 1_000;

interface Begun {
  readonly since: number;
  readonly leave: (reason: Error) => void;
}

export const createStoreWatch = (deps: StoreWatchDeps): StoreWatch => {
  const { ask, now, sleep } = deps;
  const tell = createReport(deps);
  let trouble: Trouble | null = null;
  let running: Promise<Error | null> | null = null;
  let lookedAt = now();
  /** Nothing is known before the first look, nor of a store that was reached anew. */
  let unknown = true;
  /** What is under way, the eldest first. */
  const begun = new Set<Begun>();
  let changed = new AbortController();

  const settle = (next: Trouble | null): void => {
    const before = trouble;
    trouble = next;
    if (before?.reported === true && before.kind !== next?.kind) {
      tell.end(before, now());
      changed = new AbortController();
    }
    if (next?.reported !== true || (before?.reported === true && before.kind === next.kind)) return;
    tell.begin(next);
    for (const { leave } of begun) leave(next.reason);
    if (next.kind === 'other log') changed.abort(next.reason);
  };

  const troubled = (reason: Error, began: number): void => {
    const kind = reason instanceof EventLogChanged ? 'other log' : 'silent';
    const since = trouble?.kind === kind ? trouble.since : began;
    const lasts = kind === 'silent' ? OUTAGE_MS : OTHER_LOG_MS;
    const reported = (trouble?.kind === kind && trouble.reported) || now() - since >= lasts;
    settle({ kind, since, reported: reported, reason });
  };

  /** A store that was silent before is given until it counts as away, and not as long again as a look may take. */
  const answered = async (asked: Promise<void>): Promise<void> => {
    const before = trouble;
    if (before === null || before.kind !== 'silent' || before.reported) return asked;
    const over = new AbortController();
    const late = async (): Promise<void> => {
      await sleep(Math.max(0, before.since + OUTAGE_MS - now()), over.signal);
      // An answer that lies there already, on a busy process, still counts.
      await sleep(1, over.signal);
      if (!over.signal.aborted) throw before.reason;
    };
    try {
      await Promise.race([asked, late()]);
    } finally {
      over.abort();
    }
  };

  const lookOnce = async (): Promise<Error | null> => {
    const began = now();
    lookedAt = began;
    try {
      await answered(ask());
      settle(null);
      return null;
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      troubled(reason, began);
      return reason;
    } finally {
      running = null;
      unknown = false;
    }
  };
  const look = (): Promise<Error | null> => (running ??= lookOnce());

  const pauseMs = (): number => {
    if (trouble !== null) return trouble.reported ? AWAY_MS : DOUBT_MS;
    const [eldest] = begun;
    return eldest !== undefined && now() - eldest.since >= SUSPICIOUS_MS ? SUSPECT_EVERY_MS : POLL_MS;
  };

  const isInDoubt = (): boolean => trouble?.kind === 'other log' && !trouble.reported;
  /** A log that may be another one is neither read nor written before that is known. */
  const verdict = async (): Promise<void> => {
    if (unknown) await look();
    while (isInDoubt()) {
      await sleep(DOUBT_MS, new AbortController().signal);
      await look();
    }
  };

  return {
    look,
    unavailableSince: () => (trouble?.reported === true ? trouble.since : null),
    logChanged: () => changed.signal,
    distrust: () => {
      unknown = true;
    },
    sameLog: async () => {
      await verdict();
      if (trouble?.kind === 'other log') throw trouble.reason;
    },
    during: async (work, refusal) => {
      await verdict();
      if (trouble?.reported === true) throw refusal(trouble.reason, false);
      const { promise: left, reject } = Promise.withResolvers<never>();
      const mine = { since: now(), leave: (reason: Error) => reject(refusal(reason, true)) };
      begun.add(mine);
      try {
        return await Promise.race([work(), left]);
      } finally {
        begun.delete(mine);
      }
    },
    run: async (signal) => {
      while (!signal.aborted) {
        if (unknown || now() - lookedAt >= pauseMs()) await look();
        await sleep(Math.min(pauseMs(), SUSPICIOUS_MS), signal);
      }
    },
  };
};
