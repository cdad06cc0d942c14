import type { FetchedItem } from '../../../application/sources/ingestion/listed/listed-source.ts';
import { markdownOf, pageUrl } from './markdown.ts';
import { type WikiPage, type Fields, fields, items, text, type WikiProperty } from './objects.ts';
import type { BlockTree } from './read-blocks.ts';
import { plainText, richText } from './rich-text.ts';

/** The properties of a database row, one line each. Omits empty ones, and those that change with each edit. */
const propertyLines = (properties: readonly WikiProperty[]): string =>
  properties
    .flatMap(({ name, type, value }) => {
      const said = valueOf(type, value).trim();
      return said === '' ? [] : `- ${name}: ${said.replaceAll(/\s*\n\s*/g, ' ')}`;
    })
    .join('\n');

const valueOf = (type: string, value: unknown): string => {
  switch (type) {
    case 'rich_text':
      return richText(value);
    case 'select':
    case 'status':
      return text(fields(value)['name']);
    case 'multi_select':
    case 'people':
      return names(value);
    case 'files':
      return items(value)
        .map((file) => text(fields(fields(file)['external'])['url']) || text(fields(file)['name']))
        .join(', ');
    case 'date':
      return dateOf(fields(value));
    case 'checkbox':
      return value === true ? 'yes' : 'no';
    case 'formula':
    case 'rollup':
      return computed(fields(value));
    case 'unique_id':
      return numbered(fields(value));
    case 'created_by':
    case 'verification':
      return text(fields(value)['name'] ?? fields(value)['state']);
    // Related pages are only given by id.
    case 'relation':
    case 'last_edited_time':
    case 'last_edited_by':
      return '';
    default:
      return simple(value);
  }
};

/** Numbers, URLs, times. */
const simple = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

const names = (value: unknown): string =>
  items(value)
    .map((one) => text(fields(one)['name']))
    .filter((name) => name !== '')
    .join(', ');

const dateOf = ({ start, end }: Fields): string =>
  typeof end === 'string' ? `${text(start)} to ${end}` : text(start);

const numbered = ({ prefix, number }: Fields): string => {
  const said = simple(number);
  return typeof prefix === 'string' && said !== '' ? `${prefix}-${said}` : said;
};

/** The result of a formula or rollup. */
const computed = (value: Fields): string => {
  const { type, array } = value;
  if (type === 'array')
    return items(array)
      .map((one) => valueIn(fields(one)))
      .filter((said) => said !== '')
      .join(', ');
  if (type === 'boolean') return value['boolean'] === true ? 'yes' : 'no';
  return type === 'date' ? dateOf(fields(value['date'])) : simple(value[text(type)]);
};

/** Within a rollup a value has its type next to it, and the field name is already in camelCase. */
const valueIn = ({ type, ...value }: Fields): string =>
  type === 'title' ? plainText(value['title']) : valueOf(text(type), Object.values(value).at(-1));

/** A page as one Markdown text: its title as front matter, its properties, its blocks. */
export const pageDocument = (page: WikiPage, trees: readonly BlockTree[], maxBytes: number): FetchedItem => {
  const title = plainText(page.title).replaceAll(/\s+/g, ' ').trim() || 'Untitled';
  const said = [propertyLines(page.properties), markdownOf(trees)].filter((part) => part !== '').join('\n\n');
  // A page without text can be found by its title.
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
    // A page gives its author only as an id.
    metadata: { author: null, created: page.created, modified: page.lastEdited },
  };
};

/** URL of the page for users. */
const webAddress = ({ id, url }: Pick<WikiPage, 'id' | 'url'>): string =>
  /^https?:$/.test(URL.parse(url)?.protocol ?? '') ? url : pageUrl(id);
