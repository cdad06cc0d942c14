import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';
import type { Credential, Credentials } from '../../../application/ports/secrets.ts';

/** Proves to the wiki who asks, for one attempt of a job. */
export interface Authorization {
  /** Whether there is a secret at all. */
  readonly isGiven: boolean;
  readonly headers: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
  /** The wiki has refused the newest headers. Whether others are to be had. */
  readonly refused: (signal: AbortSignal) => Promise<boolean>;
}

export const withoutSecret: Authorization = {
  isGiven: false,
  headers: async () => ({}),
  refused: async () => false,
};

export const authorizationBy = (credentials: Credentials): Authorization => {
  let newest: Credential | null = null;
  return {
    isGiven: true,
    headers: async (signal) => {
      newest = await credentials.current(signal);
      if (newest.type !== 'token')
        throw new SourceRefused('credentials_rejected', 'Credentials rejected', NO_TOKEN);
      return { authorization: `Bearer ${newest.token}` };
    },
    refused: async (signal) => newest !== null && credentials.refused(newest, signal),
  };
};

const NO_TOKEN = 'a wiki is read with a secret of type token';
