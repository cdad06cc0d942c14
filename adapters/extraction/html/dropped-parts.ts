import {
  type Attributes,
  DROPPED_ELEMENTS,
  DROPPED_NAMES,
  DROPPED_ROLES,
  NOTE_NAMES,
  TABLE_PARTS,
} from './tags.ts';

/** What is known of the place of an element. */
interface Around {
  /** Within a quotation or a figure. */
  readonly isInQuote: boolean;
  /** Whether a button here is what its line says: the question of an accordion. */
  readonly isLabel: boolean;
  /** Whether a control of the page shows the element. */
  readonly isUncovered: boolean;
}

const STRUCK_OUT: ReadonlySet<string> = new Set(['del', 's', 'strike']);

/** Whether an element is left out with all that is in it. */
export const isDropped = (name: string, attributes: Attributes, around: Around): boolean => {
  const { role, class: classes = '', id } = attributes;
  if (name === 'footer' && around.isInQuote) return false; // who said it
  if (name === 'button') return !around.isLabel || isHidden(attributes);
  if (STRUCK_OUT.has(name)) return true;
  if (DROPPED_ELEMENTS.has(name)) return !(name === 'aside' && isNote(attributes));
  if (name === 'body' || name === 'html' || name === 'main') return false;
  if (role !== undefined && DROPPED_ROLES.has(role.trim().toLowerCase())) return true;
  if (isHidden(attributes) && !around.isUncovered) return true;
  if (attributes['aria-hidden'] === 'true' && !around.isUncovered && name !== 'pre' && name !== 'code')
    return true;
  if (TABLE_PARTS.has(name)) return false;
  return (
    DROPPED_NAMES.test(classes) ||
    (id !== undefined && DROPPED_NAMES.test(id) && isNamedByHand(name, classes))
  );
};

const isNote = ({ class: classes, role, 'aria-label': label, 'epub:type': kind }: Attributes): boolean =>
  kind !== undefined || [classes, role, label].some((name) => NOTE_NAMES.test(name ?? ''));

/** Generators make the ids of sections, headings and terms from what these say: `pagination` is one about pagination. */
const isNamedByHand = (name: string, classes: string): boolean =>
  !NAMED_BY_THEIR_TEXT.has(name) && !SECTION_CLASS.test(classes);
const NAMED_BY_THEIR_TEXT: ReadonlySet<string> = new Set(
  'section article h1 h2 h3 h4 h5 h6 dt dd li p figure details a span'.split(' '),
);
/** How Docutils, Pandoc and Asciidoctor call what is no section element. */
const SECTION_CLASS = /(?:^|\s)(?:section|sect\d|level\d)(?:\s|$)/;

/** What a script may uncover. */
const isHidden = ({ hidden, style }: Attributes): boolean =>
  (hidden !== undefined && hidden !== 'until-found') || (style !== undefined && NOT_SHOWN.test(style));
const NOT_SHOWN = /display\s*:\s*none|text-decoration(?:-line)?\s*:[^;]*line-through/i;
