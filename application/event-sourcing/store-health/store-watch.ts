import { EventLogChanged } from './compare-log.ts';
import type { LogFields, Logger } from '../../ports/logger.ts';

/** A problem of the store: its start, and whether it has lasted long enough to be reported. */
interface Trouble {
  readonly kind: 'silent' | 'other log';
  readonly since: number;
  readonly reported: boolean;
  readonly reason: Error;
}

interface ReportDeps {
  readonly log: Logger;
  /** Name of the store in log lines; null if another watch reports the same server. */
  readonly name: string | null;
  /** Additional fields for the log line at the end of an outage. */
  readonly summary?: () => LogFields;
}

const WHAT_TO_DO =
  'restore the right log, or follow "Log lost or exchanged" in docs/operations.md; nothing is written until then';

/** Logs the beginning and the end of problems that have lasted long enough. */
const createReport = ({ log, name, summary }: ReportDeps) => {
  const seconds = (ms: number): number => Math.round(ms / 100) / 10;
  return {
    begin: ({ kind, reason }: Trouble): void => {
      if (kind === 'other log')
        log.error('the event log has changed', { error: reason.message, do: WHAT_TO_DO });
      else if (name !== null) log.warn(`the ${name} is unavailable`, { error: reason.message });
    },
    end: ({ kind, since }: Trouble, now: number): void => {
      const lasted = { seconds: seconds(now - since), ...summary?.() };
      if (kind === 'other log') log.info('the event log is the known one again', lasted);
      else if (name !== null) log.info(`the ${name} is available again`, lasted);
    },
  };
};

/** Tracks whether a store is usable, from the view of one process. */
export interface StoreWatch {
  /** Probes the store, or joins a running probe. Returns null if the store is healthy, otherwise the reason. */
  readonly check: () => Promise<Error | null>;
  /**
   * Runs `work`, which uses the store, and settles soon in any case. While the store is known to be unavailable, no
   * work starts. Work that is running when the store becomes unavailable is abandoned, but may still take effect.
   *
   * @throws the result of `createRefusal` when the store is unavailable; what `work` throws
   */
  readonly guard: <T>(work: () => Promise<T>, createRefusal: CreateRefusal) => Promise<T>;
  /** Makes the next use probe first, after a reconnect. */
  readonly invalidate: () => void;
  /** Resolves if the log is the known one. @throws EventLogChanged */
  readonly ensureSameLog: () => Promise<void>;
  /** Aborts when the log turns out to be another one. */
  readonly logChangedSignal: () => AbortSignal;
  /**
   * Time at which the store became unavailable or its log changed, on the clock `StoreWatchDeps.now`; null while it is
   * usable.
   */
  readonly unavailableSince: () => number | null;
  /** Probes every few seconds, until `signal` aborts. */
  readonly run: (signal: AbortSignal) => Promise<void>;
}

/**
 * Makes the error for work that an unavailable store prevents. `begun`: the work had started, and its outcome is
 * unknown.
 */
export type CreateRefusal = (reason: Error, begun: boolean) => Error;

export interface StoreWatchDeps extends ReportDeps {
  /** Probes the store. @throws EventLogChanged if it has another log; anything else if it does not answer */
  readonly probe: () => Promise<void>;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Called when the store answers again after an outage that was reported, with its length in milliseconds. */
  readonly onRecovered?: (ms: number) => void;
  /** Waits, or returns early when aborted. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** Intervals between probes of a healthy store, of one that has just failed a probe, and of an unavailable one. */
const POLL_MS = 3_000;
const DOUBT_MS = 300;
const AWAY_MS = 1_000;
/** A store that has not answered for this long counts as unavailable. Most leader elections are over by then. */
const OUTAGE_MS = 2_500;
/**
 * How long another log must be shown before it counts as changed: a newly elected or deposed leader may briefly show
 * less of the log.
 */
const OTHER_LOG_MS = 4_000;
/** Work that takes longer triggers probes, at most one per interval. */
const SUSPICIOUS_MS = 500;
const SUSPECT_EVERY_MS = 1_000;

interface RunningWork {
  readonly since: number;
  readonly abandon: (reason: Error) => void;
}

export const createStoreWatch = (deps: StoreWatchDeps): StoreWatch => {
  const { probe, now, sleep } = deps;
  const report = createReport(deps);
  let trouble: Trouble | null = null;
  let runningProbe: Promise<Error | null> | null = null;
  let checkedAt = now();
  /** True before the first probe and after a reconnect. */
  let unknown = true;
  /** Running work, oldest first. */
  const runningWork = new Set<RunningWork>();
  let changed = new AbortController();

  const setTrouble = (next: Trouble | null): void => {
    const before = trouble;
    trouble = next;
    if (before?.reported === true && before.kind !== next?.kind) {
      report.end(before, now());
      if (before.kind === 'silent') deps.onRecovered?.(now() - before.since);
      changed = new AbortController();
    }
    if (next?.reported !== true || (before?.reported === true && before.kind === next.kind)) return;
    report.begin(next);
    for (const { abandon } of runningWork) abandon(next.reason);
    if (next.kind === 'other log') changed.abort(next.reason);
  };

  const troubled = (reason: Error, began: number): void => {
    const kind = reason instanceof EventLogChanged ? 'other log' : 'silent';
    const since = trouble?.kind === kind ? trouble.since : began;
    const lasts = kind === 'silent' ? OUTAGE_MS : OTHER_LOG_MS;
    const reported = (trouble?.kind === kind && trouble.reported) || now() - since >= lasts;
    setTrouble({ kind, since, reported, reason });
  };

  /**
   * Awaits a probe. If the store was already unresponsive, waits only until it counts as unavailable, not for the full
   * probe timeout again.
   */
  const answered = async (asked: Promise<void>): Promise<void> => {
    const before = trouble;
    if (before === null || before.kind !== 'silent' || before.reported) return asked;
    const over = new AbortController();
    const late = async (): Promise<void> => {
      await sleep(Math.max(0, before.since + OUTAGE_MS - now()), over.signal);
      // On a busy process, an answer that has already arrived still counts.
      await sleep(1, over.signal);
      if (!over.signal.aborted) throw before.reason;
    };
    try {
      await Promise.race([asked, late()]);
    } finally {
      over.abort();
    }
  };

  const checkOnce = async (): Promise<Error | null> => {
    const began = now();
    checkedAt = began;
    try {
      await answered(probe());
      setTrouble(null);
      return null;
    } catch (error) {
      const reason = error instanceof Error ? error : new Error(String(error));
      troubled(reason, began);
      return reason;
    } finally {
      runningProbe = null;
      unknown = false;
    }
  };
  const check = (): Promise<Error | null> => (runningProbe ??= checkOnce());

  const pauseMs = (): number => {
    if (trouble !== null) return trouble.reported ? AWAY_MS : DOUBT_MS;
    const [eldest] = runningWork;
    return eldest !== undefined && now() - eldest.since >= SUSPICIOUS_MS ? SUSPECT_EVERY_MS : POLL_MS;
  };

  const isInDoubt = (): boolean => trouble?.kind === 'other log' && !trouble.reported;
  /** Waits until it is known whether the log is the known one: before that it is neither read nor written. */
  const verdict = async (): Promise<void> => {
    if (unknown) await check();
    while (isInDoubt()) {
      await sleep(DOUBT_MS, new AbortController().signal);
      await check();
    }
  };

  return {
    check,
    unavailableSince: () => (trouble?.reported === true ? trouble.since : null),
    logChangedSignal: () => changed.signal,
    invalidate: () => {
      unknown = true;
    },
    ensureSameLog: async () => {
      await verdict();
      if (trouble?.kind === 'other log') throw trouble.reason;
    },
    guard: async (work, createRefusal) => {
      await verdict();
      if (trouble?.reported === true) throw createRefusal(trouble.reason, false);
      const { promise: abandoned, reject } = Promise.withResolvers<never>();
      const mine = { since: now(), abandon: (reason: Error) => reject(createRefusal(reason, true)) };
      runningWork.add(mine);
      try {
        return await Promise.race([work(), abandoned]);
      } finally {
        runningWork.delete(mine);
      }
    },
    run: async (signal) => {
      while (!signal.aborted) {
        if (unknown || now() - checkedAt >= pauseMs()) await check();
        await sleep(Math.min(pauseMs(), SUSPICIOUS_MS), signal);
      }
    },
  };
};
