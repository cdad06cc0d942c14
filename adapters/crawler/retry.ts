import type { FetchOutcome, PageFailed } from '../../application/ports/page-fetcher.ts';

export interface RetryPolicy {
  /** Of what fails without asking for a pause, including the first attempt. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  /** The longest back-off, and the default of `PageRequest.patienceMs`. */
  readonly maxDelayMs: number;
}
export const DEFAULT_RETRY_POLICY: RetryPolicy = { attempts: 3, firstDelayMs: 500, maxDelayMs: 30_000 };

/**
 * A host that answers nobody else is given up after so many refusals in a row, and pauses of so long in all: an hour
 * is the longest span in which hosts usually count requests.
 */
const MAX_REFUSALS = 6;
const MAX_REFUSING_MS = 3_600_000;
/** A page that gets 429 without Retry-After so often after the host has answered others is refused for itself. */
const MAX_OVERTAKEN = 50;
/** The longest pause that a refusal without Retry-After stands for. */
const MAX_PAUSE_MS = 300_000;

/**
 * The pause that a host asks for, in milliseconds; null if it asks for none. 429 asks for one of unknown length: 0. A
 * 503 without Retry-After may be about this page alone.
 */
export const pauseAskedBy = ({ status, retryAfterMs }: PageFailed): number | null =>
  retryAfterMs ?? (status === 429 ? 0 : null);

/** Which hosts answer, so that a busy host is told from one that refuses everything. */
export interface Answers {
  /** Number of answers of `host` so far that asked for no pause. */
  readonly of: (host: string) => number;
  readonly note: (outcome: FetchOutcome) => void;
  /** A page has waited for `host` in vain: until it answers again, no other page does. */
  readonly giveUp: (host: string) => void;
  readonly isGivenUp: (host: string) => boolean;
}

const MAX_REMEMBERED_HOSTS = 10_000;

export const createAnswers = (): Answers => {
  const hosts = new Map<string, { readonly answers: number; readonly isGivenUp: boolean }>();
  const set = (host: string, more: number, isGivenUp: boolean): void => {
    const answers = (hosts.get(host)?.answers ?? 0) + more;
    if (hosts.size >= MAX_REMEMBERED_HOSTS) hosts.clear();
    hosts.set(host, { answers, isGivenUp });
  };
  return {
    of: (host) => hosts.get(host)?.answers ?? 0,
    note: (outcome) => {
      if (outcome.kind === 'failed' && (outcome.status === null || pauseAskedBy(outcome) !== null)) return;
      set(new URL(outcome.finalUrl).host, 1, false);
    },
    giveUp: (host) => set(host, 0, true),
    isGivenUp: (host) => hosts.get(host)?.isGivenUp ?? false,
  };
};

/** The tries of one page. */
export interface Tries {
  /**
   * Milliseconds to wait before the next try of what ended in `outcome`, or null for none. Only what may pass is tried
   * again, and never an exchange that already used up its time. Delays double and are spread over their upper half. A
   * pause that the host asks for (429, or 503 with Retry-After) is kept and costs no try, while the page has patience
   * left and the host is not given up: see `MAX_REFUSALS`.
   */
  readonly delayAfter: (outcome: FetchOutcome) => number | null;
}

/** @param random in [0, 1) */
export const createTries = (
  { attempts, firstDelayMs, maxDelayMs }: RetryPolicy,
  answers: Answers,
  random: () => number,
  patienceMs: number = maxDelayMs,
): Tries => {
  let [failures, refusals, refusingMs, waitedMs, answered, overtaken] = [0, 0, 0, 0, -1, -1];
  const backOff = (times: number, mostMs: number): number =>
    Math.min(firstDelayMs * 2 ** (times - 1), mostMs) * (0.5 + random() / 2);
  const afterRefusal = (host: string, askedMs: number): number | null => {
    if (answers.isGivenUp(host)) return null;
    const now = answers.of(host);
    if (now !== answered) [refusals, refusingMs, answered, overtaken] = [0, 0, now, overtaken + 1];
    if (askedMs === 0 && overtaken >= MAX_OVERTAKEN) return null;
    refusals += 1;
    if (refusals >= MAX_REFUSALS && refusingMs >= MAX_REFUSING_MS) {
      answers.giveUp(host);
      return null;
    }
    const delay = Math.max(askedMs, backOff(refusals, MAX_PAUSE_MS));
    refusingMs += delay;
    waitedMs += delay;
    return waitedMs > patienceMs ? null : delay;
  };
  return {
    delayAfter: (outcome) => {
      if (outcome.kind !== 'failed' || !outcome.transient || spentItsTime(outcome)) return null;
      const askedMs = pauseAskedBy(outcome);
      if (askedMs !== null) return afterRefusal(new URL(outcome.finalUrl).host, askedMs);
      failures += 1;
      return failures >= attempts ? null : backOff(failures, maxDelayMs);
    },
  };
};

const spentItsTime = ({ code }: PageFailed): boolean => code === 'timed_out' || code === 'too_slow';
