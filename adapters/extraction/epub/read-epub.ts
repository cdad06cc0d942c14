import { openZip } from '../archive/zip.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { readXml, xmlText } from '../xml/read-xml.ts';

/** A book as its package document describes it (EPUB 3.3, 5). */
export interface Epub {
  readonly title: string | null;
  readonly language: string | null;
  /** Pages in reading order. @throws {ExtractionFailure} as the archive */
  readonly pages: () => Iterable<Buffer>;
}

const MOST_PAGES = 5_000;

/** @throws {ExtractionFailure} `encrypted`, `parser_failed`, and as `openZip` */
export const openEpub = (bytes: Buffer): Epub => {
  const zip = openZip(bytes);
  const xml = (path: string): string => {
    const part = zip.read(path);
    return part === null ? '' : xmlText(part);
  };
  let packagePath = '';
  readXml(xml('META-INF/container.xml'), {
    open: (name, attributes) => {
      if (name === 'rootfile') packagePath ||= attributes['full-path'] ?? '';
    },
  });
  const { title, language, pages } = readPackage(xml(packagePath));
  const folder = packagePath.slice(0, packagePath.lastIndexOf('/') + 1);
  const paths = pages.slice(0, MOST_PAGES).map((page) => pathOf(folder, page));
  if (paths.length === 0) throw new ExtractionFailure('parser_failed', 'its package names no pages');
  const locked = encryptedPaths(xml('META-INF/encryption.xml'));
  if (paths.some((path) => locked.has(path)))
    throw new ExtractionFailure('encrypted', 'the book is locked for its buyer');
  return {
    title,
    language,
    pages: function* () {
      for (const path of paths) {
        const page = zip.read(path);
        if (page !== null) yield page;
      }
    },
  };
};

const readPackage = (xml: string) => {
  const files = new Map<string, string>();
  const pages: string[] = [];
  const found = { title: '', language: '' };
  let name = '';
  let isFirst = true;
  readXml(xml, {
    open: (opened, { id = '', href = '', idref = '', 'media-type': type = '', properties = '' }) => {
      name = opened;
      // The table of contents says what the pages say.
      const isPage = /^(?:application\/xhtml\+xml|text\/html)$/.test(type) && !/\bnav\b/.test(properties);
      if (opened === 'item' && isPage) files.set(id, href);
      const page = opened === 'itemref' ? files.get(idref) : undefined;
      if (page !== undefined) pages.push(page);
    },
    text: (data) => {
      if (name === 'title' && isFirst) found.title += data;
      if (name === 'language') found.language ||= data.trim();
    },
    close: (closed) => {
      name = '';
      if (closed === 'title') isFirst = false;
    },
  });
  return {
    title: found.title.replaceAll(/\s+/g, ' ').trim() || null,
    language: found.language || null,
    pages,
  };
};

const pathOf = (folder: string, href: string): string => {
  const { pathname } = new URL(href, `http://book/${folder}`);
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return pathname.slice(1);
  }
};

/** Fonts are often obfuscated, which locks nothing. */
const encryptedPaths = (xml: string): ReadonlySet<string> => {
  const paths = new Set<string>();
  readXml(xml, {
    open: (name, { URI = '' }) => {
      if (name === 'CipherReference') paths.add(pathOf('', URI));
    },
  });
  return paths;
};
