import type { Container } from 'inversify';
import { sleep } from '../adapters/system/timing.ts';
import type { Position } from '../application/ports/event-store.ts';
import { type BootstrapDeps, ensureKey, FIRST_TENANT } from './bootstrap.ts';
import type { Config } from './config.ts';
import type { StartState } from './start-state.ts';
import { TOKENS as T } from './tokens.ts';

const LOOK_MS = 1_000;
const PATIENCE_MS = 30_000;

/**
 * Makes the first key where there is none, and has the start end when the key works: it stands in the view that
 * requests are let in by. Answers the key, if it is to be shown: as soon as it works, after half a minute without that,
 * or when `signal` aborts, because it is told nowhere else.
 */
export const openWithFirstKey = async (
  container: Container,
  { bootstrapKey }: Pick<Config, 'bootstrapKey'>,
  start: StartState,
  signal: AbortSignal,
): Promise<string | null> => {
  const { key, position } = await ensureKey(bootstrapDeps(container), FIRST_TENANT, bootstrapKey);
  start.set({ 'first key': 'not in its view yet: does a process with the role projector run?' });
  const works = keyWorks(container, position, signal).then((known) => {
    if (known) start.set({});
    return known;
  });
  const late = new AbortController();
  const known = await Promise.race([works, sleep(PATIENCE_MS, late.signal).then(() => false)]);
  late.abort();
  if (!known && !signal.aborted) {
    container.get(T.Logger).warn('keys are not up to date: does a process with the role projector run?');
  }
  return key;
};

/** Resolves true when the view of keys has come so far, however long that takes; false when `signal` aborts. */
const keyWorks = async (container: Container, position: Position, signal: AbortSignal): Promise<boolean> => {
  const gate = container.get(T.ReadGate);
  while (!signal.aborted) {
    // A database that is away has its own place in readiness.
    const known = await gate.reached(['api_key'], position, LOOK_MS).catch(() => null);
    if (known === true) return true;
    if (known === null) await sleep(LOOK_MS, signal);
  }
  return false;
};

export const bootstrapDeps = (container: Container): BootstrapDeps => ({
  execute: container.get(T.Execute),
  ids: container.get(T.IdSource),
  hash: container.get(T.Hash),
  clock: container.get(T.Clock),
  secrets: container.get(T.Secrets),
});
