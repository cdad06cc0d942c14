import type { FetchedUnit } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { markdownOf, pageUrl } from './markdown.ts';
import type { WikiPage } from './objects.ts';
import { propertyLines } from './properties.ts';
import type { BlockTree } from './read-blocks.ts';
import { plainText } from './rich-text.ts';

/** A page as one Markdown text: its title as front matter, its properties, its blocks. */
export const pageDocument = (page: WikiPage, trees: readonly BlockTree[], maxBytes: number): FetchedUnit => {
  const title = plainText(page.title).replaceAll(/\s+/g, ' ').trim() || 'Untitled';
  const said = [propertyLines(page.properties), markdownOf(trees)].filter((part) => part !== '').join('\n\n');
  // A page without text is found by its title.
  const body = Buffer.from(`---\ntitle: "${title}"\n---\n\n${said === '' ? title : said}\n`, 'utf8');
  if (body.byteLength > maxBytes)
    return {
      kind: 'skipped',
      reason: 'too_large',
      message: `the page has more than ${maxBytes} bytes`,
      title,
      url: webAddress(page),
    };
  return {
    kind: 'document',
    document: { body, url: webAddress(page), mediaType: 'text/markdown', fileType: 'wiki_page' },
  };
};

/** Where people open the page. */
const webAddress = ({ id, url }: Pick<WikiPage, 'id' | 'url'>): string =>
  /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : pageUrl(id);
