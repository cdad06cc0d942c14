import { Tokenizer } from 'htmlparser2';
import { ExtractionFailure } from '../extraction-failure.ts';

/** By local name, except those of the relationships namespace, which are under `r:` and their local name. */
export type XmlAttributes = Readonly<Record<string, string | undefined>>;

/** Names have no prefix, because producers choose prefixes freely. */
export interface XmlHandler {
  open(name: string, attributes: XmlAttributes): void;
  close?(name: string): void;
  text?(data: string): void;
}

/** A map by element name: a plain object would also find `constructor`. */
export const handlers = <Handler>(byName: Readonly<Record<string, Handler>>): ReadonlyMap<string, Handler> =>
  new Map(Object.entries(byName));

const MAX_DEPTH = 512;
const NONE: XmlAttributes = Object.freeze({});
const RELATIONSHIPS = /\/officeDocument\/(?:2006\/)?relationships$/;

/**
 * Passes an XML text to a handler in one pass, in linear time. Entities other than the five of XML stay unchanged: no
 * declared entity is expanded, and nothing external is read. Malformed XML is read as far as possible.
 *
 * @throws {ExtractionFailure} `parser_failed` when elements are nested deeper than any office file needs
 */
export const readXml = (xml: string, handler: XmlHandler): void => {
  const stack: string[] = [];
  let tag = '';
  let attributes: Record<string, string> | null = null;
  let attribute = '';
  let value = '';
  let prefixed: (readonly [name: string, text: string])[] = [];
  let relationPrefix = 'r:';

  // Sliced first: searching the colon in the document would scan all of it when there are no prefixes.
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
  // Called after the whole tag is read, because the declarations of its prefixes may follow them.
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

/**
 * Text of an XML part: UTF-16 with a byte order mark, else UTF-8; office files may use these two (ISO/IEC 29500-2,
 * 9.1.7).
 */
export const xmlText = (bytes: Buffer): string => {
  const wide =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : null;
  return new TextDecoder(wide ?? 'utf-8').decode(bytes);
};
