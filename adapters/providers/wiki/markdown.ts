import { fileLabel, fileLink, hostedName, isFileBlock } from './hosted-file.ts';
import { fields, items, text, type WikiBlock } from './objects.ts';
import type { BlockTree } from './read-blocks.ts';
import { encoded, escapeBlockSyntax, longestTicks, plainText, richText } from './rich-text.ts';

/** A Markdown table. A cell is one line with escaped bars. Short rows are padded. */
const table = (rows: readonly (readonly string[])[], hasHeader: boolean): string => {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  if (columns === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_, i) => cell(cells[i] ?? '')).join(' | ')} |`;
  const [header = [], ...others] = hasHeader ? rows : [[], ...rows];
  return [line(header), `|${' --- |'.repeat(columns)}`, ...others.map(line)].join('\n');
};

const cell = (said: string): string =>
  said
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim();

/** URL for users of a page of which only the id is known. */
export const pageUrl = (id: string): string => `https://www.notion.so/${id.replaceAll('-', '')}`;

/** Converts blocks to Markdown. The result is the same for every reading of unchanged blocks. */
export const markdownOf = (trees: readonly BlockTree[]): string => {
  let number = 0;
  let before = '';
  let out = '';
  for (const tree of trees) {
    const { type, content } = tree.block;
    const starts = Number(content['listStartIndex'] ?? 1);
    if (type !== 'numbered_list_item') number = 0;
    else number = number === 0 && Number.isSafeInteger(starts) ? starts : number + 1;
    const said = blockOf(tree, number);
    if (said === '') continue;
    // Items of one list are not separated by blank lines.
    const gap = ITEMS.has(type) && type === before ? '\n' : '\n\n';
    out += out === '' ? said : gap + said;
    before = type;
  }
  return out;
};

const ITEMS: ReadonlySet<string> = new Set(['bulleted_list_item', 'numbered_list_item', 'to_do', 'toggle']);

const blockOf = (tree: BlockTree, number: number): string => {
  const { block, children } = tree;
  const { type, content } = block;
  const said = richText(content['richText']);
  switch (type) {
    case 'bulleted_list_item':
    case 'toggle':
      return item('- ', said, children);
    case 'numbered_list_item':
      return item(`${number}. `, said, children);
    case 'to_do':
      return item(content['checked'] === true ? '- [x] ' : '- [ ] ', said, children);
    case 'heading_1':
    case 'heading_2':
    case 'heading_3':
    case 'heading_4':
      return joined(heading(Number(type.at(-1)), said), markdownOf(children));
    case 'quote':
    case 'callout':
      return quoted(joined(withIcon(content['icon'], escapeBlockSyntax(said)), markdownOf(children)));
    case 'code':
      return joined(fenced(text(content['language']), plainText(content['richText'])), caption(block));
    case 'equation':
      return `$$\n${text(content['expression'])}\n$$`;
    case 'table':
      return tableOf(tree);
    case 'child_page':
    case 'child_database':
      return link(text(content['title']), pageUrl(block.id));
    case 'link_to_page':
      return link('', pageUrl(text(content['pageId'] ?? content['databaseId'])));
    case 'divider':
    case 'breadcrumb':
    case 'table_of_contents':
      return '';
    default:
      return isFileBlock(block) ? fileOf(block) : otherOf(tree);
  }
};

/** Paragraphs, columns, synced blocks, links, and block types of later versions. */
const otherOf = ({ block, children }: BlockTree): string => {
  const { content } = block;
  const url = text(content['url']);
  const said = escapeBlockSyntax(richText(content['richText'] ?? content['title']));
  const line = url === '' ? said : link(plainText(content['caption']), url);
  return joined(line, markdownOf(children));
};

const joined = (...parts: readonly string[]): string =>
  parts.filter((part) => part.trim() !== '').join('\n\n');

const item = (mark: string, said: string, children: readonly BlockTree[]): string => {
  const inner = joinedItem(escapeBlockSyntax(said), children);
  return mark + inner.replaceAll(/\n(?=[^\n])/g, `\n${' '.repeat(mark.startsWith('-') ? 2 : mark.length)}`);
};

/** A list in an item directly follows its line; other blocks are separated. */
const joinedItem = (said: string, children: readonly BlockTree[]): string => {
  const below = markdownOf(children);
  const isList = children.length > 0 && ITEMS.has(children[0]!.block.type);
  return below === '' ? said : `${said}${isList ? '\n' : '\n\n'}${below}`;
};

const heading = (level: number, said: string): string =>
  said.trim() === '' ? '' : `${'#'.repeat(level)} ${said.replaceAll(/\s+/g, ' ').trim()}`;

const quoted = (said: string): string =>
  said === '' ? '' : said.replaceAll(/^(.*)$/gm, '> $1').replaceAll(/[ \t]+$/gm, '');

const withIcon = (icon: unknown, said: string): string => {
  const emoji = text(fields(icon)['emoji']);
  return emoji === '' ? said : `${emoji} ${said}`;
};

const fenced = (language: string, code: string): string => {
  const fence = '`'.repeat(Math.max(3, longestTicks(code) + 1));
  return `${fence}${language === 'plain text' ? '' : language.replaceAll(/\s+/g, '-')}\n${code}\n${fence}`;
};

const caption = ({ content }: WikiBlock): string => escapeBlockSyntax(richText(content['caption']));

const tableOf = ({ block, children }: BlockTree): string =>
  table(
    children.map((row) => items(row.block.content['cells']).map(richText)),
    block.content['hasColumnHeader'] === true,
  );

const fileOf = (block: WikiBlock): string => {
  const url = fileLink(block);
  if (url === '') return fileLabel(block) || hostedName(block);
  return `${block.type === 'image' ? '!' : ''}${link(fileLabel(block), url)}`;
};

const link = (said: string, url: string): string =>
  `[${(said.trim() || url).replaceAll(/[[\]]/g, '\\$&').replaceAll(/\s+/g, ' ')}](${encoded(url)})`;
