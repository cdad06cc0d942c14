import { apiKey, SCOPES } from '../domain/api-key/decider.ts';
import type { CommandContext } from '../application/ports/event-metadata.ts';
import type { Execute } from '../application/event-sourcing/execute.ts';
import { BEGINNING, type Position } from '../application/ports/event-store.ts';
import type { Clock, Hash, IdSource, ApiKeySource } from '../application/ports/identity.ts';
import { apiKeyStream } from '../application/event-sourcing/streams.ts';

/** The tenant of the first key. */
export const FIRST_TENANT = '00000000-0000-8000-8000-000000000001';

export interface KeyDeps {
  readonly execute: Execute;
  readonly ids: IdSource;
  readonly hash: Hash;
  readonly clock: Clock;
  readonly secrets: ApiKeySource;
}

export interface FirstKey {
  readonly tenant: string;
  /** Null when the tenant already has keys: a key is shown once. */
  readonly key: string | null;
  readonly position: Position;
}

const FIRST_KEY = 'first key';

/**
 * Ensures that a tenant has a key with every scope: the given key, or a new one if the tenant has none. Two concurrent
 * starts issue at most one key each; both keys are valid. A given key that an earlier version issued gains the scopes
 * that have come since; keys that people made keep what they were given.
 *
 * @param made the new key of an earlier call whose result was lost; it is shown whichever call issued it
 */
export const ensureKey = async (
  deps: KeyDeps,
  tenant: string,
  given: string | undefined,
  made: string = deps.secrets.newApiKey(),
): Promise<FirstKey> => {
  const { execute, hash } = deps;
  const key = given ?? made;
  const shown = given === undefined ? key : null;
  const found = await execute.load(apiKey, apiKeyStream(tenant), undefined);
  const keys = [...(found?.state ?? apiKey.initial).keys.values()];
  const issued = keys.find(({ keyHash }) => keyHash === hash.sha256(key));
  if (issued?.name === FIRST_KEY && given !== undefined) {
    const command = {
      type: 'extend',
      keyId: issued.keyId,
      scopes: [...SCOPES],
      at: deps.clock.now(),
    } as const;
    const context = contextOf(tenant, issued.keyId, 'bootstrap');
    const { position } = await execute(apiKey, apiKeyStream(tenant), command, context);
    return { tenant, key: shown, position };
  }
  if (issued !== undefined || (given === undefined && keys.length > 0)) {
    return { tenant, key: issued === undefined ? null : shown, position: found?.position ?? BEGINNING };
  }
  const position = await issueFull(deps, tenant, key, { name: FIRST_KEY, by: 'bootstrap' });
  return { tenant, key: shown, position };
};

/** Issues one more key with every scope for a tenant whose keys were lost. The key is not stored. */
export const issueRecoveryKey = async (
  deps: KeyDeps,
  tenant: string,
): Promise<{ readonly key: string; readonly position: Position }> => {
  const key = deps.secrets.newApiKey();
  const by = { name: 'key from the command line', by: 'command line' };
  return { key, position: await issueFull(deps, tenant, key, by) };
};

const issueFull = async (
  { execute, ids, hash, clock }: KeyDeps,
  tenant: string,
  key: string,
  { name, by }: { readonly name: string; readonly by: string },
): Promise<Position> => {
  const keyId = ids.newId();
  const context = contextOf(tenant, keyId, by);
  const unlimited = { sourceGroupIds: null, expiresAt: null, requestsPerMinute: null, issuer: null };
  const facts = { keyId, name, keyHash: hash.sha256(key), scopes: [...SCOPES], ...unlimited };
  const command = { type: 'issue', ...facts, at: clock.now() } as const;
  return (await execute(apiKey, apiKeyStream(tenant), command, context)).position;
};

const contextOf = (tenant: string, keyId: string, by: string): CommandContext => ({
  tenant,
  actor: { kind: 'system', id: by },
  correlationId: keyId,
  causationId: keyId,
});
