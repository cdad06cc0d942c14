import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  apiKey,
  type ApiKeyCommand,
  type Grant,
  type IssueApiKey,
  type KeyRing,
  type ActiveKey,
  SCOPES,
} from '../../../domain/api-key/decider.ts';
import { fold } from '../../../domain/shared/decider.ts';
import { historyOf, refusalOf } from '../../support/decisions.ts';

const ALL: Grant = { scopes: SCOPES, sourceGroupIds: null };
const issue = (keyId: string, given: Partial<IssueApiKey> = {}): IssueApiKey => ({
  type: 'issue',
  keyId,
  name: `key ${keyId}`,
  keyHash: `hash of ${keyId}`,
  scopes: ['apikeys:issue', 'knowledge:read'],
  sourceGroupIds: null,
  expiresAt: null,
  requestsPerMinute: null,
  issuer: null,
  at: 100,
  ...given,
});
const revoke = (keyId: string, at = 200, issuer: Grant = ALL): ApiKeyCommand => ({
  type: 'revoke',
  keyId,
  issuer,
  at,
});
const rotate = (keyId: string, issuer: Grant = ALL, keyHash = 'new hash'): ApiKeyCommand => ({
  type: 'rotate',
  keyId,
  keyHash,
  issuer,
  at: 300,
});
const decided = (command: ApiKeyCommand, ...earlier: readonly ApiKeyCommand[]) =>
  apiKey.decide(command, historyOf(apiKey, earlier).state);
const refusal = (command: ApiKeyCommand, ...earlier: readonly ApiKeyCommand[]) =>
  refusalOf(() => decided(command, ...earlier));

describe('issuing a key', () => {
  it('records its powers and the hash, and nothing of the issuer', () => {
    const { type: _, issuer: __, ...facts } = issue('a');
    expect(decided(issue('a', { issuer: ALL }))).toStrictEqual([{ type: 'ApiKeyIssued', ...facts }]);
  });

  it('happens once for an id', () => {
    expect(decided(issue('a', { name: 'again' }), issue('a'))).toStrictEqual([]);
  });

  it('brings no key back that was revoked', () => {
    expect(decided(issue('a'), issue('a'), issue('b'), revoke('a'))).toEqual([]);
  });

  it('by the service itself grants everything', () => {
    expect(refusal(issue('a', { scopes: SCOPES, issuer: null }))).toBeNull();
  });
});

describe('extending a key', () => {
  it('issues it anew with more scopes, and all else as it is now', () => {
    const extend = { type: 'extend', keyId: 'a', scopes: SCOPES, at: 400 } as const;
    const { type: _, issuer: __, ...facts } = issue('a', { keyHash: 'new hash', scopes: SCOPES, at: 400 });
    const earlier = [issue('a'), rotate('a')];
    expect(decided(extend, ...earlier)).toStrictEqual([{ type: 'ApiKeyIssued', ...facts }]);
    expect(decided(extend, ...earlier, extend)).toStrictEqual([]);
    expect(refusal(extend)).toBe('not_found');
  });
});

describe('rotating a key', () => {
  it('makes the new hash the only one', () => {
    expect(decided(rotate('a'), issue('a'))).toStrictEqual([
      { type: 'ApiKeyRotated', keyId: 'a', keyHash: 'new hash', at: 300 },
    ]);
    const { state } = historyOf(apiKey, [issue('a'), rotate('a')]);
    expect(state.keys.get('a')).toMatchObject({
      keyHash: 'new hash',
      scopes: ['apikeys:issue', 'knowledge:read'],
    });
    expect(decided(rotate('a'), issue('a'), rotate('a'))).toStrictEqual([]);
  });

  it('of a key that is not there is not found', () => {
    expect(refusal(rotate('a'))).toBe('not_found');
    expect(refusal(rotate('b'), issue('a'), issue('b'), revoke('b'))).toBe('not_found');
  });
});

describe('revoking a key', () => {
  it('removes it from the ring', () => {
    expect(decided(revoke('a'), issue('a'), issue('b'))).toStrictEqual([
      { type: 'ApiKeyRevoked', keyId: 'a', at: 200 },
    ]);
    const { state } = historyOf(apiKey, [issue('a'), issue('b'), revoke('a')]);
    expect([...state.keys.values()].map(({ keyId }) => keyId)).toStrictEqual(['b']);
  });

  it('that is not there is not found', () => {
    expect(refusal(revoke('a'))).toBe('not_found');
    expect(refusal(revoke('a'), issue('a'), issue('b'), revoke('a'))).toBe('not_found');
  });

  it('of a key unknown to the ring is remembered, so that no repeated request brings it', () => {
    const ring = apiKey.evolve(apiKey.initial, { type: 'ApiKeyRevoked', keyId: 'z', at: 1 });
    expect(ring.revoked.get('z')).toEqual({ keyId: 'z', sourceGroupIds: null });
  });

  it('that is the last to issue keys is refused', () => {
    expect(refusal(revoke('a'), issue('a'))).toBe('last_issuer_key');
    expect(refusal(revoke('a'), issue('a'), issue('b', { scopes: ['knowledge:read'] }))).toBe(
      'last_issuer_key',
    );
    expect(refusal(revoke('b'), issue('a'), issue('b'), revoke('a'))).toBe('last_issuer_key');
  });

  it.each([
    ['expired', { expiresAt: 150 }],
    ['expires this instant', { expiresAt: 200 }],
    ['is restricted to source groups', { sourceGroupIds: ['g1'] }],
  ])('counts no other issuer that %s', (_, given) => {
    expect(refusal(revoke('a'), issue('a'), issue('b', given))).toBe('last_issuer_key');
    expect(refusal(revoke('b'), issue('a'), issue('b', given))).toBeNull();
  });

  it('counts an issuer that expires later', () => {
    expect(refusal(revoke('a'), issue('a'), issue('b', { expiresAt: 201 }))).toBeNull();
  });

  it('that cannot issue keys is always possible', () => {
    expect(refusal(revoke('b'), issue('a'), issue('b', { scopes: ['audit:read'] }))).toBeNull();
    expect(refusal(revoke('b'), issue('b', { scopes: ['audit:read'] }))).toBeNull();
  });
});

describe('a key', () => {
  const read: Grant = { scopes: ['apikeys:issue', 'knowledge:read'], sourceGroupIds: null };
  const of = (grant: Grant, ...sourceGroupIds: string[]): Grant => ({ ...grant, sourceGroupIds });
  const all: Grant = ALL;
  it.each<[string, Grant, Grant, string | null]>([
    ['all powers', all, all, null],
    ['all powers', all, read, null],
    ['all powers', all, of(all, 'g1'), null],
    ['some scopes', read, read, null],
    ['some scopes', read, { scopes: ['knowledge:read'], sourceGroupIds: null }, null],
    ['some scopes', read, { scopes: [], sourceGroupIds: null }, null],
    ['some scopes', read, { scopes: ['audit:read'], sourceGroupIds: null }, 'scope_not_grantable'],
    ['some scopes', read, all, 'scope_not_grantable'],
    ['some scopes', read, of(all, 'g1'), 'scope_not_grantable'],
    ['only the scope to issue keys', { ...read, scopes: ['apikeys:issue'] }, read, 'scope_not_grantable'],
    ['a restriction', of(all, 'g1', 'g2'), of(all, 'g1', 'g2'), null],
    ['a restriction', of(all, 'g1', 'g2'), of(read, 'g2'), null],
    ['a restriction', of(all, 'g1', 'g2'), of(all), null],
    ['a restriction', of(all, 'g1', 'g2'), of(read, 'g1', 'g3'), 'key_restricted'],
    ['a restriction', of(all, 'g1', 'g2'), read, 'key_restricted'],
    ['a restriction', of(read, 'g1'), of(all, 'g1'), 'scope_not_grantable'],
  ])('with %s touches only keys that reach no further: %j, %j', (_, issuer, target, code) => {
    const keys = [issue('a', { scopes: SCOPES }), issue('b', target)];
    expect(refusal(revoke('b', 200, issuer), ...keys)).toBe(code);
    expect(refusal(rotate('b', issuer), ...keys)).toBe(code);
    expect(refusal(issue('c', { ...target, issuer }), ...keys)).toBe(code);
  });

  it('is told what it lacks before whether the other is the last issuer', () => {
    const weak: Grant = { scopes: ['apikeys:issue'], sourceGroupIds: null };
    expect(refusal(revoke('a', 200, weak), issue('a'))).toBe('scope_not_grantable');
    expect(() => decided(revoke('a'), issue('a'))).toThrow('first issue another one');
  });
});

describe('every ring of keys', () => {
  const keyId = fc.constantFrom('a', 'b', 'c');
  const command: fc.Arbitrary<ApiKeyCommand> = fc.oneof(
    fc
      .record({
        keyId,
        scopes: fc.subarray([...SCOPES]),
        sourceGroupIds: fc.constantFrom(null, ['g1']),
        expiresAt: fc.constantFrom(null, 150, 1_000),
      })
      .map(({ keyId: id, ...given }) => issue(id, given)),
    fc.tuple(keyId, fc.integer({ min: 100, max: 300 })).map(([id, at]) => revoke(id, at)),
    keyId.map((id) => rotate(id)),
  );
  const canIssue = (
    { keys }: { readonly keys: Pick<KeyRing['keys'], 'values'> | readonly ActiveKey[] },
    at: number,
  ): boolean =>
    [...keys.values()].some(
      ({ scopes, sourceGroupIds, expiresAt }) =>
        scopes.includes('apikeys:issue') && sourceGroupIds === null && (expiresAt ?? Infinity) > at,
    );

  it('keeps a key that can issue keys, once it has one, unless time takes it', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        let ring = apiKey.initial;
        for (const one of commands) {
          const before = ring;
          const refused = refusalOf(() => (ring = fold(apiKey, apiKey.decide(one, before), before)));
          if (refused !== null) ring = before;
          expect(canIssue(before, one.at) && !canIssue(ring, one.at)).toBe(false);
          const issuers = [...ring.keys.values()].filter((key) => canIssue({ keys: [key] }, -1));
          expect([...ring.issuers.values()]).toStrictEqual(issuers);
        }
      }),
    );
  });
});
