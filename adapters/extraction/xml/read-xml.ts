import { Tokenizer } from 'htmlparser2';
import { ExtractionFailure } from '../extraction-failure.ts';

/** By local name, but those of the namespace of relationships, which are under `r:` and their local name. */
export type XmlAttributes = Readonly<Record<string, string | undefined>>;

/** Names without their prefix: producers choose prefixes as they like. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(data: string): void;
}

/** By the names of elements, and by no others: every object has a `constructor`. */
export const handlers = <Handler>(byName: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> =>
  new Map(Object.entries(byName));

const MAX_DEPTH = 512;
const NONE: XmlAttributes = Object.freeze({});
const RELATIONSHIPS = /\/officeDocument\/(?:2006\/)?relationships$/;

/**
 * Feeds an XML text to a handler in one pass, in time linear in its length. Entities other than the five of XML stay as
 * they stand: nothing declared in the document unfolds, and nothing outside of it is read. What is not well-formed is read
 * as far as it goes.
 *
 * @throws {ExtractionFailure} `parser_failed` where elements are nested deeper than any office file needs
 */
export const readXml = (xml: string, handler: XmlHandler): void => {
  const stack: string[] = [];
  let tag = '';
  let attributes: Record<string, string> | null = null;
  let attribute = '';
  let value = '';
  let prefixed: (readonly [name: string, text: string])[] = [];
  let relationPrefix = 'r:';

  // Cut out first: looking for the colon in the document would go through all of it where there are no prefixes.
  const local = (start: number, end: number): string => {
    const name = xml.slice(start, end);
    return name.slice(name.indexOf(':') + 1);
  };
  const keep = (name: string, text: string): void => {
    attributes ??= {};
    if (name.startsWith('xmlns')) {
      if (RELATIONSHIPS.test(text)) relationPrefix = `${name.slice(6)}:`;
    } else if (name.includes(':')) prefixed.push([name, text]);
    else attributes[name] ??= text;
  };
  // Once all of the tag is read: what its prefixes mean may stand behind them.
  const keepPrefixed = (kept: Record<string, string>): void => {
    for (const [name, text] of prefixed) {
      if (name.startsWith(relationPrefix)) kept[`r:${name.slice(relationPrefix.length)}`] = text;
      else kept[name.slice(name.indexOf(':') + 1)] ??= text;
    }
    prefixed = [];
  };
  const open = (selfClosing: boolean): void => {
    if (stack.length >= MAX_DEPTH)
      throw new ExtractionFailure('parser_failed', `its XML is nested deeper than ${MAX_DEPTH} elements`);
    if (attributes !== null && prefixed.length > 0) keepPrefixed(attributes);
    handler.open(tag, attributes ?? NONE);
    attributes = null;
    if (selfClosing) handler.close?.(tag);
    else stack.push(tag);
  };
  const pop = (): void => {
    const name = stack.pop()!;
    handler.close?.(name);
  };
  const close = (name: string): void => {
    const at = stack.lastIndexOf(name);
    if (at === -1) return;
    while (stack.length > at) pop();
  };

  const text = (data: string): void => handler.text?.(data);
  const tokenizer = new Tokenizer(
    { xmlMode: true, decodeEntities: true },
    {
      ontext: (start, end) => text(xml.slice(start, end)),
      ontextentity: (codepoint) => text(String.fromCodePoint(codepoint)),
      onopentagname: (start, end) => {
        tag = local(start, end);
      },
      onopentagend: () => open(false),
      onselfclosingtag: () => open(true),
      onclosetag: (start, end) => close(local(start, end)),
      onattribname: (start, end) => {
        attribute = xml.slice(start, end);
        value = '';
      },
      onattribdata: (start, end) => {
        value += xml.slice(start, end);
      },
      onattribentity: (codepoint) => {
        value += String.fromCodePoint(codepoint);
      },
      onattribend: () => keep(attribute, value),
      oncdata: (start, end, offset) => text(xml.slice(start, end - offset)),
      oncomment: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      onend: () => {},
      isInForeignContext: () => true,
    },
  );
  tokenizer.write(xml);
  tokenizer.end();
  while (stack.length > 0) pop();
};

/** Text of an XML part: UTF-16 with its mark, else UTF-8, the two that office files may be in (ISO/IEC 29500-2, 9.1.7). */
export const xmlText = (bytes: Buffer): string => {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null;
  return new TextDecoder(wide ?? 'utf-8').decode(bytes);
};
