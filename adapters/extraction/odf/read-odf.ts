import { openZip, type Zip } from '../archive/zip.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import type { OfficeText } from '../office/text-flow.ts';
import type { Workbook } from '../office/workbook.ts';
import { readXml, xmlText } from '../xml/read-xml.ts';
import { readOdfBody } from './body.ts';
import { readOdfSheets } from './sheets.ts';
import { type OdfStyles, readOdfStyles } from './styles.ts';

interface OdfFile {
  readonly content: string;
  /** Has the headers and footers of a text. */
  readonly pages: string;
  readonly styles: OdfStyles;
  readonly pageStyles: OdfStyles;
  readonly title: string | null;
  readonly language: string | null;
}

const MARGINS = new Set(['header', 'footer'].flatMap((name) => [name, `${name}-left`, `${name}-first`]));

/**
 * Text of an OpenDocument text: headings, lists, tables and notes, then headers, footers and comments. What was deleted,
 * struck out or hidden is no text of it.
 *
 * @throws {ExtractionFailure} `encrypted`, `parser_failed`, `too_large`, and as `openZip`
 */
export const readOdt = (bytes: Buffer, maxCharacters: number): OfficeText => {
  const { content, pages, styles, pageStyles, title, language } = openOdf(bytes);
  const body = readOdfBody(content, styles, new Set(['text']), maxCharacters);
  const margins = readOdfBody(pages, pageStyles, MARGINS, maxCharacters).units;
  const lines = new Set(margins.flatMap(({ text }) => text.split('\n\n')));
  const beside = [...lines].map((text) => ({ headingPath: [], pageNumber: 0, text }));
  return { title: title ?? body.title, language, units: [...body.units, ...beside] };
};

/** Slides of an OpenDocument presentation that are not hidden. @throws {ExtractionFailure} as `readOdt` */
export const readOdp = (bytes: Buffer, maxCharacters: number): OfficeText => {
  const { content, styles, title, language } = openOdf(bytes);
  const { units } = readOdfBody(content, styles, new Set(['presentation']), maxCharacters);
  return { title, language, units: [...units] };
};

/** Sheets of an OpenDocument spreadsheet. @throws {ExtractionFailure} as `readOdt` */
export const openOds = (bytes: Buffer, maxCharacters: number): Workbook => {
  const { content, styles, title, language } = openOdf(bytes);
  return { title, language, sheets: () => readOdfSheets(content, styles, maxCharacters) };
};

/** A file in the package format, or the single XML document of the flat one. */
const openOdf = (bytes: Buffer): OdfFile => {
  if (bytes[0] !== 0x50) {
    const xml = xmlText(bytes);
    const styles = readOdfStyles([xml]);
    return { content: xml, pages: xml, styles, pageStyles: styles, ...readMeta(xml) };
  }
  const zip = openZip(bytes);
  const manifest = part(zip, 'META-INF/manifest.xml') ?? '';
  if (/<[\w:]*encryption-data\b/.test(manifest) || zip.names.includes('encrypted-package'))
    throw new ExtractionFailure('encrypted', 'the document needs a password');
  const content = part(zip, 'content.xml');
  if (content === null) throw new ExtractionFailure('parser_failed', 'its main part is missing');
  const pages = part(zip, 'styles.xml') ?? '';
  const [styles, pageStyles] = [readOdfStyles([content, pages]), readOdfStyles([pages])];
  return { content, pages, styles, pageStyles, ...readMeta(part(zip, 'meta.xml') ?? '') };
};

const part = (zip: Zip, name: string): string | null => {
  const bytes = zip.read(name);
  return bytes === null ? null : xmlText(bytes);
};

const META_CHARACTERS = 65_536;

const readMeta = (xml: string): Pick<OdfFile, 'title' | 'language'> => {
  const found: Record<string, string> = {};
  let name = '';
  readXml(xml.slice(0, META_CHARACTERS), {
    open: (opened) => {
      name = opened;
      if (name === 'title' || name === 'language') found[name] ??= '';
    },
    text: (data) => {
      if (name === 'title' || name === 'language') found[name] += data;
    },
    close: () => {
      name = '';
    },
  });
  const field = (of: string): string | null => found[of]?.replaceAll(/\s+/g, ' ').trim() || null;
  return { title: field('title'), language: field('language') };
};
