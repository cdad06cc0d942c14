import type { TextUnit } from '../../../domain/chunking/chunk.ts';

/** Its language by a text alone (ISO 639-1); null where it does not show clearly. */
export type DetectLanguage = (text: string) => string | null;

/** A shorter text may be of names and numbers, or of words that several languages have. UTF-16 units. */
const LONG = 200;
/** What is looked at. UTF-16 units. */
const ENOUGH = 4_000;

/**
 * The language of a document, as BCP 47: what its text shows, as pages declare what their template was made for. What a
 * document declares stands where the text is short or does not show it, and where it says the same more exactly.
 */
export const documentLanguage = (
  declared: string | null,
  units: readonly Pick<TextUnit, 'text'>[],
  detect: DetectLanguage,
): string | null => {
  const tag = languageTag(declared);
  const text = beginningOf(units);
  if (tag !== null && text.length < LONG) return tag;
  const shown = detect(text);
  return shown === null || tag?.split('-')[0]?.toLowerCase() === shown ? tag : shown;
};

const beginningOf = (units: readonly Pick<TextUnit, 'text'>[]): string => {
  let text = '';
  for (const unit of units) {
    if (text.length >= ENOUGH) break;
    text += `${unit.text.slice(0, ENOUGH)}\n`;
  }
  return text;
};

/** In its common shape; anything else is not passed on. */
const languageTag = (tag: string | null): string | null =>
  tag !== null && /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,5}$/i.test(tag) ? tag : null;
