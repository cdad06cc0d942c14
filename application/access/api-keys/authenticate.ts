import type { ApiKeyView, ApiKeyRow } from '../../ports/access-views.ts';
import type { Clock, Hash } from '../../ports/identity.ts';
import type { NoteUse } from '../last-uses.ts';

export type Authenticated =
  | { readonly ok: true; readonly key: ApiKeyRow }
  | { readonly ok: false; readonly reason: 'missing_api_key' | 'invalid_api_key' | 'expired_api_key' };

export interface Authenticate {
  (key: string | undefined): Promise<Authenticated>;
  /** Clears the cache. Called when the projection of keys has changed. */
  readonly clearCache: () => void;
}

/** How long a lookup is cached: the maximum delay until a key that another process has revoked is refused. */
const CACHE_MS = 1_000;
const MAX_CACHED_KEYS = 10_000;
/** A key has 46 characters (`kn_` and 43 more); a much longer text is refused without hashing it. */
const MAX_KEY_LENGTH = 200;

export const createAuthenticate = ({
  view,
  hash,
  clock,
  noteUse,
}: {
  readonly view: ApiKeyView;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly noteUse: NoteUse;
}): Authenticate => {
  const cache = new Map<string, { readonly row: ApiKeyRow; readonly until: number }>();

  const lookUp = async (keyHash: string, now: number): Promise<ApiKeyRow | null> => {
    const hit = cache.get(keyHash);
    if (hit !== undefined && hit.until > now) return hit.row;
    const row = await view.byHash(keyHash);
    if (cache.size >= MAX_CACHED_KEYS) cache.clear();
    if (row === null) cache.delete(keyHash);
    else cache.set(keyHash, { row, until: now + CACHE_MS });
    return row;
  };

  const authenticate = async (key: string | undefined): Promise<Authenticated> => {
    if (key === undefined || key === '') return { ok: false, reason: 'missing_api_key' };
    if (key.length > MAX_KEY_LENGTH) return { ok: false, reason: 'invalid_api_key' };
    const now = clock.now();
    const row = await lookUp(hash.sha256(key), now);
    if (row === null) return { ok: false, reason: 'invalid_api_key' };
    if (row.expiresAt !== null && row.expiresAt <= now) return { ok: false, reason: 'expired_api_key' };
    noteUse(row.id);
    return { ok: true, key: row };
  };
  return Object.assign(authenticate, { clearCache: () => cache.clear() });
};
