import { SourceRefused } from '../../../application/sources/ingestion/listed/listed-source.ts';

/** Authenticates requests to a provider, for one attempt of a job. */
export interface Authorization {
  /** Whether there is a secret. */
  readonly hasSecret: boolean;
  readonly headers: (signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;
  /** Called when the provider has refused the newest headers. @returns whether other headers are available */
  readonly refused: (signal: AbortSignal) => Promise<boolean>;
}

export const withoutSecret: Authorization = {
  hasSecret: false,
  headers: async () => ({}),
  refused: async () => false,
};

export const isRejection = (error: unknown): boolean =>
  error instanceof SourceRefused && error.code === 'credentials_rejected';
