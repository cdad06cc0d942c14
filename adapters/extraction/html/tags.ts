import { Tokenizer } from 'htmlparser2';
import { IMPLIED_ENDS, INLINE_ELEMENTS, VOID_ELEMENTS } from './elements.ts';

/** Attributes by lower-case name, the first of equal ones. Only those in {@link KEPT_ATTRIBUTES}. */
export type Attributes = Readonly<Record<string, string | undefined>>;

export interface TagHandler {
  /** `depth` counts the open elements, this one included; 0 for a void element, which nothing closes. */
  open(name: string, attributes: Attributes, depth: number): void;
  /** The innermost open element ends, which lay at `depth`. */
  close(name: string, depth: number): void;
  text(data: string): void;
  /** Whether inline elements must be followed too, because the end of one of them matters now. */
  followsInline(): boolean;
}

const KEPT_ATTRIBUTES = new Set(
  'aria-hidden class colspan content hidden href http-equiv id lang name property rel reversed role rowspan src start style type value'.split(
    ' ',
  ),
);
const NONE: Attributes = Object.freeze({});

/** What a parser that builds a document of this markup is in for. */
export interface MarkupSize {
  readonly elements: number;
  /** Deepest nesting, inline elements included. */
  readonly depth: number;
}

/** An end tag looks this far down for its start tag: misnested markup stays linear in its length. */
const SEARCHED_DEPTH = 1_024;

/**
 * Feeds the tags of an HTML text to a handler in one pass, in time linear in the length: built on the tokenizer
 * rather than the parser of htmlparser2, whose stack costs the square of the nesting depth.
 */
export const readTags = (html: string, handler: TagHandler): MarkupSize => {
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
    const isVoid = VOID_ELEMENTS.has(tag) || (selfClosing && foreign > 0);
    const isInline = INLINE_ELEMENTS.has(tag);
    const kept = attributes ?? NONE;
    size.elements += 1;
    if (isInline) inline += 1;
    size.depth = Math.max(size.depth, stack.length + inline);
    if (isVoid) {
      handler.open(tag, kept, 0);
    } else if (!isInline || attributes !== null || handler.followsInline()) {
      stack.push(tag);
      if (tag === 'svg' || tag === 'math') foreign += 1;
      handler.open(tag, kept, stack.length);
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
    { decodeEntities: true },
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
        if (foreign > 0) handler.text(html.slice(start, end - offset));
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
