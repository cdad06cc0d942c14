import { describe, expect, it } from 'vitest';
import { sha256 } from '../../../../adapters/system/identity.ts';
import { type ClaimRules, personOf } from '../../../../application/access/people/person.ts';
import { createSignIn, tenantId } from '../../../../application/access/people/sign-in.ts';
import { apiKey } from '../../../../domain/api-key/decider.ts';

const ISSUER = 'https://login.example.com';
const RULES: ClaimRules = {
  scopesClaim: 'groups',
  scopes: {
    editors: ['ingestion:manage', 'knowledge:read'],
    'two words': ['audit:read'],
    '*': ['knowledge:read'],
  },
  tenant: { named: 'acme' },
};
const person = (claims: object, rules: Partial<ClaimRules> = {}) =>
  personOf(ISSUER, { sub: 'ada', ...claims }, { ...RULES, ...rules });

describe('the scopes of a person', () => {
  it.each([
    ['of everybody, without the claim', {}, ['knowledge:read']],
    ['of everybody, with an unknown group', { groups: ['others'] }, ['knowledge:read']],
    ['of all groups, each once', { groups: ['editors', 'x'] }, ['knowledge:read', 'ingestion:manage']],
    ['of a single text', { groups: 'two words' }, ['knowledge:read', 'audit:read']],
    ['of everybody, with what is no text', { groups: [1, null, { editors: true }] }, ['knowledge:read']],
    ['of nothing that objects inherit', { groups: ['constructor', '__proto__'] }, ['knowledge:read']],
  ])('are those %s', (_, claims, scopes) => {
    expect(person(claims).scopes).toEqual(scopes);
  });

  it('are none where neither a group nor everybody has any', () => {
    expect(person({ groups: ['others'] }, { scopes: { editors: ['knowledge:read'] } }).scopes).toEqual([]);
  });

  it('may come from within a claim, or from one whose name has dots', () => {
    const scopesClaim = 'realm_access.roles';
    const found = ['knowledge:read', 'ingestion:manage'];
    expect(person({ realm_access: { roles: ['editors'] } }, { scopesClaim }).scopes).toEqual(found);
    expect(person({ 'realm_access.roles': ['editors'] }, { scopesClaim }).scopes).toEqual(found);
    expect(person({ realm_access: 'roles' }, { scopesClaim }).scopes).toEqual(['knowledge:read']);
  });
});

describe('a person', () => {
  it('has an id of issuer and subject, which a new address does not change', () => {
    const before = person({ email: 'ada@old.example' });
    const after = person({ email: 'ada@new.example' });
    expect([before.id, after.id]).toEqual([`${ISSUER}#ada`, `${ISSUER}#ada`]);
    expect(() => person({ sub: 'a'.repeat(250) })).toThrow(/over 256 characters/);
  });

  it.each([
    [{ email: 'a@b.example', preferred_username: 'ada', name: 'Ada' }, 'a@b.example'],
    [{ preferred_username: 'ada', name: 'Ada' }, 'ada'],
    [{ email: '', name: 'Ada' }, 'Ada'],
    [{ email: ['a@b.example'] }, undefined],
    [{ name: 'x'.repeat(300) }, 'x'.repeat(200)],
  ])('is called by what the token tells: %o', (claims, name) => {
    expect(person(claims).name).toBe(name);
  });

  it('belongs to the tenant that the claim names, and to none without it', () => {
    const tenant = { claim: 'org.id' };
    expect(person({ org: { id: 'acme' } }, { tenant }).tenant).toBe('acme');
    for (const org of [undefined, {}, { id: 7 }, { id: ['acme', 'other'] }])
      expect(() => person({ org }, { tenant })).toThrow(/must name one tenant in its claim "org.id"/);
  });
});

describe('signing in', () => {
  const signInTo = (existing: readonly string[]) => {
    const loaded: string[] = [];
    const load = async (_decider: unknown, stream: string) => {
      loaded.push(stream);
      const exists = existing.some((id) => stream === `apiKey-${id}`);
      return { state: apiKey.initial, revision: exists ? 0n : 'none' };
    };
    const signIn = createSignIn({
      provider: {
        issuer: ISSUER,
        verify: async (org) => ({ sub: 'ada', org }),
        endpoints: async () => ({ authorization: 'a', token: 't', endSession: null }),
      },
      rules: { ...RULES, tenant: { claim: 'org' } },
      browser: { clientId: 'knowledger', scope: 'openid', token: 'id_token' },
      execute: { load: load as never },
      hash: sha256,
    });
    return { ...signIn, loaded };
  };

  it('leads to a tenant by its name or its id, which is looked up once', async () => {
    const id = tenantId(sha256, 'acme');
    const { authenticate, loaded } = signInTo([id]);
    expect(await authenticate('acme')).toMatchObject({ id: `${ISSUER}#ada`, tenant: id });
    expect(await authenticate(id.toUpperCase())).toMatchObject({ tenant: id });
    expect(loaded).toHaveLength(1);
  });

  it('makes no tenant of a name that nobody has given to one', async () => {
    const { authenticate } = signInTo([]);
    await expect(authenticate('acmee')).rejects.toMatchObject({
      reason: 'invalid_token',
      message: expect.stringContaining('does not exist'),
    });
  });

  it('tells a browser where to go', async () => {
    expect(await signInTo([]).client()).toEqual({
      issuer: ISSUER,
      clientId: 'knowledger',
      scope: 'openid',
      token: 'id_token',
      endpoints: { authorization: 'a', token: 't', endSession: null },
    });
  });
});
