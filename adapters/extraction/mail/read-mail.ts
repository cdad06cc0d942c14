import { createRequire } from 'node:module';
import type msgReader from '@kenjiuno/msgreader';
import type * as packedRtf from '@kenjiuno/decompressrtf';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { CompoundFile } from '../archive/compound-file.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { ExtractionFailure } from '../extraction-failure.ts';
import { codePageDecoder } from '../office/code-pages.ts';

/** The text of a mail, and its attachments. */
export interface Mail {
  readonly subject: string | null;
  readonly unit: TextUnit;
  /** Its text as a page or as rich text, where it has no plain text. */
  readonly body: { readonly format: 'html' | 'rtf'; readonly content: Buffer } | null;
  readonly attachments: readonly EmbeddedFile[];
}

/** Forwarding servers put their headers before the mail's own. */
const START_BYTES = 16_384;
/** Lines of a base64 attachment of 30 MB. The parser takes about 50 µs per line. */
const MAX_LINES = 400_000;

/** Whether bytes are a mail (RFC 5322) or several: as claimed, where they begin so, else by headers that only mails have. */
export const isMail = (bytes: Buffer, isClaimed: boolean): boolean => {
  const start = bytes.toString('latin1', 0, START_BYTES);
  if (!/^(?:From [^\n]{0,200}\n)?[A-Za-z][\w-]*:/.test(start)) return false;
  return isClaimed || (/^(?:message-id|mime-version):/im.test(start) && /^from:/im.test(start));
};

/**
 * The plain text of a mail if there is any, else its HTML.
 *
 * @throws for parts nested too deeply, and headers that are too long
 */
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
  const page = text.trim() === '' ? mail.html : undefined;
  return {
    ...mailText(header, text),
    body: page === undefined ? null : pageOf(page),
    attachments,
  };
};

/** A line before each mail of a mailbox: who sent it, and when (RFC 4155). */
const FROM = /^From \S+ .*\d\d:\d\d/;
const LONGEST_FROM = 300;

/** The mails of a mailbox in order (RFC 4155, with lines of a text that begin with `From ` marked by `>`). */
export const mailsIn = function* (bytes: Buffer): Generator<Buffer> {
  let start = 0;
  for (let at = 0; at !== -1;) {
    const next = bytes.indexOf('\nFrom ', at, 'latin1');
    at = next === -1 ? -1 : next + 1;
    if (next !== -1 && !isBorder(bytes, next)) continue;
    const mail = bytes.subarray(start, next === -1 ? bytes.length : next);
    const text = mail.subarray(mail.indexOf(0x0a) + 1).toString('latin1');
    yield Buffer.from(text.replaceAll(/^>(>*From )/gm, '$1'), 'latin1');
    start = at;
  }
};

/** Whether an empty line and the first line of a mail stand there. */
const isBorder = (bytes: Buffer, lineEnd: number): boolean => {
  const before = bytes[lineEnd - 1] === 0x0d ? bytes[lineEnd - 2] : bytes[lineEnd - 1];
  const line = bytes.toString('latin1', lineEnd + 1, lineEnd + 1 + LONGEST_FROM).split('\n')[0]!;
  return before === 0x0a && FROM.test(line);
};

const firstLines = (bytes: Buffer): Buffer => {
  let at = -1;
  for (let line = 0; line < MAX_LINES; line += 1) {
    at = bytes.indexOf(0x0a, at + 1);
    if (at === -1) return bytes;
  }
  return bytes.subarray(0, at);
};

/** The stream of fixed-length properties, which every Outlook message has ([MS-OXMSG] 2.4). */
const PROPERTIES = '__properties_version1.0';
export const isMsg = (file: CompoundFile): boolean => file.has(PROPERTIES);

/** Properties by id ([MS-OXPROPS]). */
const SUBJECT = '0037';
const TEXT = '1000';
const HTML = '1013';
const RICH_TEXT = '1009';
const HEADERS: Readonly<Record<string, string>> = { to: '0e04', cc: '0e03' };
const SENDER = ['0c1a', '0c1f'];
const DATES = ['0039', '0e06'];
const CODE_PAGE = '3fde';
const NAMES = ['3707', '3704', '3001'];
/** Recipients and custom property names, which are not read here. */
const UNREAD = /^__(?:recip|nameid)_/;
/** Exchange directory addresses mean nothing to a reader. */
const IN_DIRECTORY = /^\/o=/i;

interface Property {
  readonly propertyTag?: string | undefined;
  readonly value?: unknown;
}

/** These libraries are CommonJS, and are loaded with the first mail. */
const require = createRequire(import.meta.url);

/** An Outlook message, by its properties. @throws when it is broken */
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
  const body = text.trim() === '' ? otherBody(properties, decoder) : null;
  return { ...mailText(header, text), body, attachments };
};

/** Limit for a copy: entries may refer to the same bytes repeatedly. */
const MAX_COPIED_ENTRIES = 5_000;
const MAX_COPIED_BYTES = 256 * 1_024 ** 2;

/**
 * Rewrites the file for libraries that follow any chain of sectors, even an endless one.
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

/** The library decodes text of a code page byte by byte. */
const textOf = (properties: readonly Property[], id: string, decoder: Decoder): string => {
  const found = properties.find(({ propertyTag }) => propertyTag === `${id}001f`);
  if (typeof found?.value === 'string') return found.value;
  const bytes = properties.find(({ propertyTag }) => propertyTag === `${id}001e`)?.value;
  return typeof bytes === 'string' ? decoder.decode(Buffer.from(bytes, 'latin1')) : '';
};

const otherBody = (properties: readonly Property[], decoder: Decoder): Mail['body'] => {
  const html = valueOf(properties, HTML);
  if (html instanceof Uint8Array) return pageOf(decoder.decode(html));
  const packed = valueOf(properties, RICH_TEXT);
  if (!(packed instanceof Uint8Array) || packed.length < 16) return null;
  const { decompressRTF } = require('@kenjiuno/decompressrtf') as typeof packedRtf;
  const whole = Buffer.from(packed);
  // Limits the stated length: the library unpacks that many bytes, whether they exist or not.
  whole.writeUInt32LE(Math.min(whole.readUInt32LE(0), whole.length - 4), 0);
  return { format: 'rtf', content: Buffer.from(decompressRTF([...whole])) };
};

/** Sender, recipients, date and text of a mail. @param header returns a header by lower-case name; '' when missing */
const mailText = (header: (name: string) => string, text: string): Pick<Mail, 'subject' | 'unit'> => {
  const value = (name: string): string => header(name.toLowerCase()).replaceAll(/\s+/g, ' ').trim();
  const head = ['Subject', 'From', 'To', 'Cc', 'Date'].flatMap((name) =>
    value(name) === '' ? [] : `${name}: ${value(name)}`,
  );
  const said = [head.join('\n'), text.replaceAll('\r\n', '\n').trim()].filter((part) => part !== '');
  return {
    subject: value('Subject') || null,
    unit: { headingPath: [], pageNumber: 0, text: said.join('\n\n') },
  };
};

/** A byte order mark of UTF-8 overrides the page's own declaration. */
const pageOf = (html: string): NonNullable<Mail['body']> => ({
  format: 'html',
  content: Buffer.from(`\ufeff${html}`, 'utf8'),
});
