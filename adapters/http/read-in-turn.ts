import type { Response } from 'express';

/**
 * Runs work when it is the key's turn, and counts it as running until it settles.
 *
 * @throws DomainError unavailable, at once where it cannot begin in time
 */
export type InTurn = <T>(key: string, work: () => Promise<T>) => Promise<T>;

/** How long a body may take to arrive before it gives up its turn: slow senders hold up nobody. */
const ARRIVAL_MS = 1_000;

/**
 * Reads the body of a request when it is the tenant's turn: what waits costs no memory, and what would wait too long is
 * refused unread. The turn lasts until `leave` is called, or the response is closed.
 *
 * @throws what `inTurn` and `read` throw
 */
export const readInTurn = async <T>(
  inTurn: InTurn,
  tenant: string,
  res: Response,
  read: () => Promise<T>,
): Promise<{ readonly body: T; readonly leave: () => void }> => {
  let leave = await takeTurn(inTurn, tenant, res);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    leave();
  }, ARRIVAL_MS);
  try {
    const body = await read();
    if (isLate) leave = await takeTurn(inTurn, tenant, res);
    return { body, leave };
  } finally {
    clearTimeout(timer);
  }
};

const takeTurn = (inTurn: InTurn, tenant: string, res: Response): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const begin = async (): Promise<void> => {
      const left = Promise.withResolvers<void>();
      if (res.closed) left.resolve();
      else res.once('close', left.resolve);
      resolve(left.resolve);
      await left.promise;
    };
    inTurn(tenant, begin).catch(reject);
  });
