import { secret } from '../../../domain/secret/decider.ts';
import { DomainError } from '../../../domain/shared/domain-error.ts';
import type { Execute } from '../../event-sourcing/execute.ts';
import {
  type Credential,
  type Credentials,
  CredentialsRefused,
  type SecretCredentials,
  type TokenExchange,
} from '../../ports/secrets.ts';
import type { Clock } from '../../ports/identity.ts';
import { secretStream } from '../../event-sourcing/streams.ts';
import type { NoteUse } from '../last-uses.ts';
import { type AccessTokensDeps, accessTokenOf } from './access-token.ts';
import type { StoredValue, OpenSecret, SecretTexts } from './stored-value.ts';

/**
 * Lets concurrent callers share reads: callers that arrive during a read share the next one. So each caller gets a
 * state no older than its call, and waits for at most two reads, however many callers there are.
 */
const shareNext = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let current: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const begin = (): Promise<T> => {
    next = null;
    const reading = read().finally(() => {
      if (current === reading) current = null;
    });
    current = reading;
    return reading;
  };
  return () => {
    if (current === null) return next ?? begin();
    // The next read starts even if the current one fails.
    next ??= current.then(begin, begin);
    return next;
  };
};

export interface CredentialsDeps extends AccessTokensDeps {
  readonly execute: Execute;
  readonly texts: SecretTexts;
  readonly noteUse: NoteUse;
  readonly clock: Clock;
}

export const createSecretCredentials = (deps: CredentialsDeps): SecretCredentials => ({
  of: (named, exchange) => credentialsOf(deps, named, exchange),
});

type Named = Parameters<SecretCredentials['of']>[0];

const credentialsOf = (
  deps: CredentialsDeps,
  named: Named,
  exchange: TokenExchange | undefined,
): Credentials => {
  /** Access tokens that the provider has refused. */
  const refusedTokens = new Set<string>();
  /** The value id of each credential that needed no exchange. */
  const madeOf = new WeakMap<Credential, string>();
  let last: { readonly valueId: string; readonly stored: StoredValue } | undefined;
  // Concurrent requests share reads of the state.
  const stateNow = shareNext(() => usableState(deps, named));

  const open = async (): Promise<OpenSecret> => {
    for (let state = await stateNow(); ;) {
      const { valueId, name } = state;
      if (last?.valueId !== valueId) last = await valueOf(deps, named, valueId);
      if (last !== undefined) return { ...named, state, stored: last.stored };
      // The value may have been replaced and deleted after the stream was read.
      state = await stateNow();
      if (state.valueId === valueId)
        throw new CredentialsRefused(`the value of the secret "${name}" is lost: set it again`);
    }
  };

  return {
    current: async (signal) => {
      const found = await open();
      deps.noteUse(named.secretId);
      const credential = directOf(found.stored);
      if (credential === undefined)
        return accessTokenOf(deps, { found, reopen: open, exchange, refusedTokens }, signal);
      madeOf.set(credential, found.state.valueId);
      return credential;
    },
    refused: async (credential, signal) => {
      const { state, stored } = await open();
      if (credential.type !== 'access_token') return state.valueId !== madeOf.get(credential);
      if (stored.access?.token !== credential.token) return true;
      signal.throwIfAborted();
      // The refused token was itself a replacement, so another one would be refused too.
      if (refusedTokens.size > 0) return false;
      refusedTokens.add(credential.token);
      return true;
    },
  };
};

const usableState = async ({ execute, clock }: CredentialsDeps, { tenant, secretId }: Named) => {
  const state = (await execute.load(secret, secretStream(secretId), tenant))?.state;
  if (state?.status !== 'active') {
    throw new CredentialsRefused(
      `the secret ${secretId} is deleted: name another one in the settings of the data source`,
    );
  }
  if (state.expiresAt !== null && state.expiresAt <= clock.now()) {
    const when = new Date(state.expiresAt).toISOString();
    throw new CredentialsRefused(
      `the secret "${state.name}" has expired (${when}): set another value and expires_at`,
    );
  }
  return state;
};

/** Undefined when the value does not exist (any more). */
const valueOf = async ({ texts }: CredentialsDeps, { tenant, secretId }: Named, valueId: string) => {
  const stored = await texts.read(tenant, secretId, valueId).catch((error: unknown) => {
    // This process has no master key.
    throw error instanceof DomainError ? new CredentialsRefused(error.message) : error;
  });
  return stored === null ? undefined : { valueId, stored };
};

/** The credential of a value that needs no exchange. */
const directOf = ({ value }: StoredValue): Credential | undefined => {
  switch (value.type) {
    case 'token':
    case 'basic':
    case 'app':
      return { ...value };
    case 'oauth_refresh':
    case 'service_account':
      return undefined;
  }
};
