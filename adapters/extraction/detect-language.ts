import { eld } from 'eld/extrasmall';

/** What a language shows in: more makes no difference. UTF-16 units. */
const ENOUGH = 4_000;

/** The language that a text is written in (ISO 639-1); null where it does not show clearly. */
export const detectLanguage = (text: string): string | null => {
  const found = eld.detect(text.slice(0, ENOUGH));
  return found.language !== '' && found.isReliable() ? found.language : null;
};
