/** What the reader of HTML knows of elements, by lower-case name. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const VOID_ELEMENTS = names(
  'area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr',
);

/** Without meaning for text or structure: they are not kept on the stack, however many stay open. */
export const INLINE_ELEMENTS = names(
  'abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q ruby s samp small span strike strong sub time tt u var',
);

/** Not content of the page: navigation, chrome, controls, and what is not text. */
export const DROPPED_ELEMENTS = names(
  'script style template noscript noembed noframes iframe object applet svg math canvas audio video map nav footer aside menu button select datalist textarea dialog',
);

/** ARIA roles of the same kind (WAI-ARIA 1.2 landmarks and widgets). */
export const DROPPED_ROLES = names(
  'navigation banner contentinfo search complementary menu menubar toolbar tablist tooltip dialog alertdialog',
);

/**
 * Class names and ids by which documentation generators and frameworks mark what is no nav or footer element:
 * navigation, contents of the whole site beside each page (texi2html, Read the Docs, Material for MkDocs, Docusaurus, GitBook), the
 * ends of pages, and what comes up only where the pointer rests.
 */
export const DROPPED_NAMES =
  /(?:^|\s)(?:nav|navheader|navfooter|navbar|nav-?panel|side-?nav|navigation|sidebar|breadcrumbs?|sphinxsidebar|wy-nav-side|md-sidebar|theme-doc-sidebar-container|book-summary|toc-?(?:frame|sidebar|panel)|sidebar-?toc|pagination|skip-link|(?:site-|page-)?footer|dropdown-(?:menu|content)|tooltip-?text)(?:\s|$)/;

/** Parts of tables may have a footer of their own. */
export const TABLE_PARTS = names('caption tbody td tfoot th thead tr');

/** An aside of these classes is a note within the text. */
export const NOTE_CLASSES = /note|warning|caution|important|tip|danger|admonition|callout/i;

/** Ends a line: what follows is set apart, but belongs to the same paragraph. */
export const LINE_ELEMENTS = names(
  'address br caption center dd div fieldset figcaption form header legend li main option optgroup summary tbody td tfoot th thead tr',
);

/** Ends a paragraph. */
export const PARAGRAPH_ELEMENTS = names(
  'article aside blockquote body details dir dl dt figure hr menu ol p pre listing xmp section table ul',
);

const BLOCKS_CLOSING_P =
  'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';

/** Opening the key ends these elements where they are innermost (WHATWG HTML 13.1.2.4, optional tags). */
export const IMPLIED_ENDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...BLOCKS_CLOSING_P.split(' ').map((name) => [name, names('p')] as const),
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((name) => [name, names('p h1 h2 h3 h4 h5 h6')] as const),
  ['li', names('li p')],
  ['dt', names('dt dd p')],
  ['dd', names('dt dd p')],
  ['tr', names('tr td th p')],
  ['td', names('td th p')],
  ['th', names('td th p')],
  ['tbody', names('thead tbody tr td th p')],
  ['tfoot', names('thead tbody tr td th p')],
  ['option', names('option')],
  ['optgroup', names('option optgroup')],
  ['a', names('a')],
  ['body', names('head')],
]);
