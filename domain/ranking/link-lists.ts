import { wordsOf } from '../shared/words.ts';

/** Shorter ones may be anything. Lines. */
const FEWEST = 12;
/** Words of a line up to which it may be an entry. */
const ENTRY = 8;
/** Of the lines, those that are entries. */
const SHARE = 0.9;
/** What parts an entry of an index from the section that it leads to, and the number of that. */
const LEADS_TO = /^(.+) \| (?:(?:chapter|appendix|section) )?(?:\d{1,4}|\p{Lu})(?:\.\d{1,4})*\.? (.+)$/iu;
/** Further places of the same, by their numbers alone. */
const FURTHER = /,? \[\d{1,4}\]/g;
/** How prose ends, and code. */
const ENDS_OTHERWISE = /[.;:!?{}|>]\s*$/u;
/** As how many times its length a list counts: then an occurrence there weighs about a third. */
const LONGER = 4;

/**
 * How many times longer a text counts than it is. An index, or a table of contents, holds the words of all pages and
 * explains none: nearly all of its many lines are a few words that end like neither prose nor code.
 */
export const weightOfLength = (text: string): number => {
  const lines = text
    .split('\n')
    .flatMap((line) => (line.trim() === '' ? [] : [line.replaceAll(FURTHER, '')]));
  if (lines.length < FEWEST) return 1;
  const entries = lines.filter(
    (line) => line.length < 200 && !ENDS_OTHERWISE.test(line.slice(-8)) && isShort(line),
  );
  return entries.length >= SHARE * lines.length ? LONGER : 1;
};

/** Of an entry with the section that it leads to, each is. */
const isShort = (line: string): boolean => {
  const [, entry = line, section = ''] = LEADS_TO.exec(line) ?? [];
  return [entry, section].every((part) => wordsOf(part).length < ENTRY);
};
