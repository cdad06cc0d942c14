import type { Container } from 'inversify';
import { sleep } from '../adapters/system/timing.ts';
import { isDamagedStream } from '../application/ports/event-checks.ts';
import { EventStoreUnavailable, OutcomeUnknown, type Position } from '../application/ports/event-store.ts';
import { ensureKey, FIRST_TENANT, type FirstKey, type KeyDeps } from './bootstrap.ts';
import type { Config } from './config/config.ts';
import { HEALTH } from './modules/http.ts';
import { CORE } from './modules/core.ts';
import type { StartState } from './readiness.ts';

/** The services that issue keys without the API. */
export const keyDeps = (container: Container): KeyDeps => ({
  ...container.get(CORE),
  execute: container.get(CORE).execute,
});

const POLL_MS = 1_000;
const WORKS_WITHIN_MS = 30_000;

/**
 * Prints the key: `opened` with the address, as soon as it can be used; `late` when the key could only be made later.
 */
export interface Announce {
  readonly opened: (key: string | null) => void;
  readonly late: (key: string) => void;
}

/**
 * Makes the first key if there is none, and completes the start when the key works, that is, when it is in the view for
 * authentication. The key is shown once it works, when the view is halted, after half a minute without either, or when
 * `signal` aborts, because it is shown nowhere else. While the event store is unavailable, or if the stream of the first
 * tenant's keys is damaged, the service opens without it. Resolves when everything is printed.
 */
export const openWithFirstKey = async (
  container: Container,
  { bootstrapKey }: Pick<Config, 'bootstrapKey'>,
  announce: Announce,
  signal: AbortSignal,
): Promise<void> => {
  const start = container.get(HEALTH).start;
  let show = announce.opened;
  const onUnavailable = (): void => {
    start.set({ 'first key': 'it waits for the event store' });
    announce.opened(null);
    show = (key) => key !== null && announce.late(key);
  };
  const first = await madeKey(keyDeps(container), bootstrapKey, onUnavailable, signal).catch(
    (error: unknown) => {
      if (!isDamagedStream(error)) throw error;
      // Other tenants are none the worse for it.
      container
        .get(CORE)
        .log.error('a stream of the event store was tampered with', { error: error.message });
      start.set({});
      announce.opened(null);
      return null;
    },
  );
  if (first === null) return;
  start.set({ 'first key': 'not in its view yet: does a process with the role projector run?' });
  await untilItWorks(container, first.position, start, signal);
  show(first.key);
};

/** Null when `signal` aborts before the event store responds. Calls `onUnavailable` once if it does not respond. */
const madeKey = async (
  deps: KeyDeps,
  given: string | undefined,
  onUnavailable: () => void,
  signal: AbortSignal,
): Promise<FirstKey | null> => {
  const made = deps.secrets.newApiKey();
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      return await ensureKey(deps, FIRST_TENANT, given, made);
    } catch (error) {
      if (!(error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown)) throw error;
      if (tries === 0) onUnavailable();
      await sleep(POLL_MS, signal);
    }
  }
  return null;
};

const untilItWorks = async (
  container: Container,
  position: Position,
  start: StartState,
  signal: AbortSignal,
): Promise<void> => {
  const works = async (): Promise<void> => {
    if (await keyWorks(container, position, signal)) start.set({});
  };
  const over = new AbortController();
  const waiting = AbortSignal.any([over.signal, signal]);
  const why = await Promise.race([
    works(),
    sleep(WORKS_WITHIN_MS, waiting).then(() => 'does a process with the role projector run?'),
    isHalted(container, waiting).then(() => 'their view is halted, see /readyz'),
  ]);
  over.abort();
  if (why !== undefined && !signal.aborted) container.get(CORE).log.warn(`keys are not up to date: ${why}`);
};

/** Resolves when the view of keys is halted, which only an operator can end, or when `signal` aborts. */
const isHalted = async (container: Container, signal: AbortSignal): Promise<void> => {
  const { readiness } = container.get(HEALTH).answers;
  while (!signal.aborted) {
    await sleep(POLL_MS, signal);
    if ('projection api_key' in (await readiness()).reasons) return;
  }
};

/**
 * Resolves true when the view of keys has reached the position, however long that takes; false when `signal` aborts.
 */
const keyWorks = async (container: Container, position: Position, signal: AbortSignal): Promise<boolean> => {
  const { gate } = container.get(CORE);
  while (!signal.aborted) {
    // Readiness reports an unavailable database separately.
    const known = await gate.reached(['api_key'], position, POLL_MS).catch(() => null);
    if (known === true) return true;
    if (known === null) await sleep(POLL_MS, signal);
  }
  return false;
};
