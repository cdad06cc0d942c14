import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Reads once for all who ask under one key in the same turn of the event loop. The reading begins after the last of them has
 * asked, so that nobody gets what was read before.
 */
export const sharedByTurn = <T>(read: (key: string) => Promise<T>): ((key: string) => Promise<T>) => {
  const waiting = new Map<string, Promise<T>>();
  const readInTime = async (key: string): Promise<T> => {
    await nextTurn();
    waiting.delete(key);
    return read(key);
  };
  return (key) => {
    const shared = waiting.get(key) ?? readInTime(key);
    waiting.set(key, shared);
    return shared;
  };
};
