import { RuntimeFailed, type RuntimeReport } from '../../ports/agent-runtime.ts';

export interface Listening {
  /** How long a runtime may say nothing at all, in milliseconds. */
  readonly silenceMs: number;
  /** An abort signal that fires after so many milliseconds; `clear` ends the wait. */
  readonly after: (ms: number) => { readonly signal: AbortSignal; readonly clear: () => void };
}

/**
 * Reports as they come, as long as they come: a runtime that says nothing for too long is left. What the listener does
 * with a report does not count.
 *
 * @throws RuntimeFailed runtime_silent; what `open` throws; the reason of `signal` once it aborts
 */
export async function* listen(
  { after, silenceMs }: Listening,
  open: (ends: AbortSignal) => AsyncIterable<RuntimeReport>,
  signal: AbortSignal,
): AsyncGenerator<RuntimeReport> {
  const silent = new AbortController();
  const ends = AbortSignal.any([signal, silent.signal]);
  const reports = open(ends)[Symbol.asyncIterator]();
  const leave = (): void =>
    silent.abort(new RuntimeFailed('runtime_silent', silence(silenceMs), { mayGoOn: true }));
  try {
    for (;;) {
      const late = after(silenceMs);
      late.signal.addEventListener('abort', leave, { once: true });
      const next = await orAborted(reports.next(), ends).finally(late.clear);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    silent.abort(new Error('nobody listens any more'));
  }
}

const silence = (ms: number): string =>
  `the runtime said nothing for ${Math.round(ms / 1_000)} s: it may have acted; its session tells what it did`;

/** Does not wait for a runtime whose client does not listen to its signal. */
const orAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const gone = (): void => reject(signal.reason as Error);
    if (signal.aborted) gone();
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });
