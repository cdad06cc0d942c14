import { BEGINNING, type EventFeed } from '../../application/ports/event-store.ts';
import { median, type SideBySide, sideBySide } from '../measuring/side-by-side.ts';

/** A rate, with the processor time of this process. */
export interface Measured {
  readonly perSecond: number;
  readonly microseconds: number;
}

/** @throws Error when `run` did not come by so many events */
export const measured = async (expected: number, run: () => Promise<number>): Promise<Measured> => {
  const before = process.cpuUsage();
  const begun = performance.now();
  const events = await run();
  const seconds = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  if (events !== expected) throw new Error(`${events} events came instead of ${expected}`);
  return { perSecond: events / seconds, microseconds: (user + system) / events };
};

export const NEVER = new AbortController().signal;

/** Two rates side by side, with the processor time for each event. */
export const compared = async (
  rounds: number,
  ours: () => Promise<Measured>,
  rival: () => Promise<Measured>,
): Promise<SideBySide & { readonly processor_us_an_event: readonly number[] }> => {
  const times: { readonly ours: number[]; readonly rival: number[] } = { ours: [], rival: [] };
  const kept = (side: keyof typeof times, run: () => Promise<Measured>) => async (): Promise<number> => {
    const { perSecond, microseconds } = await run();
    times[side].push(microseconds);
    return perSecond;
  };
  const found = await sideBySide(rounds, kept('ours', ours), kept('rival', rival));
  return {
    ...found,
    processor_us_an_event: [median(times.ours), median(times.rival)].map((us) => Math.round(us * 10) / 10),
  };
};

export const readAll = async (feed: EventFeed): Promise<number> => {
  let events = 0;
  for await (const message of feed.follow(BEGINNING, {}, { signal: NEVER, batchSize: 2_000 })) {
    if (message.kind === 'caughtUp') break;
    if (message.kind === 'events') events += message.events.length;
  }
  return events;
};
