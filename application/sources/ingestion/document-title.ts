const MAX_TITLE_CHARACTERS = 500;

/** The first non-blank title, on one line. */
export const firstTitle = (...candidates: readonly (string | null | undefined)[]): string => {
  for (const candidate of candidates) {
    const line = (candidate ?? '')
      .toWellFormed()
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    if (line !== '') return line.slice(0, MAX_TITLE_CHARACTERS).toWellFormed();
  }
  return 'Untitled';
};
