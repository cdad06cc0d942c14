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
] as const;
export type Scope = (typeof SCOPES)[number];

/** What a caller may do: the powers of its key. */
export interface Grant {
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
  readonly sourceGroupIds: readonly string[] | null;
}

/** Facts of the keys of one tenant, one stream per tenant: "the last issuer stays" is a rule over all its keys. */

export interface ApiKeyIssued {
  readonly type: 'ApiKeyIssued';
  readonly keyId: string;
  readonly name: string;
  /** SHA-256 of the key, lower-case hex. The key itself is shown once and kept nowhere. */
  readonly keyHash: string;
  readonly scopes: readonly Scope[];
  /** Null: every source group of the tenant. */
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
  /** Powers of the issuer; null when the service itself issues (first start, command line). */
  readonly issuer: Grant | null;
  readonly at: number;
}
export interface RotateApiKey {
  readonly type: 'rotate';
  readonly keyId: string;
  readonly keyHash: string;
  /** Powers of whoever asks, here and below: it may only touch keys that reach no further. */
  readonly issuer: Grant;
  readonly at: number;
}
export interface RevokeApiKey {
  readonly type: 'revoke';
  readonly keyId: string;
  readonly issuer: Grant;
  readonly at: number;
}
export type ApiKeyCommand = IssueApiKey | RotateApiKey | RevokeApiKey;

/** A key with the hash that is valid now; `at`: when it was issued. */
export type LivingKey = Omit<ApiKeyIssued, 'type'>;

/** The keys of one tenant. Every question of a decision is one look-up, however many there are. */
export interface KeyRing {
  /** Those that were not revoked, by id. */
  readonly keys: PersistentMap<LivingKey>;
  /** Those of them that can issue keys, but for having expired: see `mayIssue`. By id. */
  readonly issuers: PersistentMap<LivingKey>;
  /** The others, by id: a repeated request must not bring one back. */
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

const withKey = ({ keys, issuers, revoked }: KeyRing, key: LivingKey): KeyRing => ({
  keys: keys.with(key.keyId, key),
  issuers: mayIssue(key) ? issuers.with(key.keyId, key) : issuers,
  revoked,
});

const decide = (command: ApiKeyCommand, ring: KeyRing): readonly ApiKeyEvent[] => {
  switch (command.type) {
    case 'issue':
      return issue(command, ring);
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
 * Nobody touches a power that it lacks itself: handed on, it would be gained; revoked, its owner would be locked out.
 *
 * @param deed what is refused to a caller without a scope, for the message
 */
const mustReach = (issuer: Grant, wanted: Grant, deed: string): void => {
  const lacking = wanted.scopes.filter((scope) => !issuer.scopes.includes(scope));
  if (lacking.length > 0) {
    throw new DomainError(
      'scope_not_grantable',
      `your key lacks the scope ${lacking.join(', ')} and cannot ${deed}`,
    );
  }
  const within = issuer.sourceGroupIds;
  const outside = within !== null && (wanted.sourceGroupIds?.some((id) => !within.includes(id)) ?? true);
  if (outside) {
    throw new DomainError('key_restricted', 'your key is restricted to source groups: name a part of them');
  }
};

const existing = (keyId: string, ring: KeyRing): LivingKey => {
  const key = ring.keys.get(keyId);
  if (key === undefined) throw new DomainError('not_found', 'there is no such API key');
  return key;
};

const isIssuer = (key: LivingKey, at: number): boolean =>
  mayIssue(key) && (key.expiresAt === null || key.expiresAt > at);

const otherIssuer = ({ keyId }: LivingKey, { issuers }: KeyRing, at: number): boolean => {
  for (const key of issuers.values()) if (key.keyId !== keyId && isIssuer(key, at)) return true;
  return false;
};

export const apiKey: Decider<ApiKeyCommand, ApiKeyEvent, KeyRing, 'apiKey'> = {
  category: 'apiKey',
  initial,
  decide,
  evolve,
};
