import { describe, expect, it } from 'vitest';
import { mustBeUnrestricted, ownIdempotencyKey, sees, seesKey } from '../../../application/access/caller.ts';
import { scopeOf } from '../../../application/access/scope.ts';
import { callerOf } from '../../support/conversations.ts';

const everywhere = callerOf('acme');
const within = callerOf('acme', ['g1', 'g2']);

describe('a key that is not restricted', () => {
  it('sees every source group and every key, and may ask for what spans them', () => {
    expect(sees(everywhere, 'g9')).toBe(true);
    expect(seesKey(everywhere, { sourceGroupIds: null })).toBe(true);
    expect(seesKey(everywhere, { sourceGroupIds: ['g9'] })).toBe(true);
    expect(() => mustBeUnrestricted(everywhere, 'the audit log')).not.toThrow();
    expect(scopeOf(everywhere)).toEqual({ tenant: 'acme', only: null });
  });

  it('shares its idempotency keys with the others of its tenant', () => {
    expect(ownIdempotencyKey(everywhere, 'k')).toBe('k');
  });
});

describe('a key that is restricted to source groups', () => {
  it('sees no other group, and asks for nothing that spans groups', () => {
    expect(['g1', 'g2', 'g9'].map((group) => sees(within, group))).toEqual([true, true, false]);
    expect(scopeOf(within)).toEqual({ tenant: 'acme', only: ['g1', 'g2'] });
    expect(() => mustBeUnrestricted(within, 'the audit log')).toThrow(
      expect.objectContaining({
        code: 'key_restricted',
        message: 'the audit log needs a key that is not restricted to source groups',
      }),
    );
  });

  it('knows of those keys that reach no further', () => {
    const reaches = [['g1'], ['g2', 'g1'], [], ['g1', 'g9'], null];
    expect(reaches.map((sourceGroupIds) => seesKey(within, { sourceGroupIds }))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('repeats only its own requests', () => {
    expect(ownIdempotencyKey(within, 'k')).toBe('key-1 k');
    expect(ownIdempotencyKey(within, undefined)).toBeUndefined();
  });
});
