import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much may pass before its memory is taken back. */
const EVERY_BYTES = 16 * 1024 * 1024;

/**
 * Told of bytes that pass through, it collects what died young after every 16 MB of them. Buffers lie outside of the heap:
 * little of the heap is used for them, so the engine does not collect by itself until they are too many, and then marks
 * the whole heap.
 */
export const createYoungCollector = (collect: () => void = collectYoung): ((bytes: number) => void) => {
  let passed = 0;
  return (bytes) => {
    passed += bytes;
    if (passed < EVERY_BYTES) return;
    passed = 0;
    collect();
  };
};

let collector: ((options: { readonly type: 'minor' }) => void) | null = null;

/** Takes a millisecond or two: it looks only at what was made since the last time. */
export const collectYoung = (): void => {
  collector ??= exposed();
  collector({ type: 'minor' });
};

/** The engine gives its collector to contexts that are made while this flag is set. */
const exposed = (): NonNullable<typeof collector> => {
  setFlagsFromString('--expose-gc');
  const found = runInNewContext("typeof gc === 'function' ? gc : undefined") as typeof collector | undefined;
  setFlagsFromString('--no-expose-gc');
  return found ?? (() => undefined);
};
