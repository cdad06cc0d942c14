import { readPage } from '../../../../adapters/extraction/html/read-page.ts';

export const read = (
  html: string,
  url: string | null = 'https://example.org/docs/a.html',
  markdown = false,
) => readPage(html, { url, robotName: 'knowledgerbot', markdown });
export const textOf = (...page: Parameters<typeof read>): string =>
  read(...page)
    .units.map(({ text }) => text)
    .join('\n\n');
export const markdownOf = (html: string, url?: string | null): string => textOf(html, url, true);
