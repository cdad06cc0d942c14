import { type FinishReason, ProviderError } from '../ports/language-model.ts';

/**
 * Refuses an answer that ended well and says nothing: the model was silent, or called tools, which no request offers. One
 * that was cut or withheld may be empty, as its reason tells.
 *
 * @throws ProviderError
 */
export const mustSaySomething = (text: string, reason: FinishReason): void => {
  if (reason !== 'stop' || text.trim() !== '') return;
  const message = 'the language model ended its answer without saying anything';
  throw new ProviderError(message, { retryable: true });
};
