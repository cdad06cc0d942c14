/** A manual in one of Debian's packages, and what it is asked. */
export interface Manual {
  /** Also of its files of questions: this, and this with `-typed` behind it. */
  readonly name: string;
  /** Where these files are; with those of the project unless said. */
  readonly questions?: string;
  readonly package: string;
  /** Of its pages, within the package. */
  readonly folder: string;
  /** Pattern of the paths that are read, within the folder; all unless said. */
  readonly pages?: RegExp;
  /** Its names, as `npm run eval:questions -- names` draws them. Absent: it marks none. */
  readonly names?: { readonly anchor?: RegExp; readonly select?: string; readonly pages?: RegExp };
  /** Its titles: what they end in that nobody types, and the pages that count. Absent: it has too few. */
  readonly titles?: { readonly end?: RegExp; readonly pages?: RegExp };
}

/** Behind a dash, Sphinx names the manual. */
const SPHINX = { end: / — .*$/ };

export const MANUALS: readonly Manual[] = [
  {
    name: 'postgresql',
    package: 'postgresql-doc-15',
    folder: 'usr/share/doc/postgresql-doc-15/html',
    names: { anchor: /^GUC-/ },
    titles: { pages: /^sql-/ },
  },
  {
    name: 'python',
    package: 'python3.11-doc',
    folder: 'usr/share/doc/python3.11/html',
    names: {},
    titles: SPHINX,
  },
  { name: 'git', package: 'git-doc', folder: 'usr/share/doc/git-doc', titles: {} },
  { name: 'sqlite', package: 'sqlite3-doc', folder: 'usr/share/doc/sqlite3', titles: {} },
  {
    name: 'apache',
    package: 'apache2-doc',
    folder: 'usr/share/doc/apache2-doc/manual/en',
    names: { select: '.directive-section h2 span[id]' },
    titles: { end: / - Apache HTTP Server Version 2\.4$/ },
  },
  {
    name: 'postfix',
    package: 'postfix-doc',
    folder: 'usr/share/doc/postfix/html',
    names: { select: 'dt a[name]', pages: /^postconf\.5/ },
    titles: {},
  },
  {
    name: 'cmake',
    package: 'cmake-doc',
    folder: 'usr/share/doc/cmake-data/html',
    titles: SPHINX,
  },
  {
    name: 'borg',
    package: 'borgbackup-doc',
    folder: 'usr/share/doc/borgbackup/html',
    pages: /^(?!book\.html)/,
    titles: SPHINX,
  },
  {
    name: 'octave',
    package: 'octave-doc',
    folder: 'usr/share/doc/octave/octave.html',
    pages: /^(?!XREF)/,
    names: { select: 'dt[id] strong' },
    titles: { end: / \(GNU Octave.*$/ },
  },
  {
    name: 'exim',
    package: 'exim4-doc-html',
    folder: 'usr/share/doc/exim4-doc-html/spec_html',
    pages: /^(?!ch\d*\.html)/,
    names: { select: 'table tr:first-child td:first-child > span.docbook_option' },
    titles: {},
  },
  {
    name: 'doxygen',
    package: 'doxygen-doc',
    folder: 'usr/share/doc/doxygen/html',
    pages: /^[^/]*$/,
    names: { select: 'dl > dt > code', pages: /^config/ },
    titles: { end: /^Doxygen: / },
  },
  {
    name: 'zsh',
    package: 'zsh-doc',
    folder: 'usr/share/doc/zsh-common/html',
    names: { select: 'dt tt:first-child' },
    titles: {},
  },
  {
    name: 'haproxy',
    package: 'haproxy-doc',
    folder: 'usr/share/doc/haproxy/html',
    names: { select: '.keyword b' },
  },
  { name: 'gimp', package: 'gimp-help-en', folder: 'usr/share/gimp/2.0/help/en', titles: {} },
  {
    name: 'debian-policy',
    package: 'debian-policy',
    folder: 'usr/share/doc/debian-policy/policy.html',
    titles: SPHINX,
  },
  {
    name: 'bind',
    package: 'bind9-doc',
    folder: 'usr/share/doc/bind9-doc/arm',
    names: { anchor: /^namedconf-statement-/ },
    titles: SPHINX,
  },
  {
    name: 'gnucash',
    package: 'gnucash-docs',
    folder: 'usr/share/doc/gnucash-docs/gnucash-guide-en',
    titles: {},
  },
  {
    name: 'lilypond',
    package: 'lilypond-doc-html',
    folder: 'usr/share/doc/lilypond/html/Documentation',
    pages: /^(?:notation|usage|music-glossary)\//,
    titles: {},
  },
  {
    name: 'installation-guide',
    package: 'installation-guide-amd64',
    folder: 'usr/share/doc/installation-guide-amd64/en',
    titles: {},
  },
  {
    name: 'mutt',
    package: 'mutt',
    folder: 'usr/share/doc/mutt/html',
    pages: /^(?!manual\.html)/,
  },
  {
    name: 'r',
    package: 'r-doc-html',
    folder: 'usr/share/R/doc/manual',
    pages: /^(?!R-ints|R-lang)/,
  },
  { name: 'anarchism', package: 'anarchism', folder: 'usr/share/doc/anarchism/html' },
  {
    name: 'django',
    package: 'python-django-doc',
    folder: 'usr/share/doc/python-django-doc/html',
    pages: /^(?!genindex|py-modindex|search\.html|contents\.html|_modules)/,
    titles: { end: / (?:—|\|) .*$/ },
  },
  {
    name: 'nut',
    package: 'nut-doc',
    folder: 'usr/share/doc/nut-doc/html',
    pages: /^(?!FAQ\.html)/,
  },
  {
    name: 'writer',
    package: 'libreoffice-help-en-us',
    folder: 'usr/share/libreoffice/help/en-US/text',
    pages: /^(?:swriter|shared\/guide)\//,
    titles: {},
  },
  {
    name: 'shorewall',
    package: 'shorewall-doc',
    folder: 'usr/share/doc/shorewall-doc',
    pages: /^(?!html\/(?:.*_(?:ru|fr)|template|index|survey.*)\.html)/,
    titles: {},
  },
  {
    name: 'prolog',
    package: 'swi-prolog-doc',
    folder: 'usr/share/swi-prolog/doc/Manual',
    pages: /^(?!DocIndex|Contents|Bibliography)/,
  },
  {
    name: 'hugin',
    package: 'hugin-data',
    folder: 'usr/share/hugin/xrc/data/help_en_EN',
    pages: /^(?!license)/,
    titles: { end: / - PanoTools\.org Wiki$/ },
  },
  {
    name: 'slurm',
    package: 'slurm-wlm-doc',
    folder: 'usr/share/doc/slurm-wlm/html',
    titles: { end: /^\s*Slurm Workload Manager -\s*/ },
  },
  { name: 'stl', package: 'stl-manual', folder: 'usr/share/doc/stl-manual/html', titles: {} },
];
