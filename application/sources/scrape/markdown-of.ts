import type { TextUnit } from '../../../domain/chunking/chunk.ts';

const DEEPEST = 6;

/** The text of a page with the marks of its headings. */
export const markdownOf = (units: readonly TextUnit[]): string =>
  units
    .map(marked)
    .filter((text) => text !== '')
    .join('\n\n');

/** A unit begins with its own heading, unless it goes on under one that stood before. */
const marked = ({ headingPath, text }: TextUnit): string => {
  const heading = headingPath.at(-1);
  const body = text.trim();
  if (heading === undefined || !body.startsWith(heading)) return body;
  const rest = body.slice(heading.length).trimStart();
  const line = `${'#'.repeat(Math.min(headingPath.length, DEEPEST))} ${heading}`;
  return rest === '' ? line : `${line}\n\n${rest}`;
};
