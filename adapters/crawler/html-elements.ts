import { Tokenizer } from 'htmlparser2';
import type { TokenizerCallbacks } from 'htmlparser2';

/** Attributes by lower-case name, entities decoded; of a repeated one the first. */
export type Attributes = ReadonlyMap<string, string>;

export interface ElementHandlers {
  /** Lower-case names of the elements, and of their attributes, to report. */
  readonly elements: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  readonly onElement: (name: string, attributes: Attributes) => void;
  /** A piece of the text of the first `title` element, entities decoded. */
  readonly onTitle: (text: string) => void;
}

/**
 * One pass over the tags of `html`. It works on tokens and keeps no stack of open elements, so that neither deep
 * nesting nor thousands of unclosed elements cost more than their length. Scripts, styles and comments hold no tags.
 */
export const scanElements = (html: string, handlers: ElementHandlers): void => {
  const elements = elementCallbacks(html, handlers);
  const title = titleCallbacks(html, handlers.onTitle);
  const tokenizer = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      ...IGNORED,
      ...elements,
      ...title,
      onopentagname: (start, end) => {
        const name = html.slice(start, end).toLowerCase();
        elements.open(name);
        title.open(name);
      },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
};

const elementCallbacks = (html: string, handlers: ElementHandlers) => {
  let element: string | null = null;
  let attributes = new Map<string, string>();
  /** Null outside the attributes that are wanted, so that no others are copied. */
  let attribute: string | null = null;
  let value = '';
  const endTag = (): void => {
    if (element !== null) handlers.onElement(element, attributes);
    element = null;
  };
  return {
    open: (name: string): void => {
      element = handlers.elements.has(name) ? name : null;
      if (element !== null) attributes = new Map();
    },
    onattribname: (start, end) => {
      if (element === null) return;
      const name = html.slice(start, end).toLowerCase();
      attribute = handlers.attributes.has(name) && !attributes.has(name) ? name : null;
      value = '';
    },
    onattribdata: (start, end) => {
      if (attribute !== null) value += html.slice(start, end);
    },
    onattribentity: (codePoint) => {
      if (attribute !== null) value += String.fromCodePoint(codePoint);
    },
    onattribend: () => {
      if (attribute !== null) attributes.set(attribute, value);
      attribute = null;
    },
    onopentagend: endTag,
    onselfclosingtag: endTag,
  } satisfies Partial<TokenizerCallbacks> & { readonly open: (name: string) => void };
};

const titleCallbacks = (html: string, onTitle: (text: string) => void) => {
  let place: 'before' | 'inside' | 'after' = 'before';
  return {
    open: (name: string): void => {
      if (name === 'title' && place === 'before') place = 'inside';
    },
    onclosetag: (start, end) => {
      if (place === 'inside' && html.slice(start, end).toLowerCase() === 'title') place = 'after';
    },
    ontext: (start, end) => {
      if (place === 'inside') onTitle(html.slice(start, end));
    },
    ontextentity: (codePoint) => {
      if (place === 'inside') onTitle(String.fromCodePoint(codePoint));
    },
  } satisfies Partial<TokenizerCallbacks> & { readonly open: (name: string) => void };
};

const ignore = (): void => undefined;
const IGNORED = {
  oncdata: ignore,
  oncomment: ignore,
  ondeclaration: ignore,
  onprocessinginstruction: ignore,
  onend: ignore,
};
