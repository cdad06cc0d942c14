import { existsSync, globSync, readFileSync } from 'node:fs';

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
/** Words by Zipf's law: the nth comes about once where the first comes n times. */
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

const SYLLABLES = 'ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo yu za'.split(' ');

/** A tree of pages, ten links down and some across; always the same. */
const generated = (count: number): SitePages => {
  const random = randomNumbers(7);
  const page = (nth: number): Buffer => {
    const words = Array.from({ length: WORDS_OF_A_PAGE }, () => word(Math.floor(VOCABULARY ** random())));
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

const word = (rank: number): string => {
  let text = '';
  for (let rest = rank * 7; ; rest = Math.floor(rest / SYLLABLES.length)) {
    text += SYLLABLES[rest % SYLLABLES.length];
    if (rest < SYLLABLES.length) return text + SYLLABLES[rank % 19] + SYLLABLES[rank % 17];
  }
};

/** A linear congruential generator (the constants of Numerical Recipes): numbers from 0 to 1, the same every time. */
const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
};
