/**
 * A comment on a cell in one line; '' for one without text. Excel begins it with its author, who is not told twice, and
 * gives those of conversations a made-up one.
 */
export const commentLine = (author: string, text: string): string => {
  const said = text.replaceAll(/\s+/g, ' ').trim();
  const by = author.startsWith('tc={') ? '' : author.replaceAll(/\s+/g, ' ').trim();
  if (said === '') return '';
  if (by === '') return `Comment: ${said}`;
  return `Comment by ${by}: ${said.startsWith(`${by}:`) ? said.slice(by.length + 1).trim() : said}`;
};
