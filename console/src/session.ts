import { type Client, createClient } from 'knowledger-client';
import { useSyncExternalStore } from 'react';
import { comeBack, leaveIssuer, refreshed, type SignedIn } from './issuer.ts';
import { notedFetch } from './reach.ts';

const NAME = 'knowledger-key';
const PERSON = 'knowledger-person';

let client: Client | null = null;
/** Null while a key gives access. */
let person: SignedIn | null = null;
const listeners = new Set<() => void>();

const become = (next: Client | null, by: SignedIn | null = null): void => {
  client = next;
  person = by;
  for (const listener of listeners) listener();
};

// It follows the log, and shows what there is where a view does not get on.
const clientWith = (key: string | (() => Promise<string>)): Client =>
  createClient({ url: location.origin, key, fetch: notedFetch, readsOwnWrites: false });

/** Asks the service whether it knows the key, whatever that may do. */
export const signIn = async (key: string, { keep }: { readonly keep: boolean }): Promise<boolean> => {
  const next = clientWith(key);
  try {
    await next.get('/me');
  } catch (error) {
    if ((error as { status?: number }).status === 401) return false;
    throw error;
  }
  if (keep) sessionStorage.setItem(NAME, key);
  become(next);
  return true;
};

/** A token is renewed so long before it ends. */
const EARLY_MS = 20_000;

const enter = (signedIn: SignedIn, keep: boolean): void => {
  let renewing: Promise<void> | undefined;
  const keepNow = (next: SignedIn): void => {
    if (keep) sessionStorage.setItem(PERSON, JSON.stringify(next));
    person = next;
  };
  const renewToken = async (of: SignedIn): Promise<void> => {
    try {
      const next = await refreshed(of);
      if (person === of) keepNow(next);
    } finally {
      renewing = undefined;
    }
  };
  const token = async (): Promise<string> => {
    const now = person ?? signedIn;
    const ends = now.expiresAt !== null && now.expiresAt - EARLY_MS < Date.now();
    // One that is over is sent as it is: the service refuses it, and the session ends.
    if (ends && now.refreshToken !== null) await (renewing ??= renewToken(now));
    return (person ?? now).token;
  };
  become(clientWith(token), signedIn);
  keepNow(signedIn);
};

const forget = (why: typeof start): void => {
  start = why;
  sessionStorage.removeItem(NAME);
  sessionStorage.removeItem(PERSON);
  become(null);
};

export const signOut = (): void => {
  const left = person;
  forget(null);
  if (left !== null) leaveIssuer(left);
};

/** Why nobody came back from the issuer; null: nothing has failed. */
let refusal: unknown = null;
export const lastRefusal = (): unknown => refusal;

/** What became of the key of a link, or of the one that the tab kept; and whether the service took it no more later. */
let start: 'refused' | 'linked' | 'ended' | null = null;
export const howItStarted = (): typeof start => start;

/**
 * Takes whoever comes back from the issuer; else the key from the link that the first start prints, which never leaves
 * the browser, or what the tab keeps. The address loses key and code at once.
 */
export const resume = async (): Promise<void> => {
  try {
    const back = await comeBack();
    if (back !== null) return enter(back.signedIn, back.keep);
  } catch (error) {
    refusal = error;
    return;
  }
  const kept = sessionStorage.getItem(PERSON);
  if (kept !== null) return enter(JSON.parse(kept) as SignedIn, true);
  const linked = new URLSearchParams(location.hash.slice(1)).get('key');
  if (linked !== null) history.replaceState(null, '', location.pathname + location.search);
  const key = linked ?? sessionStorage.getItem(NAME);
  if (key === null) return;
  if (!(await signIn(key, { keep: true }).catch(() => true))) return forget('refused');
  if (linked !== null) start = 'linked';
  if (client === null) become(clientWith(key));
};

/** Goes on with this key where the service refuses the one so far, as after its rotation. */
export const renew = async (key: string): Promise<void> => {
  try {
    await client?.get('/me');
  } catch (error) {
    if ((error as { status?: number }).status !== 401) return;
    await signIn(key, { keep: sessionStorage.getItem(NAME) !== null });
  }
};

/** A rotation of the session's own key goes on with the new one within this time. */
const SETTLE_MS = 1_500;
let asks = false;

/** Asks to sign in again, on the same page, where the service no longer takes the key or the token. */
export const leaveIfRefused = async (): Promise<void> => {
  if (asks) return;
  asks = true;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  try {
    await client?.get('/me');
  } catch (error) {
    if ((error as { status?: number }).status === 401) forget('ended');
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

/** The name of whoever has signed in at the issuer; null for the holder of a key. */
export const usePerson = (): string | null => useSyncExternalStore(subscribe, () => person?.name ?? null);

/** Of a page, which only those see who have signed in. */
export const useClient = (): Client => {
  const current = useSession();
  if (current === null) throw new Error('nobody has signed in');
  return current;
};
