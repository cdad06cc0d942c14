import type { Scope } from '../../../domain/api-key/decider.ts';
import { type Claims, TokenRefused } from '../../ports/identity-provider.ts';

/** What claims of a token mean here. */
export interface ClaimRules {
  /** The claim whose values give scopes. */
  readonly scopesClaim: string;
  /** Scopes by value of that claim; those of `*` belong to everybody who signs in. */
  readonly scopes: Readonly<Record<string, readonly Scope[]>>;
  /** Name or id of the tenant, or the claim that holds it. */
  readonly tenant: { readonly named: string } | { readonly claim: string };
}

/** Somebody who has signed in at an issuer. */
export interface Person {
  /** `<issuer>#<subject>`: no other person gets it, whatever becomes of the address or the name. */
  readonly id: string;
  /** For people who read events; undefined where the token tells none. */
  readonly name: string | undefined;
  /** Name or id of the tenant. */
  readonly tenant: string;
  readonly scopes: readonly Scope[];
}

/** Limits of ids of principals, which a person's is too, and of shown names. */
const [MAX_ID, MAX_NAME] = [256, 200];

/** @throws TokenRefused when the token names no tenant, or a subject that is too long */
export const personOf = (issuer: string, claims: Claims, rules: ClaimRules): Person => {
  const id = `${issuer}#${claims.sub}`;
  if (id.length > MAX_ID)
    throw new TokenRefused(
      'invalid_token',
      `the issuer and "sub" of the token have over ${MAX_ID} characters`,
    );
  return { id, name: nameIn(claims), tenant: tenantIn(claims, rules), scopes: scopesIn(claims, rules) };
};

const nameIn = (claims: Claims): string | undefined =>
  ['email', 'preferred_username', 'name']
    .map((claim) => claims[claim])
    .find((value): value is string => typeof value === 'string' && value !== '')
    ?.slice(0, MAX_NAME);

const tenantIn = (claims: Claims, { tenant }: ClaimRules): string => {
  if ('named' in tenant) return tenant.named;
  const [value, ...more] = valuesOf(claims, tenant.claim);
  if (value !== undefined && more.length === 0) return value;
  throw new TokenRefused(
    'invalid_token',
    `the token must name one tenant in its claim ${JSON.stringify(tenant.claim)}: ask whoever runs the issuer`,
  );
};

const scopesIn = (claims: Claims, { scopesClaim, scopes }: ClaimRules): readonly Scope[] => {
  const given = ['*', ...valuesOf(claims, scopesClaim)].filter((value) => Object.hasOwn(scopes, value));
  return [...new Set(given.flatMap((value) => scopes[value]!))];
};

/**
 * The texts of a claim, which is a text or a list. A dot leads into an object, as in `realm_access.roles`, unless a claim
 * has the whole name.
 */
const valuesOf = (claims: Claims, name: string): readonly string[] => {
  const value = Object.hasOwn(claims, name)
    ? claims[name]
    : name.split('.').reduce<unknown>((within, part) => memberOf(within, part), claims);
  return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '' && one !== '*');
};

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
