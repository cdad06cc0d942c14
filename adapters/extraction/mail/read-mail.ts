import { createRequire } from 'node:module';
import type msgReader from '@kenjiuno/msgreader';
import type * as packedRtf from '@kenjiuno/decompressrtf';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { CompoundFile } from '../archive/compound-file.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { codePageDecoder } from '../office/code-pages.ts';

/** The text of a mail, and the files with it: a body of HTML or rich text stands among them, where there is no other. */
export interface Mail {
  readonly unit: TextUnit;
  readonly attachments: readonly EmbeddedFile[];
}

/** Servers that pass a mail on put theirs before its own. */
const START_BYTES = 16_384;
/** Of a base64 attachment of 30 MB. The parser takes some 50 µs for each. */
const MAX_LINES = 400_000;

/** Whether bytes are a mail as it is sent (RFC 5322): by its name, or by headers that only mails have. */
export const isEml = (bytes: Buffer, name: string): boolean => {
  const start = bytes.toString('latin1', 0, START_BYTES);
  if (!/^(?:From [^\n]{0,200}\n)?[A-Za-z][\w-]*:/.test(start)) return false;
  return /\.eml$/i.test(name) || (/^(?:message-id|mime-version):/im.test(start) && /^from:/im.test(start));
};

/** Its plain text, where that says anything, else its page. @throws of parts nested too deep, and of headers too long */
export const readEml = async (bytes: Buffer): Promise<Mail> => {
  const { default: PostalMime, decodeWords } = await import('postal-mime');
  const mail = await PostalMime.parse(firstLines(bytes), { forceRfc822Attachments: true });
  const header = (name: string): string =>
    decodeWords(mail.headers.find(({ key }) => key === name)?.value ?? '');
  const text = mail.text ?? '';
  const attachments = mail.attachments.map(({ filename, mimeType, content }) => ({
    name: filename ?? (mimeType === 'message/rfc822' ? 'message.eml' : ''),
    content: Buffer.from(content as ArrayBuffer),
  }));
  const hasPage = text.trim() === '' && mail.html !== undefined;
  return {
    unit: mailUnit(header, text),
    attachments: hasPage ? [pageOf(mail.html!), ...attachments] : attachments,
  };
};

const firstLines = (bytes: Buffer): Buffer => {
  let at = -1;
  for (let line = 0; line < MAX_LINES; line += 1) {
    at = bytes.indexOf(0x0a, at + 1);
    if (at === -1) return bytes;
  }
  return bytes.subarray(0, at);
};

/** The stream of properties of fixed length, which every message of Outlook has ([MS-OXMSG] 2.4). */
const PROPERTIES = '__properties_version1.0';
export const isMsg = (file: CompoundFile): boolean => file.has(PROPERTIES);

/** Properties by their ids ([MS-OXPROPS]). */
const SUBJECT = '0037';
const TEXT = '1000';
const HTML = '1013';
const RICH_TEXT = '1009';
const HEADERS: Readonly<Record<string, string>> = { to: '0e04', cc: '0e03' };
const SENDER = ['0c1a', '0c1f'];
const DATES = ['0039', '0e06'];
const CODE_PAGE = '3fde';
const NAMES = ['3707', '3704', '3001'];
/** Recipients and names of a program's own properties, which nobody reads here. */
const UNREAD = /^__(?:recip|nameid)_/;
/** Addresses within Exchange say nothing to a reader. */
const IN_DIRECTORY = /^\/o=/i;

interface Property {
  readonly propertyTag?: string | undefined;
  readonly value?: unknown;
}

/** These libraries are CommonJS, and loaded with the first mail. */
const require = createRequire(import.meta.url);

/** A message of Outlook, by its properties. @throws where it is broken */
export const readMsg = async (file: CompoundFile): Promise<Mail> => {
  const { default: MsgReader } = require('@kenjiuno/msgreader') as typeof msgReader;
  const bytes = await rewrittenFile(file, UNREAD);
  const reader = new MsgReader(new Uint8Array(bytes).buffer);
  reader.parserConfig = { includeRawProps: true };
  const message = reader.getFileData();
  const properties = message.rawProps ?? [];
  const decoder = codePageDecoder(Number(valueOf(properties, CODE_PAGE) ?? 1_252));
  const text = textOf(properties, TEXT, decoder);
  const sender = SENDER.map((id) => textOf(properties, id, decoder)).filter(
    (part) => part !== '' && !IN_DIRECTORY.test(part),
  );
  const sent = new Date(String(DATES.map((id) => valueOf(properties, id)).find(Boolean)));
  const header = (name: string): string => {
    if (name === 'subject') return textOf(properties, SUBJECT, decoder);
    if (name === 'from') return [...new Set(sender)].join(', ');
    if (name === 'date') return Number.isNaN(sent.getTime()) ? '' : sent.toISOString();
    return textOf(properties, HEADERS[name]!, decoder);
  };
  const attachments = (message.attachments ?? []).map((attachment, index) => ({
    name:
      NAMES.map((id) => textOf(attachment.rawProps ?? [], id, decoder)).find((found) => found !== '') ?? '',
    content: Buffer.from(reader.getAttachment(index).content),
  }));
  const body = text.trim() === '' ? otherBody(properties, decoder) : [];
  return { unit: mailUnit(header, text), attachments: [...body, ...attachments] };
};

/** Of a copy: entries may name the same bytes again and again. */
const MAX_COPIED_ENTRIES = 5_000;
const MAX_COPIED_BYTES = 256 * 1_024 ** 2;

/**
 * The file written anew, for libraries that follow any chain of sectors, with or without an end.
 *
 * @param without storages whose names match
 * @throws {ExtractionFailure} `too_large`
 */
const rewrittenFile = async (file: CompoundFile, without: RegExp): Promise<Buffer> => {
  const { CFB } = await import('@e965/xlsx');
  const copy = CFB.utils.cfb_new();
  let [entries, bytes] = [0, 0];
  const count = (size: number): void => {
    entries += 1;
    bytes += size;
    if (entries > MAX_COPIED_ENTRIES || bytes > MAX_COPIED_BYTES)
      throw new ExtractionFailure('too_large', 'its streams are too many or too long');
  };
  const add = (holder: CompoundFile, folder: string): void => {
    for (const name of holder.streams) {
      const content = holder.read(name)!;
      count(content.length);
      CFB.utils.cfb_add(copy, `${folder}${name}`, content);
    }
    for (const name of holder.storages) {
      count(0);
      if (!without.test(name)) add(holder.within(name), `${folder}${name}/`);
    }
  };
  add(file, '/');
  return Buffer.from(CFB.write(copy, { type: 'buffer' }) as Uint8Array);
};

type Decoder = ReturnType<typeof codePageDecoder>;

const valueOf = (properties: readonly Property[], id: string): unknown =>
  properties.find(({ propertyTag }) => propertyTag?.startsWith(id) === true)?.value;

/** The library reads text of a code page byte by byte. */
const textOf = (properties: readonly Property[], id: string, decoder: Decoder): string => {
  const found = properties.find(({ propertyTag }) => propertyTag === `${id}001f`);
  if (typeof found?.value === 'string') return found.value;
  const bytes = properties.find(({ propertyTag }) => propertyTag === `${id}001e`)?.value;
  return typeof bytes === 'string' ? decoder.decode(Buffer.from(bytes, 'latin1')) : '';
};

const otherBody = (properties: readonly Property[], decoder: Decoder): readonly EmbeddedFile[] => {
  const html = valueOf(properties, HTML);
  if (html instanceof Uint8Array) return [pageOf(decoder.decode(html))];
  const packed = valueOf(properties, RICH_TEXT);
  if (!(packed instanceof Uint8Array) || packed.length < 16) return [];
  const { decompressRTF } = require('@kenjiuno/decompressrtf') as typeof packedRtf;
  const whole = Buffer.from(packed);
  // Its length: the library unpacks as many bytes as it says, whether they are there or not.
  whole.writeUInt32LE(Math.min(whole.readUInt32LE(0), whole.length - 4), 0);
  return [{ name: '.doc', content: Buffer.from(decompressRTF([...whole])) }];
};

/** Who wrote a mail to whom and when, and what. @param header by its name in lower case; '' for none */
const mailUnit = (header: (name: string) => string, text: string): TextUnit => {
  const head = ['Subject', 'From', 'To', 'Cc', 'Date'].flatMap((name) => {
    const value = header(name.toLowerCase()).replaceAll(/\s+/g, ' ').trim();
    return value === '' ? [] : `${name}: ${value}`;
  });
  return {
    headingPath: [],
    pageNumber: 0,
    text: [head.join('\n'), text.replaceAll('\r\n', '\n').trim()].filter((part) => part !== '').join('\n\n'),
  };
};

/** A body of HTML as a file, whose mark of UTF-8 counts before what it says itself. */
const pageOf = (html: string): EmbeddedFile => ({
  name: '.html',
  content: Buffer.from(`\ufeff${html}`, 'utf8'),
});
