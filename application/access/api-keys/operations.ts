import { apiKey, type ApiKeyEvent, type KeyRing, type Scope } from '../../../domain/api-key/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import { type Caller, ownIdempotencyKey, sees, seesKey } from '../caller.ts';
import { lastUsed } from '../last-uses.ts';
import { type IdempotentDeps, type Written, idempotently } from '../../event-sourcing/idempotent.ts';
import type { Executed } from '../../event-sourcing/execute.ts';
import { type Page, type PageRequest, unknownCursor } from '../../ports/page.ts';
import type { ApiKeyOverlay } from '../../ports/read-your-writes.ts';
import type { ApiKeyView, ApiKeyRow } from '../../ports/access-views.ts';
import type { EventStore, Position } from '../../ports/event-store.ts';
import type { ApiKeySource } from '../../ports/identity.ts';
import type { LastUses } from '../../ports/last-uses.ts';
import { apiKeyRowOf } from '../../read-models/access-rows.ts';
import { apiKeyStream, dataSourceStream } from '../../event-sourcing/streams.ts';
import { readMetadata } from '../../event-sourcing/event-codec.ts';

/** Maximum concurrent reads of streams. */
const MAX_CONCURRENT_READS = 16;

/**
 * Rejects ids of data sources that the tenant has never had. Reads the first event of each stream instead of a view,
 * so that a new data source counts from the response to its creation.
 *
 * @throws DomainError not_found naming the first unknown id
 */
export const mustBeKnown = async (
  store: Pick<EventStore, 'readStream'>,
  tenant: string,
  ids: readonly string[],
): Promise<void> => {
  for (let from = 0; from < ids.length; from += MAX_CONCURRENT_READS) {
    const some = ids.slice(from, from + MAX_CONCURRENT_READS);
    const found = await Promise.all(some.map((id) => store.readStream(dataSourceStream(id), 0n, 1)));
    for (const [i, [first]] of found.entries()) {
      if (first !== undefined && readMetadata(first.metadata).tenant === tenant) continue;
      throw new DomainError('not_found', `there is no source group ${some[i]}`);
    }
  }
};

export interface ApiKeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null for every source group within the reach of the issuer's key. */
  readonly sourceGroupIds: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
}

/** A key as the API shows it. */
export interface ApiKeyRecord extends ApiKeyRow {
  /** Unix milliseconds, accurate to about a minute; null for never. */
  readonly lastUsedAt: number | null;
}

/** A key that has just been created. It is returned only once. */
interface IssuedKey {
  readonly row: ApiKeyRecord;
  /**
   * Null for a repeated request with the same Idempotency-Key: the key was returned the first time and is not stored.
   */
  readonly key: string | null;
}

export interface ApiKeyDeps extends IdempotentDeps {
  readonly view: ApiKeyView;
  readonly lastUses: Pick<LastUses, 'lastUsed' | 'forget'>;
  readonly secrets: ApiKeySource;
  readonly store: Pick<EventStore, 'readStream'>;
  readonly overlay: ApiKeyOverlay;
  /** Clears this process's cache of lookups. */
  readonly clearCache: () => void;
}

export const createApiKeyOperations = (deps: ApiKeyDeps) => {
  const { execute, hash, secrets, clock, view, lastUses, overlay } = deps;
  /** Refuses the key in this process from now on, and in other processes within a second, when their caches expire. */
  const refuseKey = async (keyHash: string | undefined, position: Position): Promise<void> => {
    if (keyHash !== undefined) await overlay.close(keyHash, position);
    deps.clearCache();
  };
  return {
    /** @throws DomainError not_found for a source group; scope_not_grantable, key_restricted, idempotency_conflict */
    issue: async (
      caller: Caller,
      request: ApiKeyRequest,
      idempotencyKey: string | undefined,
    ): Promise<Written<IssuedKey>> => {
      // Groups beyond the caller's reach are refused by the aggregate, whether they exist or not.
      const named = request.sourceGroupIds?.filter((id) => sees(caller, id)) ?? [];
      await mustBeKnown(deps.store, caller.tenant, named);
      const body = {
        operation: 'issueApiKey',
        key: ownIdempotencyKey(caller, idempotencyKey),
        body: request,
      };
      return idempotently(deps, body, 1, caller.context, async ({ ids, at }) => {
        const keyId = ids[0] as string;
        const key = secrets.newApiKey();
        const facts = { keyId, keyHash: hash.sha256(key), ...request, issuer: caller.grant, at };
        const stream = apiKeyStream(caller.tenant);
        const done = await execute(apiKey, stream, { type: 'issue', ...facts }, caller.context);
        const issued = done.events.length > 0;
        // A repeated request gets the first response, even if the key has changed since.
        const { issuer: _, ...keyFacts } = facts;
        const row = issued
          ? rowOf(done, keyId, caller.tenant)
          : apiKeyRowOf(keyFacts, { tenant: caller.tenant, revision: 0n });
        if (issued) await overlay.open(row, done.position);
        return {
          record: { row: recordOf(row, undefined), key: issued ? key : null },
          position: done.position,
          changed: issued,
        };
      });
    },

    /** Newest first. @throws DomainError invalid_cursor */
    list: async (caller: Caller, page: PageRequest): Promise<Page<ApiKeyRecord>> => {
      const { after } = page;
      if (after !== undefined && !(await isKnownCursor(deps, caller, after))) throw unknownCursor(after);
      const { tenant, grant, past } = caller;
      const found = await (past?.apiKeys ?? view).list(tenant, page, grant.sourceGroupIds);
      const ids = found.rows.map(({ id }) => id);
      const used = await lastUsed(lastUses, caller, ids);
      return { ...found, rows: found.rows.map((row) => recordOf(row, used.get(row.id))) };
    },

    get: async (caller: Caller, id: string): Promise<ApiKeyRecord> => {
      const row = await (caller.past?.apiKeys ?? view).get(caller.tenant, id);
      if (row === null || !seesKey(caller, row)) throw noSuch();
      return recordOf(row, (await lastUsed(lastUses, caller, [id])).get(id));
    },

    /**
     * The old key is refused from now on. @throws DomainError scope_not_grantable for a key with more rights than the
     * caller's
     */
    rotate: async (caller: Caller, keyId: string): Promise<Written<IssuedKey>> => {
      const key = secrets.newApiKey();
      const facts = { keyId, keyHash: hash.sha256(key), issuer: caller.grant, at: clock.now() };
      const stream = apiKeyStream(caller.tenant);
      const { guard, hashBefore } = mustSee(caller, keyId);
      const done = await execute(apiKey, stream, { type: 'rotate', ...facts }, caller.context, { guard });
      const row = rowOf(done, keyId, caller.tenant);
      await overlay.open(row, done.position);
      await refuseKey(hashBefore(), done.position);
      const used = await lastUses.lastUsed([keyId]);
      const record = { row: recordOf(row, used.get(keyId)), key };
      return { record, position: done.position, changed: true };
    },

    /** @throws DomainError scope_not_grantable for a key with more rights than the caller's; last_issuer_key */
    revoke: async (caller: Caller, keyId: string): Promise<Written<string>> => {
      const command = { type: 'revoke', keyId, issuer: caller.grant, at: clock.now() } as const;
      const { guard, hashBefore } = mustSee(caller, keyId);
      const done = await execute(apiKey, apiKeyStream(caller.tenant), command, caller.context, { guard });
      await refuseKey(hashBefore(), done.position);
      await lastUses.forget(keyId);
      return { record: keyId, position: done.position, changed: true };
    },
  };
};
export type ApiKeyOperations = ReturnType<typeof createApiKeyOperations>;

const recordOf = (row: ApiKeyRow, lastUsedAt: number | undefined): ApiKeyRecord => ({
  ...row,
  lastUsedAt: lastUsedAt ?? null,
});

const noSuch = (): DomainError => new DomainError('not_found', 'there is no such API key');

/** Whether the caller sees the key, or saw it before it was revoked. Only the events contain revoked keys. */
const isKnownCursor = async (
  { view, execute }: Pick<ApiKeyDeps, 'view' | 'execute'>,
  caller: Caller,
  keyId: string,
): Promise<boolean> => {
  const row = await view.get(caller.tenant, keyId);
  if (row !== null) return seesKey(caller, row);
  const ring = (await execute.load(apiKey, apiKeyStream(caller.tenant), caller.tenant))?.state;
  const known = ring?.keys.get(keyId) ?? ring?.revoked.get(keyId);
  return known !== undefined && seesKey(caller, known);
};

/** A guard that checks visibility and captures the hash that the key had before the command. */
const mustSee = (caller: Caller, keyId: string) => {
  let before: string | undefined;
  const guard = ({ keys }: KeyRing): void => {
    const key = keys.get(keyId);
    if (key === undefined || !seesKey(caller, key)) throw noSuch();
    before = key.keyHash;
  };
  return { guard, hashBefore: () => before };
};

const rowOf = (
  { state, revision }: Pick<Executed<ApiKeyEvent, KeyRing>, 'state' | 'revision'>,
  id: string,
  tenant: string,
): ApiKeyRow => {
  const key = state.keys.get(id);
  if (key === undefined) throw noSuch();
  return apiKeyRowOf(key, { tenant, revision: revision === 'none' ? 0n : revision });
};
