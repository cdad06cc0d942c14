import { fields, type Fields, items, text } from './objects.ts';

/** Rich text without its marks. */
export const plainText = (rich: unknown): string =>
  items(rich)
    .map((run) => text(fields(run)['plainText']))
    .join('');

/** Rich text as Markdown, on the lines that it has. */
export const richText = (rich: unknown): string =>
  items(rich)
    .map((run) => runOf(fields(run)))
    .join('');

const runOf = (run: Fields): string => {
  const said = text(run['plainText']);
  if (run['type'] === 'equation') return `$${text(fields(run['equation'])['expression']) || said}$`;
  const marked = marks(fields(run['annotations']), said);
  const href = text(run['href']);
  return /^https?:\/\//.test(href) && href !== said.trim()
    ? around(marked, '[', `](${encoded(href)})`)
    : marked;
};

/** The innermost first. */
const marks = (annotations: Fields, said: string): string => {
  const is = (name: string): boolean => annotations[name] === true;
  let marked = is('code') ? around(said, ...codeMarks(said)) : said;
  if (is('strikethrough')) marked = around(marked, '~~', '~~');
  if (is('italic')) marked = around(marked, '*', '*');
  return is('bold') ? around(marked, '**', '**') : marked;
};

/** Marks touch what they mark: blanks go outside. */
const around = (said: string, before: string, after: string): string => {
  const [, lead = '', middle = '', trail = ''] = /^(\s*)([^]*?)(\s*)$/.exec(said) ?? [];
  return middle === '' ? said : `${lead}${before}${middle}${after}${trail}`;
};

const codeMarks = (said: string): readonly [string, string] => {
  const mark = '`'.repeat(longestTicks(said) + 1);
  return [mark, mark];
};

/** How many backticks follow each other at most. */
export const longestTicks = (said: string): number =>
  [...said.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);

/** A link ends at a blank or bracket. */
export const encoded = (href: string): string =>
  href.replaceAll(
    /[\s()<>]/g,
    (sign) => `%${sign.codePointAt(0)!.toString(16).padStart(2, '0').toUpperCase()}`,
  );

/** Text that stands for itself: no line of it begins a heading, a fence, or underlines one. */
export const guarded = (said: string): string =>
  said.replaceAll(/^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|=+[ \t]*$|-{2,}[ \t]*$)/gm, '$1\\');
