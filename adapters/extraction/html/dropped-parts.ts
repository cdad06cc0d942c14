import {
  type Attributes,
  DROPPED_ELEMENTS,
  DROPPED_NAMES,
  DROPPED_ROLES,
  NOTE_CLASSES,
  TABLE_PARTS,
} from './tags.ts';

/** What is open around an element: 0 for what is not. */
interface Around {
  readonly main: number;
  readonly article: number;
  readonly section: number;
}

/** Whether an element is left out with all that is in it. */
export const isDropped = (name: string, attributes: Attributes, around: Around): boolean => {
  const { role, class: classes = '', id } = attributes;
  if (DROPPED_ELEMENTS.has(name)) return !(name === 'aside' && NOTE_CLASSES.test(classes));
  // A header names its section; outside of the content it is the banner of the site.
  if (name === 'header' && around.main === 0 && around.article === 0 && around.section === 0) return true;
  if (name === 'body' || name === 'html' || name === 'main') return false;
  if (role !== undefined && DROPPED_ROLES.has(role.trim().toLowerCase())) return true;
  if (isHidden(attributes)) return true;
  if (attributes['aria-hidden'] === 'true' && name !== 'pre' && name !== 'code') return true;
  if (TABLE_PARTS.has(name)) return false;
  return DROPPED_NAMES.test(classes) || (id !== undefined && DROPPED_NAMES.test(id) && isNamedByHand(name, classes));
};

/** Generators make the ids of sections, headings and terms from what these say: `pagination` is one about pagination. */
const isNamedByHand = (name: string, classes: string): boolean =>
  !NAMED_BY_THEIR_TEXT.has(name) && !SECTION_CLASS.test(classes);
const NAMED_BY_THEIR_TEXT: ReadonlySet<string> = new Set(
  'section article h1 h2 h3 h4 h5 h6 dt dd li p figure details a span'.split(' '),
);
/** How Docutils, Pandoc and Asciidoctor call what is no section element. */
const SECTION_CLASS = /(?:^|\s)(?:section|sect\d|level\d)(?:\s|$)/;

/** What a script may uncover. */
export const isHidden = ({ hidden, style }: Attributes): boolean =>
  (hidden !== undefined && hidden !== 'until-found') || (style !== undefined && NOT_SHOWN.test(style));
const NOT_SHOWN = /display\s*:\s*none/i;
