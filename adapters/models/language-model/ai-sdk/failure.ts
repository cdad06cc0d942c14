import { ProviderError, ProviderTimeout } from '../../../../application/ports/language-model.ts';
import { brokenOff, failedMidway, unreadable } from '../provider/failure.ts';
import type { Censor } from '../provider/failure.ts';
import { reportedInStream } from './reported-error.ts';

/** The SDK's names for answers that do not have the form of the provider's interface. */
const UNREADABLE =
  /^AI_(?:JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody|NoContentGenerated)Error$/;
const MOST_CAUSES = 10;

/**
 * Makes an error of the port of what the SDK throws or reports. Of the SDK's own errors nothing is passed on but what
 * it read from the provider, through the censor: they hold the address, the request and the answer.
 */
export const portErrorOf = (error: unknown, censor: Censor): ProviderError | ProviderTimeout => {
  const causes = [...causesOf(error)];
  const ours = causes.find((one) => one instanceof ProviderError || one instanceof ProviderTimeout);
  if (ours !== undefined) return ours;
  if (causes.some((one) => UNREADABLE.test(nameOf(one))))
    return unreadable('what is no answer of its interface');
  const reported = reportedInStream(error);
  if (reported !== null) return failedMidway(reported, censor);
  // Decoders of frames and events have no names for theirs.
  if (error instanceof Error && error.message.startsWith('Incomplete Amazon Bedrock')) return brokenOff();
  if (nameOf(error) === 'Error') return unreadable('what is no answer of its interface');
  return new ProviderError(
    `the client of the language model's provider cannot go on: ${nameOf(error) || 'unknown'}`,
    { retryable: false },
  );
};

function* causesOf(error: unknown): Generator {
  let current = error;
  for (let i = 0; i < MOST_CAUSES && current !== undefined && current !== null; i += 1) {
    yield current;
    current = (current as { readonly cause?: unknown }).cause;
  }
}

const nameOf = (error: unknown): string => {
  const name = (error as { readonly name?: unknown } | null | undefined)?.name;
  return typeof name === 'string' && /^\w{1,60}$/.test(name) ? name : '';
};
