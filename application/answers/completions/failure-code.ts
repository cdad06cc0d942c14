import { DomainError } from '../../../domain/shared/domain-error.ts';
import { EventStoreUnavailable, OutcomeUnknown } from '../../ports/event-store.ts';
import { isBusy, ProviderError, ProviderTimeout } from '../../ports/language-model.ts';

/** The failure code for an aborted signal: that of its reason, as on shutdown, or else `client_gone`. */
export const abortCode = ({ reason }: AbortSignal): string =>
  reason instanceof DomainError ? reason.code : 'client_gone';

/** The code under which a failed answer is recorded and reported: an `error.type` of the API. */
export const failureCode = (error: unknown): string => {
  if (error instanceof ProviderTimeout) return 'provider_timeout';
  if (isBusy(error)) return 'rate_limited';
  if (error instanceof ProviderError) return 'provider_error';
  if (error instanceof DomainError) return error.code;
  if (error instanceof EventStoreUnavailable || error instanceof OutcomeUnknown) return 'unavailable';
  return 'internal_error';
};
