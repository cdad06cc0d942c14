import { DomainError } from '../../../domain/shared/domain-error.ts';

const MOST_CHARACTERS = 2_000;
/** Of UTF-8: above, it is no key of an index any more. */
const MOST_BYTES = 2_500;

/**
 * A name of a document, which means nothing but itself: `../` leads nowhere.
 *
 * @throws DomainError invalid_request
 */
export const mustBeLocator = (locator: string): void => {
  const invalid = (message: string): DomainError => new DomainError('invalid_request', message);
  if (locator === '') throw invalid('the locator is empty');
  const bytes = new TextEncoder().encode(locator).length;
  if (locator.length > MOST_CHARACTERS || bytes > MOST_BYTES)
    throw invalid(
      `the locator has ${locator.length} characters and ${bytes} bytes of UTF-8: at most ${MOST_CHARACTERS} and ${MOST_BYTES}`,
    );
  if (locator.includes('\0') || !locator.isWellFormed())
    throw invalid('the locator holds a character that is none');
};

/** What the document may be called, with the extension that tells its type. */
export const fileNameOf = (locator: string): string => locator.slice(locator.lastIndexOf('/') + 1);
