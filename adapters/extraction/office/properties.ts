import { readXml } from '../xml/read-xml.ts';
import type { OfficePackage } from './package.ts';

export interface OfficeProperties {
  readonly title: string | null;
  readonly language: string | null;
}

/** What the file says of itself (Dublin Core, ISO/IEC 29500-2, clause 11). */
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

/** What programs fill in when nobody gave a title. */
export const isPlaceholder = (title: string): boolean =>
  /^(?:untitled|title|(?:document|presentation|book|slide|folie)\s?\d*|powerpoint presentation|microsoft (?:word|powerpoint|excel) - .*|.*\.(?:docx?|pptx?|xlsx?|indd|tex|dvi|qxd))$/i.test(
    title,
  );
