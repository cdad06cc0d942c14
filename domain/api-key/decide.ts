import { DomainError } from '../shared/domain-error.ts';
import type { ApiKeyCommand, IssueApiKey } from './commands.ts';
import type { ApiKeyEvent } from './events.ts';
import type { Grant } from './scope.ts';
import { type KeyRing, type LivingKey, mayIssue } from './state.ts';

export const decide = (command: ApiKeyCommand, ring: KeyRing): readonly ApiKeyEvent[] => {
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
