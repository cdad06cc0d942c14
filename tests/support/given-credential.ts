import type { Credential, SecretCredentials } from '../../application/ports/secrets.ts';

/** What providers in tests are asked with, whatever secret is named; null: there is none. */
export const credentialsOf = (credential: Credential | (() => Credential) | null): SecretCredentials => ({
  of: () => ({
    current: async () => {
      if (credential === null) throw new Error('there is no secret');
      return typeof credential === 'function' ? credential() : credential;
    },
    refused: async () => false,
  }),
});
