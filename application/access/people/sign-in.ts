import { apiKey } from '../../../domain/api-key/decider.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import { apiKeyStream, derivedId } from '../../event-sourcing/streams.ts';
import { type IdentityProvider, type SignInEndpoints, TokenRefused } from '../../ports/identity-provider.ts';
import type { Hash } from '../../ports/identity.ts';
import { type ClaimRules, type Person, personOf } from './person.ts';

/** What a browser needs to sign somebody in (OpenID Connect, authorization code with PKCE, public client). */
export interface SignInClient {
  readonly issuer: string;
  readonly clientId: string;
  /** What it asks the issuer for, separated by spaces. */
  readonly scope: string;
  /** Which of the tokens that it gets authenticates its requests here. */
  readonly token: 'id_token' | 'access_token';
  readonly endpoints: SignInEndpoints;
}

export interface SignIn {
  /**
   * The person whom a token of the issuer stands for, with the id of the tenant.
   *
   * @throws TokenRefused, IdentityProviderUnavailable
   */
  readonly authenticate: (token: string) => Promise<Person>;
  /** @throws IdentityProviderUnavailable */
  readonly client: () => Promise<SignInClient>;
}

export interface SignInDeps {
  readonly provider: IdentityProvider;
  readonly rules: ClaimRules;
  readonly browser: Omit<SignInClient, 'issuer' | 'endpoints'>;
  readonly execute: Pick<Execute, 'load'>;
  readonly hash: Hash;
}

export const createSignIn = ({ provider, rules, browser, execute, hash }: SignInDeps): SignIn => {
  const { issuer } = provider;
  const known = new Set<string>();
  // A mistyped name must not create a tenant, which begins with its first key.
  const mustExist = async (tenant: string): Promise<void> => {
    if (known.has(tenant)) return;
    const found = await execute.load(apiKey, apiKeyStream(tenant), undefined);
    if (found === null || found.revision === 'none')
      throw new TokenRefused(
        'invalid_token',
        'the tenant of the token does not exist here: ask the operator',
      );
    known.add(tenant);
  };
  return {
    authenticate: async (token) => {
      const person = personOf(issuer, await provider.verify(token), rules);
      const tenant = tenantId(hash, person.tenant);
      await mustExist(tenant);
      return { ...person, tenant };
    },
    client: async () => ({ issuer, ...browser, endpoints: await provider.endpoints() }),
  };
};

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param named a tenant by its name or its id */
export const tenantId = (hash: Hash, named: string): string =>
  UUID.test(named) ? named.toLowerCase() : derivedId(hash, 'tenant', named);
