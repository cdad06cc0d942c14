import type { TextUnit } from '../../../domain/chunking/chunk.ts';

/** A title, or its last part, that is nothing but the number of a section. */
const NUMBER_ALONE =
  /(?<=^|:\s|\s[—–|·»-]\s)(?:section|chapter|appendix|part|abschnitt|kapitel|anhang|chapitre|annexe|§)\s*((?:\d{1,4}|[A-Z]|[IVX]{1,8})(?:\.\d{1,4})*)\.?$/iu;
const LETTERS = /\p{L}{2}/u;
const LONGEST = 500;

/**
 * The title of a page as it tells one from another: where that is a number alone (`Manual: Section 4.5`), the first heading
 * of the page takes its place, or stands behind it where it has another number or none.
 */
export const pageTitle = (title: string, units: readonly TextUnit[]): string => {
  const [alone, number = ''] = NUMBER_ALONE.exec(title) ?? [];
  const heading = units.find(({ headingPath }) => headingPath.length > 0)?.headingPath[0]?.trim() ?? '';
  if (alone === undefined || !LETTERS.test(heading) || NUMBER_ALONE.test(heading)) return title;
  const isNumbered = heading.split(/[\s:]+/, 3).some((word) => word.replace(/\.$/, '') === number);
  const said = isNumbered ? heading : `${alone.replace(/\.$/, '')}: ${heading}`;
  return (title.slice(0, -alone.length) + said).slice(0, LONGEST);
};
