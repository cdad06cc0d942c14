import type { Lease } from '../../../application/ports/leases.ts';

export const LEASE: Lease = {
  kind: 'errand',
  id: 'e-1',
  tenant: 'acme',
  token: 1n,
  attempt: 1,
  lasting: 0,
};

interface Timer {
  readonly ms: number;
  readonly run: () => Promise<void>;
  stopped: boolean;
}

/** Timers that run when a test says so, and remember whether they were stopped. */
export const timersByHand = () => {
  const timers: Timer[] = [];
  const every = (ms: number, run: () => Promise<void>) => {
    const timer: Timer = { ms, run, stopped: false };
    timers.push(timer);
    return { stop: () => void (timer.stopped = true) };
  };
  const turn = async (ms: number): Promise<void> => {
    for (const timer of timers.filter((one) => one.ms === ms && !one.stopped)) await timer.run();
  };
  return { timers, every, turn };
};

/** A log that keeps its lines. */
export const keptLog = () => {
  const lines: (readonly [level: string, message: string, fields: unknown])[] = [];
  const at = (level: string) => (message: string, fields?: unknown) =>
    void lines.push([level, message, fields]);
  return { lines, log: { info: at('info'), warn: at('warn'), error: at('error') } };
};
