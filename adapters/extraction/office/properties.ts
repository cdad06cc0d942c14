import type { CompoundFile } from '../archive/compound-file.ts';
import { readXml } from '../xml/read-xml.ts';
import { codePageDecoder } from './code-pages.ts';
import type { OfficePackage } from './package.ts';

interface OfficeProperties {
  readonly title: string | null;
  readonly language: string | null;
}

/** Document properties (Dublin Core, ISO/IEC 29500-2, clause 11). */
export const readProperties = (file: OfficePackage): OfficeProperties => {
  const found: Record<string, string> = {};
  const path = file.relationships('').find(({ type }) => type === 'core-properties')?.target;
  const xml = path === undefined ? null : file.xml(path);
  if (xml !== null) {
    let name = '';
    readXml(xml, {
      open: (opened) => {
        name = opened;
      },
      text: (data) => {
        found[name] = (found[name] ?? '') + data;
      },
      close: () => {
        name = '';
      },
    });
  }
  const field = (name: string): string | null => found[name]?.replaceAll(/\s+/g, ' ').trim() || null;
  const title = field('title');
  return { title: title !== null && isPlaceholder(title) ? null : title, language: field('language') };
};

/** Default titles of programs. */
const isPlaceholder = (title: string): boolean =>
  /^(?:untitled|title|(?:document|presentation|book|slide|folie)\s?\d*|powerpoint presentation|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|qxd))$/i.test(
    title,
  );

const TITLE = 2;
const CODE_PAGE = 1;
const NARROW = 0x1e;
const WIDE = 0x1f;

/** The title property of an office file from before 2007 ([MS-OLEPS] 2.21); null without a meaningful one. */
export const readSummaryTitle = (file: Pick<CompoundFile, 'read'>): string | null => {
  const stream = file.read('\u0005SummaryInformation');
  try {
    const title = stream === null ? '' : readTitle(stream).replaceAll(/\s+/g, ' ').trim();
    return title === '' || isPlaceholder(title) ? null : title;
  } catch {
    return null; // a broken property set: the document itself may be fine
  }
};

const readTitle = (stream: Buffer): string => {
  const set = stream.subarray(stream.readUInt32LE(44));
  const places = new Map<number, number>();
  for (let index = 0; index < Math.min(set.readUInt32LE(4), 100); index += 1) {
    places.set(set.readUInt32LE(8 + 8 * index), set.readUInt32LE(12 + 8 * index));
  }
  const at = places.get(TITLE);
  if (at === undefined) return '';
  const length = set.readUInt32LE(at + 4);
  const type = set.readUInt16LE(at);
  if (type === WIDE) return set.toString('utf16le', at + 8, at + 8 + 2 * length).replaceAll('\0', '');
  if (type !== NARROW) return '';
  const page = places.get(CODE_PAGE);
  const bytes = set.subarray(at + 8, at + 8 + length);
  return codePageDecoder(page === undefined ? 1_252 : set.readUInt16LE(page + 4))
    .decode(bytes)
    .replaceAll('\0', '');
};
