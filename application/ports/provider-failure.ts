import type { Logger, LogFields } from './logger.ts';
import { ProviderError, ProviderTimeout } from './language-model.ts';

/** What operators know a provider by. */
export type ProviderKind = 'language model' | 'web search' | 'embeddings' | 'reranker';

/**
 * What a log may tell of a provider that failed: its kind, `provider_error` or `provider_timeout`, the HTTP status where
 * there was one, and what was waited for. No message: it may hold words of the provider. Null for other errors.
 */
export const providerFailure = (provider: ProviderKind, error: unknown): LogFields | null => {
  if (error instanceof ProviderTimeout)
    return { provider, code: 'provider_timeout', waitedFor: error.waitingFor };
  if (error instanceof ProviderError) return { provider, code: 'provider_error', status: error.status };
  // Of a signal that aborts after some time.
  if (error instanceof Error && error.name === 'TimeoutError') return { provider, code: 'provider_timeout' };
  return null;
};

/** One line for a request that a provider has failed, where it is given up. Whatever else failed is told elsewhere. */
export const logProviderFailure = (
  log: Logger,
  provider: ProviderKind,
  error: unknown,
  about: LogFields = {},
): void => {
  const failure = providerFailure(provider, error);
  if (failure !== null) log.warn('a provider failed', { ...failure, ...about });
};
