import { type Client, createClient } from 'knowledger-client';
import { useSyncExternalStore } from 'react';

const NAME = 'knowledger-key';

let client: Client | null = null;
const listeners = new Set<() => void>();

const become = (next: Client | null): void => {
  client = next;
  for (const listener of listeners) listener();
};

// It follows the log, and shows what there is where a view does not get on.
const clientWith = (key: string): Client =>
  createClient({ url: location.origin, key, readsOwnWrites: false });

/** Asks the service whether it knows the key. A key that may not read anything is still known. */
export const signIn = async (key: string, { keep }: { readonly keep: boolean }): Promise<boolean> => {
  const next = clientWith(key);
  try {
    await next.get('/source-groups', { query: { limit: 1 } });
  } catch (error) {
    if ((error as { status?: number }).status === 401) return false;
    if ((error as { status?: number }).status !== 403) throw error;
  }
  if (keep) sessionStorage.setItem(NAME, key);
  become(next);
  return true;
};

export const signOut = (): void => {
  sessionStorage.removeItem(NAME);
  become(null);
};

/**
 * Takes the key from the link that the first start prints, which never leaves the browser, or from the tab. The address
 * loses it at once.
 */
export const resume = async (): Promise<void> => {
  const linked = new URLSearchParams(location.hash.slice(1)).get('key');
  if (linked !== null) history.replaceState(null, '', location.pathname + location.search);
  const key = linked ?? sessionStorage.getItem(NAME);
  if (key === null) return;
  if (!(await signIn(key, { keep: true }).catch(() => true))) return signOut();
  if (client === null) become(clientWith(key));
};

/** Goes on with this key where the service refuses the one so far, as after its rotation. */
export const renew = async (key: string): Promise<void> => {
  try {
    await client?.get('/source-groups', { query: { limit: 1 } });
  } catch (error) {
    if ((error as { status?: number }).status !== 401) return;
    await signIn(key, { keep: sessionStorage.getItem(NAME) !== null });
  }
};

/** A rotation of the session's own key goes on with the new one within this time. */
const SETTLE_MS = 1_500;
let asks = false;

/** Signs out where the service no longer knows the key, since it was revoked or has expired. */
export const leaveIfRefused = async (): Promise<void> => {
  if (asks) return;
  asks = true;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  try {
    await client?.get('/source-groups', { query: { limit: 1 } });
  } catch (error) {
    if ((error as { status?: number }).status === 401) signOut();
  } finally {
    asks = false;
  }
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Null until somebody signs in. */
export const useSession = (): Client | null => useSyncExternalStore(subscribe, () => client);

/** Of a page, which only those see who have signed in. */
export const useClient = (): Client => {
  const current = useSession();
  if (current === null) throw new Error('nobody has signed in');
  return current;
};
