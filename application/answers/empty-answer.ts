import { type FinishReason, ProviderError } from '../ports/language-model.ts';

/**
 * Rejects an empty answer with the finish reason `stop`: the model was silent, or called tools, which no request
 * offers. An answer that was cut or withheld may be empty; its finish reason says so.
 *
 * @throws ProviderError
 */
export const mustNotBeEmpty = (text: string, reason: FinishReason): void => {
  if (reason !== 'stop' || text.trim() !== '') return;
  const message = 'the language model ended its answer without saying anything';
  throw new ProviderError(message, { retryable: true });
};
