import { Tokenizer } from 'htmlparser2';

/** Attributes by lower-case name; the first of duplicates counts. Only those in {@link KEPT_ATTRIBUTES}. */
export type Attributes = Readonly<Record<string, string | undefined>>;

/** An attribute as WHATWG HTML reads integers; null: it is none. */
export const wholeIn = (text: string | undefined): number | null => {
  const digits = /^\s*([+-]?\d{1,15})/.exec(text ?? '')?.[1];
  return digits === undefined ? null : Number(digits);
};

interface TagHandler {
  /** `depth` counts the open elements including this one; 0 for a void element, which is never closed. */
  open(name: string, attributes: Attributes, depth: number): void;
  /** The innermost open element, at `depth`, ends. */
  close(name: string, depth: number): void;
  text(data: string): void;
  /** Whether inline elements must also be tracked, because the end of one of them matters now. */
  followsInline(): boolean;
}

const KEPT_ATTRIBUTES = new Set(
  'alt aria-controls aria-expanded aria-haspopup aria-hidden aria-label aria-labelledby class colspan content data-bs-target data-bs-toggle data-target data-toggle epub:type face hidden href http-equiv id lang name property rel reversed role rowspan src start style title type value'.split(
    ' ',
  ),
);
const NONE: Attributes = Object.freeze({});

/** Predicts the cost of a parser that builds a document of this markup. */
export interface MarkupSize {
  readonly elements: number;
  /** Maximum nesting depth, including inline elements. */
  readonly depth: number;
}

/** An end tag searches this far down for its start tag, so that misnested markup takes linear time. */
const SEARCHED_DEPTH = 1_024;

/**
 * Passes the tags of an HTML text to a handler in one pass, in linear time: uses the tokenizer rather than the parser
 * of htmlparser2, whose stack costs the square of the nesting depth.
 */
export const readTags = (html: string, handler: TagHandler): MarkupSize => {
  const isXml = XHTML.test(html.slice(0, XHTML_SAYS_SO_WITHIN));
  const stack: string[] = [];
  const size = { elements: 0, depth: 0 };
  let inline = 0;
  let foreign = 0;
  let tag = '';
  let attributes: Record<string, string | undefined> | null = null;
  let attribute: string | null = null;
  let value = '';

  const pop = (): void => {
    const name = stack.pop()!;
    if (name === 'svg' || name === 'math') foreign -= 1;
    handler.close(name, stack.length + 1);
  };
  const closeImplied = (name: string): void => {
    const ended = IMPLIED_ENDS.get(name);
    if (ended === undefined) return;
    while (stack.length > 0 && ended.has(stack[stack.length - 1]!)) pop();
  };
  const open = (selfClosing: boolean): void => {
    closeImplied(tag);
    const isVoid = VOID_ELEMENTS.has(tag) || (selfClosing && foreign > 0 && !isXml);
    const isInline = INLINE_ELEMENTS.has(tag);
    const kept = attributes ?? NONE;
    size.elements += 1;
    if (isInline) inline += 1;
    size.depth = Math.max(size.depth, stack.length + inline);
    if (isVoid) {
      handler.open(tag, kept, 0);
    } else if (!isInline || FOLLOWED.has(tag) || attributes !== null || handler.followsInline()) {
      stack.push(tag);
      if (tag === 'svg' || tag === 'math') foreign += 1;
      handler.open(tag, kept, stack.length);
      if (selfClosing && isXml) {
        if (isInline) inline -= 1;
        pop();
      }
    }
    attributes = null;
  };
  const close = (name: string): void => {
    if (inline > 0 && INLINE_ELEMENTS.has(name)) inline -= 1;
    if (name === 'br' || name === 'p') handler.open('br', NONE, 0);
    const lowest = Math.max(0, stack.length - SEARCHED_DEPTH);
    for (let at = stack.length - 1; at >= lowest; at -= 1) {
      if (stack[at] !== name) continue;
      while (stack.length > at) pop();
      return;
    }
  };

  const tokenizer = new Tokenizer(
    { decodeEntities: true, recognizeSelfClosing: isXml },
    {
      ontext: (start, end) => handler.text(html.slice(start, end)),
      ontextentity: (codepoint) => handler.text(String.fromCodePoint(codepoint)),
      onopentagname: (start, end) => {
        tag = html.slice(start, end).toLowerCase();
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => close(html.slice(start, end).toLowerCase()),
      onattribname: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        attribute = KEPT_ATTRIBUTES.has(name) ? name : null;
        value = '';
      },
      onattribdata: (start, end) => {
        if (attribute !== null) value += html.slice(start, end);
      },
      onattribentity: (codepoint) => {
        if (attribute !== null) value += String.fromCodePoint(codepoint);
      },
      onattribend: () => {
        if (attribute === null) return;
        attributes ??= {};
        attributes[attribute] ??= value;
      },
      oncdata: (start, end, offset) => {
        if (isXml || foreign > 0) handler.text(html.slice(start, end - offset));
      },
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
      isInForeignContext: () => foreign > 0,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  while (stack.length > 0) pop();
  return size;
};

/** Element names for the HTML reader, in lower case. */

const names = (list: string): ReadonlySet<string> => new Set(list.split(' '));

const VOID_ELEMENTS = names(
  'area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr',
);

/** XHTML says so at its beginning: there a tag that closes itself has no content, as it may seem to have in HTML. */
const XHTML = /^\s*<\?xml\s|<html\b[^>]*\sxmlns\s*=\s*["']http:\/\/www\.w3\.org\/1999\/xhtml["']/i;
const XHTML_SAYS_SO_WITHIN = 2_000;
/** Inline elements that say something about their text, or take it out. */
const FOLLOWED = names('sup sub del s strike');

/** Without meaning for text or structure: they are not kept on the stack, however many stay open. */
const INLINE_ELEMENTS = names(
  'abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr output q ruby s samp small span strike strong sub time tt u var',
);

/** Not content of the page: navigation, chrome, controls, and non-text. */
export const DROPPED_ELEMENTS = names(
  'script style template noscript noembed noframes iframe object applet svg math canvas audio video map nav footer aside menu button select datalist textarea dialog',
);

/** Corresponding ARIA roles (WAI-ARIA 1.2 landmarks and widgets). */
export const DROPPED_ROLES = names(
  'navigation banner contentinfo search complementary menu menubar toolbar tablist tooltip dialog alertdialog',
);

/**
 * Class names and ids with which documentation generators and frameworks mark boilerplate that is not a nav or footer
 * element: navigation, site-wide tables of contents (texi2html, Read the Docs, Material for MkDocs, Docusaurus,
 * GitBook), page footers, and tooltips.
 */
export const DROPPED_NAMES =
  /(?:^|\s)(?:nav|navheader|navfooter|navbar|nav-?panel|side-?nav|navigation|sidebar|breadcrumbs?|sphinxsidebar|wy-nav-side|md-sidebar|theme-doc-sidebar-container|book-summary|toc-?(?:frame|sidebar|panel)|sidebar-?toc|pagination|skip-link|(?:site-|page-)?footer|dropdown-(?:menu|content)|tooltip-?text)(?:\s|$)/;

/** Parts of tables may have their own footer. */
export const TABLE_PARTS = names('caption tbody td tfoot th thead tr');

/** An aside that is called so, or what books may have, is a note within the text. */
export const NOTE_NAMES = /note|warning|caution|important|tip|danger|admonition|callout|\bdoc-/i;

/** Begins a new line within the same paragraph. */
export const LINE_ELEMENTS = names(
  'address br caption center dd div fieldset figcaption footer form header legend li main option optgroup summary tbody td tfoot th thead tr',
);

/** Ends a paragraph. */
export const PARAGRAPH_ELEMENTS = names(
  'article aside blockquote body details dir dl dt figure hr menu ol p pre listing xmp section table ul',
);

const BLOCKS_CLOSING_P =
  'address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table ul';

/** Opening the key implicitly ends these elements if they are innermost (WHATWG HTML 13.1.2.4, optional tags). */
const IMPLIED_ENDS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
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
