import { fields, type Fields, items, text } from './objects.ts';

/** Rich text without formatting. */
export const plainText = (rich: unknown): string =>
  items(rich)
    .map((run) => text(fields(run)['plainText']))
    .join('');

/** Rich text as Markdown, with its line breaks. */
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
    ? wrap(marked, '[', `](${encoded(href)})`)
    : marked;
};

/** Innermost mark first. */
const marks = (annotations: Fields, said: string): string => {
  const is = (name: string): boolean => annotations[name] === true;
  let marked = is('code') ? wrap(said, ...codeMarks(said)) : said;
  if (is('strikethrough')) marked = wrap(marked, '~~', '~~');
  if (is('italic')) marked = wrap(marked, '*', '*');
  return is('bold') ? wrap(marked, '**', '**') : marked;
};

/** Markdown marks must touch the text, so surrounding spaces go outside. */
const wrap = (said: string, before: string, after: string): string => {
  const [, lead = '', middle = '', trail = ''] = /^(\s*)([^]*?)(\s*)$/.exec(said) ?? [];
  return middle === '' ? said : `${lead}${before}${middle}${after}${trail}`;
};

const codeMarks = (said: string): readonly [string, string] => {
  const mark = '`'.repeat(longestTicks(said) + 1);
  return [mark, mark];
};

/** Length of the longest run of backticks. */
export const longestTicks = (said: string): number =>
  [...said.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 0);

/** A link would end at a space or bracket. */
export const encoded = (href: string): string =>
  href.replaceAll(
    /[\s()<>]/g,
    (sign) => `%${sign.codePointAt(0)!.toString(16).padStart(2, '0').toUpperCase()}`,
  );

/** Escapes text so that no line of it begins a heading or a fence, or underlines a heading. */
export const escapeBlockSyntax = (said: string): string =>
  said.replaceAll(/^( {0,3})(?=#{1,6}(?:[ \t]|$)|`{3}|~{3}|=+[ \t]*$|-{2,}[ \t]*$)/gm, '$1\\');
