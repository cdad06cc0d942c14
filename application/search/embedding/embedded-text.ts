import type { OwedContent } from '../../ports/vector-index.ts';

/** What is embedded of a content: a passage alone often does not say what it is about, its title and headings do. */
export const embeddedText = ({
  title,
  headings,
  text,
}: Pick<OwedContent, 'title' | 'headings' | 'text'>): string =>
  [title, ...headings, text].filter((part) => part.trim() !== '').join('\n');
