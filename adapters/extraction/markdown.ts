import type { TextUnit } from '../../domain/chunking/chunk.ts';
import { type HeadedText, headingPaths } from './office/text-flow.ts';

interface MarkdownDocument {
  /** From the front matter, else the first heading, else null. */
  readonly title: string | null;
  readonly language: string | null;
  readonly units: TextUnit[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ATX_HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)/;
const SETEXT_UNDERLINE = /^ {0,3}(=+|-{2,})[ \t]*$/;

/**
 * Sections of a Markdown text (CommonMark 0.31: ATX and setext headings, fenced code) by heading. The text keeps its
 * Markdown, which readers and language models understand; front matter is read and removed.
 */
export const readMarkdown = (source: string): MarkdownDocument => {
  const { fields, body } = frontMatter(source.replaceAll(/\r\n?/g, '\n'));
  const parts = sections(body.split('\n'));
  const title = fields.get('title') ?? parts.find((part) => part.level > 0)?.heading ?? null;
  return {
    title,
    language: fields.get('lang') ?? fields.get('language') ?? null,
    units: headingPaths(parts).filter((unit) => unit.text.trim() !== ''),
  };
};

/** Scalar fields of a YAML block between lines of three dashes at the very start. */
const frontMatter = (source: string): { fields: Map<string, string>; body: string } => {
  const fields = new Map<string, string>();
  const end = source.startsWith('---\n') ? source.indexOf('\n---', 3) : -1;
  const after = end === -1 ? -1 : source.indexOf('\n', end + 1);
  const closing = end === -1 ? '' : source.slice(end + 1, after === -1 ? undefined : after);
  if (closing.trim() !== '---') return { fields, body: source };
  for (const line of source.slice(4, end).split('\n')) {
    const [, name, value = ''] = /^([\w-]+):[ \t]+(.*)$/.exec(line) ?? [];
    const scalar = value.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (name !== undefined && scalar !== '') fields.set(name.toLowerCase(), scalar);
  }
  return { fields, body: after === -1 ? '' : source.slice(after + 1) };
};

const sections = (lines: readonly string[]): HeadedText[] => {
  const parts: HeadedText[] = [];
  let section = { level: 0, heading: '', body: [] as string[] };
  let fence: string | null = null;
  const open = (level: number, heading: string): void => {
    const text = section.body.join('\n');
    if (section.level > 0 || text.trim() !== '')
      parts.push(withHeading(section.level, section.heading, text));
    section = { level, heading, body: [] };
  };
  for (const [index, line] of lines.entries()) {
    const mark = FENCE.exec(line)?.[1];
    if (fence === null && mark !== undefined) fence = mark;
    else if (fence !== null && mark?.startsWith(fence) === true && /^[\s`~]*$/.test(line)) fence = null;
    const atx = fence === null ? ATX_HEADING.exec(line) : null;
    const setext = fence === null ? SETEXT_UNDERLINE.exec(line)?.[1] : undefined;
    if (atx !== null) open(atx[1]!.length, plainHeading(line.slice(atx[0].length)));
    else if (setext !== undefined && isParagraphLine(section.body.at(-1))) {
      const heading = plainHeading(section.body.pop()!);
      open(setext.startsWith('=') ? 1 : 2, heading);
    } else if (fence === null && section.body.length > 0 && continuesProse(lines[index - 1], line)) {
      section.body.push(`${section.body.pop()!} ${line}`);
    } else section.body.push(line);
  }
  open(0, '');
  return parts;
};

const withHeading = (level: number, heading: string, text: string): HeadedText =>
  heading === '' ? { level: 0, heading, text } : { level, heading, text: `${heading}\n\n${text}` };

const isParagraphLine = (line: string | undefined): boolean =>
  line !== undefined && /^ {0,3}[^\s>|#-]/.test(line) && !/^ {0,3}(?:[*+]|\d+[.)])\s/.test(line);

const MAX_HEADING_CHARACTERS = 1_000;

/** Removes emphasis, code marks, link targets, closing signs and explicit ids. */
const plainHeading = (text: string): string =>
  text
    .trim()
    .slice(0, MAX_HEADING_CHARACTERS)
    .replace(/(?:^|[ \t])#+$/, '')
    .replace(/\{#[\w-]+\}\s*$/, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]+|(?<!\w)_+|_+(?!\w)/g, '')
    .trim();

/** One unit: plain text has no reliable structure. */
export const readPlainText = (text: string): TextUnit[] => [
  { headingPath: [], pageNumber: 0, text: unwrapped(text.split(/\r\n?|\n/)) },
];

const unwrapped = (lines: readonly string[]): string => {
  const joined: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (continuesProse(lines[index - 1], line)) joined.push(' ', line);
    else joined.push('\n', line);
  }
  return joined.slice(1).join('');
};

const LONG_LINE = 40;

/**
 * Whether a line continues the sentence of the previous line, as in wrapped prose: after a long line that ends in a
 * word or comma, beginning with a lower-case letter. Lists, tables, verse and code keep their lines.
 */
const continuesProse = (previous: string | undefined, line: string): boolean =>
  previous !== undefined &&
  previous.length >= LONG_LINE &&
  /^\S/.test(previous) &&
  /^[\p{L}\p{N},;]$/u.test(previous.at(-1)!) &&
  /^\p{Ll}/u.test(line);
