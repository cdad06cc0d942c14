import { emptyMap, type PersistentMap } from '../shared/persistent-map.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

export const SCOPES = [
  'inference:run',
  'knowledge:read',
  'knowledge:write',
  'ingestion:manage',
  'authz:grant',
  'policy:redaction:manage',
  'apikeys:issue',
  'audit:read',
  'webhooks:manage',
] as const;
export type Scope = (typeof SCOPES)[number];

/** The rights of a caller: those of its key. */
export interface Grant {
  readonly scopes: readonly Scope[];
  /** Null for every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
}

/** The keys of a tenant share one stream, because "the last issuer must stay" is a rule over all its keys. */

export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly keyId: string;
  readonly name: string;
  /** SHA-256 of the key, lower-case hex. The key itself is shown once and never stored. */
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  /** Null for every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
  /** Unix milliseconds. */
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
  readonly at: number;
}
/** From now on only the key with the new hash is valid. */
export interface ApiKeyRotated {
  readonly type: 'ApiKeyRotated';
  readonly keyId: string;
  readonly keyHash: string;
  readonly at: number;
}
export interface ApiKeyRevoked {
  readonly type: 'ApiKeyRevoked';
  readonly keyId: string;
  readonly at: number;
}
export type ApiKeyEvent = ApiKeyIssued | ApiKeyRotated | ApiKeyRevoked;

export interface IssueApiKey {
  readonly type: 'issue';
  readonly keyId: string;
  readonly name: string;
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  readonly sourceGroupIds: readonly string[] | null;
  readonly expiresAt: number | null;
  readonly requestsPerMinute: number | null;
  /** Rights of the issuer; null when the service itself issues the key (first start, command line). */
  readonly issuer: Grant | null;
  readonly at: number;
}
/** The service gives a key of its own scopes that there were not when it was issued: it is issued anew. */
export interface ExtendApiKey {
  readonly type: 'extend';
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly at: number;
}
export interface RotateApiKey {
  readonly type: 'rotate';
  readonly keyId: string;
  readonly keyHash: string;
  /** Rights of the caller, here and below: it may only change keys with no more rights than its own. */
  readonly issuer: Grant;
  readonly at: number;
}
export interface RevokeApiKey {
  readonly type: 'revoke';
  readonly keyId: string;
  readonly issuer: Grant;
  readonly at: number;
}
export type ApiKeyCommand = IssueApiKey | ExtendApiKey | RotateApiKey | RevokeApiKey;

/** A key with its current hash; `at` is when it was issued. */
export type ActiveKey = Omit<ApiKeyIssued, 'type'>;

/** The keys of one tenant, indexed so that every decision needs one lookup. */
export interface KeyRing {
  /** Keys that are not revoked, by id. */
  readonly keys: PersistentMap<ActiveKey>;
  /** Keys among them that can issue keys, expired ones included: see `mayIssue`. By id. */
  readonly issuers: PersistentMap<ActiveKey>;
  /** Revoked keys, by id: a repeated request must not restore one. */
  readonly revoked: PersistentMap<RevokedKey>;
}
interface RevokedKey extends Pick<Grant, 'sourceGroupIds'> {
  readonly keyId: string;
}

const initial: KeyRing = { keys: emptyMap(), issuers: emptyMap(), revoked: emptyMap() };

/** A key restricted to source groups cannot replace an unrestricted issuer. */
const mayIssue = ({ scopes, sourceGroupIds }: Grant): boolean =>
  scopes.includes('apikeys:issue') && sourceGroupIds === null;

const evolve = (ring: KeyRing, event: ApiKeyEvent): KeyRing => {
  const { keys, issuers, revoked } = ring;
  switch (event.type) {
    case 'ApiKeyIssued': {
      const { type: _, ...key } = event;
      return withKey(ring, key);
    }
    case 'ApiKeyRotated': {
      const key = keys.get(event.keyId);
      return key === undefined ? ring : withKey(ring, { ...key, keyHash: event.keyHash });
    }
    case 'ApiKeyRevoked': {
      const { keyId } = event;
      const sourceGroupIds = keys.get(keyId)?.sourceGroupIds ?? null;
      return {
        keys: keys.without(keyId),
        issuers: issuers.without(keyId),
        revoked: revoked.with(keyId, { keyId, sourceGroupIds }),
      };
    }
  }
};

const withKey = ({ keys, issuers, revoked }: KeyRing, key: ActiveKey): KeyRing => ({
  keys: keys.with(key.keyId, key),
  issuers: mayIssue(key) ? issuers.with(key.keyId, key) : issuers,
  revoked,
});

const decide = (command: ApiKeyCommand, ring: KeyRing): readonly ApiKeyEvent[] => {
  switch (command.type) {
    case 'issue':
      return issue(command, ring);
    case 'extend': {
      const { keyId, scopes, at } = command;
      const key = existing(keyId, ring);
      if (scopes.every((scope) => key.scopes.includes(scope))) return [];
      return [{ type: 'ApiKeyIssued', ...key, scopes, at }];
    }
    case 'rotate': {
      const key = existing(command.keyId, ring);
      mustReach(command.issuer, key, 'rotate a key that has it');
      if (key.keyHash === command.keyHash) return [];
      return [{ type: 'ApiKeyRotated', keyId: key.keyId, keyHash: command.keyHash, at: command.at }];
    }
    case 'revoke': {
      const key = existing(command.keyId, ring);
      mustReach(command.issuer, key, 'revoke a key that has it');
      if (isIssuer(key, command.at) && !otherIssuer(key, ring, command.at)) {
        throw new DomainError(
          'last_issuer_key',
          'this is the last key that can issue keys: first issue another one that has the scope apikeys:issue, ' +
            'is not restricted to source groups and has not expired',
        );
      }
      return [{ type: 'ApiKeyRevoked', keyId: key.keyId, at: command.at }];
    }
  }
};

const issue = (command: IssueApiKey, ring: KeyRing): readonly ApiKeyEvent[] => {
  const { type: _, issuer, ...facts } = command;
  if (ring.keys.has(command.keyId) || ring.revoked.has(command.keyId)) return [];
  if (issuer !== null) mustReach(issuer, command, 'grant it');
  return [{ type: 'ApiKeyIssued', ...facts }];
};

/**
 * A caller may not grant, rotate or revoke rights that it lacks: it would gain them, or lock out the owner of the key.
 *
 * @param action the refused action, for the message
 */
const mustReach = (issuer: Grant, wanted: Grant, action: string): void => {
  const lacking = wanted.scopes.filter((scope) => !issuer.scopes.includes(scope));
  if (lacking.length > 0) {
    throw new DomainError(
      'scope_not_grantable',
      `your key lacks the scope ${lacking.join(', ')} and cannot ${action}`,
    );
  }
  const within = issuer.sourceGroupIds;
  const outside = within !== null && (wanted.sourceGroupIds?.some((id) => !within.includes(id)) ?? true);
  if (outside) {
    throw new DomainError(
      'key_restricted',
      'your key is restricted to source groups: name only groups among them',
    );
  }
};

const existing = (keyId: string, ring: KeyRing): ActiveKey => {
  const key = ring.keys.get(keyId);
  if (key === undefined) throw new DomainError('not_found', 'there is no such API key');
  return key;
};

const isIssuer = (key: ActiveKey, at: number): boolean =>
  mayIssue(key) && (key.expiresAt === null || key.expiresAt > at);

const otherIssuer = ({ keyId }: ActiveKey, { issuers }: KeyRing, at: number): boolean => {
  for (const key of issuers.values()) if (key.keyId !== keyId && isIssuer(key, at)) return true;
  return false;
};

export const apiKey: Decider<ApiKeyCommand, ApiKeyEvent, KeyRing, 'apiKey'> = {
  category: 'apiKey',
  initial,
  decide,
  evolve,
};
