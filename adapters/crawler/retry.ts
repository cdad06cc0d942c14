import type { FetchOutcome, PageFailed } from '../../application/ports/page-fetcher.ts';

export interface RetryPolicy {
  /** Of what fails without asking for a pause, including the first attempt. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  /** The longest back-off, and the default of `PageRequest.patienceMs`. */
  readonly maxDelayMs: number;
}
export const DEFAULT_RETRY_POLICY: RetryPolicy = { attempts: 3, firstDelayMs: 500, maxDelayMs: 30_000 };

/** How often in a row a host may ask for a pause while it answers nobody else. */
const MAX_REFUSALS = 6;

/** Which hosts answer, so that a busy host is told from one that refuses everything. */
export interface Answers {
  /** Number of answers of `host` so far that asked for no pause. */
  readonly of: (host: string) => number;
  readonly note: (outcome: FetchOutcome) => void;
}

const MAX_REMEMBERED_HOSTS = 10_000;

export const createAnswers = (): Answers => {
  const hosts = new Map<string, number>();
  return {
    of: (host) => hosts.get(host) ?? 0,
    note: (outcome) => {
      if (outcome.kind === 'failed' && (outcome.status === null || outcome.retryAfterMs !== null)) return;
      const { host } = new URL(outcome.finalUrl);
      if (hosts.size >= MAX_REMEMBERED_HOSTS) hosts.clear();
      hosts.set(host, (hosts.get(host) ?? 0) + 1);
    },
  };
};

/** The tries of one page. */
export interface Tries {
  /**
   * Milliseconds to wait before the next try of what ended in `outcome`, or null for none. Only what may pass is tried
   * again, and never an exchange that already used up its time. Delays double and are spread over their upper half. A
   * pause that the host asks for (Retry-After) is kept and costs no try, while the page has patience left and the host
   * answers others, or has not yet refused `MAX_REFUSALS` times in a row.
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
  let [failures, refusals, waitedMs, answered] = [0, 0, 0, -1];
  const backOff = (times: number): number =>
    Math.min(firstDelayMs * 2 ** (times - 1) * (0.5 + random() / 2), maxDelayMs);
  const afterRefusal = (host: string, askedMs: number): number | null => {
    const now = answers.of(host);
    refusals = now === answered ? refusals + 1 : 1;
    answered = now;
    const delay = Math.max(askedMs, backOff(refusals));
    waitedMs += delay;
    return refusals >= MAX_REFUSALS || waitedMs > patienceMs ? null : delay;
  };
  return {
    delayAfter: (outcome) => {
      if (outcome.kind !== 'failed' || !outcome.transient || spentItsTime(outcome)) return null;
      const { finalUrl, retryAfterMs } = outcome;
      if (retryAfterMs !== null) return afterRefusal(new URL(finalUrl).host, retryAfterMs);
      failures += 1;
      return failures >= attempts ? null : backOff(failures);
    },
  };
};

const spentItsTime = ({ code }: PageFailed): boolean => code === 'timed_out' || code === 'too_slow';
