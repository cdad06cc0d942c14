import { existsSync, globSync, readFileSync } from 'node:fs';
import { randomNumbers, word, zipfWord } from '../measuring/words.ts';

export interface SitePages {
  /** Where the pages are from. */
  readonly name: string;
  /** Path to bytes. */
  readonly pages: ReadonlyMap<string, Buffer>;
  readonly start: string;
  /** A word that a search finds among them. */
  readonly word: string;
}

const DOCUMENTATION = '/usr/share/doc/postgresql-doc-15/html';
/** As many pages as that documentation has, of the same mean size. */
const PAGES = 1_170;
const WORDS_OF_A_PAGE = 1_200;
const VOCABULARY = 20_000;
const QUICK_PAGES = 60;

/** The documentation of PostgreSQL where Debian's package is installed, else a made-up site of that size. */
export const sitePages = (quick: boolean): SitePages => {
  if (quick) return generated(QUICK_PAGES);
  return existsSync(DOCUMENTATION) ? documentation() : generated(PAGES);
};

const documentation = (): SitePages => {
  const files = globSync('*.html', { cwd: DOCUMENTATION });
  return {
    name: 'postgresql-doc-15',
    pages: new Map(files.map((file) => [`/${file}`, readFileSync(`${DOCUMENTATION}/${file}`)])),
    start: '/index.html',
    word: 'vacuum',
  };
};

/** A tree of pages, ten links down and some across; always the same. */
const generated = (count: number): SitePages => {
  const random = randomNumbers(7);
  const page = (nth: number): Buffer => {
    const words = Array.from({ length: WORDS_OF_A_PAGE }, () => zipfWord(random, VOCABULARY));
    const children = Array.from({ length: 10 }, (_, k) => 10 * nth + k + 1).filter((child) => child < count);
    const across = Array.from({ length: 20 }, () => Math.floor(random() * count));
    const links = [...children, ...across].map((to) => `<li><a href="/p${to}.html">Page ${to}</a></li>`);
    const paragraphs = Array.from({ length: 12 }, (_, k) => words.slice(100 * k, 100 * k + 100));
    const text = paragraphs.map((part, k) => `<h2>Part ${k} of ${nth}</h2><p>${part.join(' ')}.</p>`);
    return Buffer.from(
      `<!doctype html><html><head><title>Page ${nth}</title></head><body><main><h1>Page ${nth}</h1>
      ${text.join('\n')}</main><nav><ul>${links.join('')}</ul></nav></body></html>`,
    );
  };
  const pages = new Map(Array.from({ length: count }, (_, nth) => [`/p${nth}.html`, page(nth)]));
  return { name: 'generated', pages, start: '/p0.html', word: word(1) };
};
