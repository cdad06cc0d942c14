import { type FinishReason, ProviderError } from '../ports/language-model.ts';

/**
 * Rejects an empty answer: the model was silent, called tools, which no request offers, or spent all of its tokens on
 * thoughts. An answer that was withheld may be empty; its finish reason says so.
 *
 * @throws ProviderError
 */
export const mustNotBeEmpty = (text: string, reason: FinishReason): void => {
  if (reason === 'content_filter' || text.trim() !== '') return;
  const [message, retryable] =
    reason === 'length'
      ? ['the language model reached its limit of tokens before it said anything: allow it more', false]
      : ['the language model ended its answer without saying anything', true];
  throw new ProviderError(message, { retryable });
};
