import type { CompoundFile } from '../archive/compound-file.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { codePageDecoder } from '../office/code-pages.ts';
import { pageOf, type Mail } from './mail.ts';
import { unpackedRtf } from './packed-rtf.ts';

/** The stream of properties of fixed length, which every message of Outlook has ([MS-OXMSG] 2.4). */
const PROPERTIES = '__properties_version1.0';
export const isMsg = (file: CompoundFile): boolean => file.has(PROPERTIES);

/** Ids of properties ([MS-OXPROPS]). */
const SUBJECT = '0037';
const TEXT = '1000';
const HTML = '1013';
const RTF = '1009';
const SENDER = '0c1a';
const ADDRESS = '0c1f';
const TO = '0e04';
const CC = '0e03';
const CODE_PAGE = 0x3fde0003;
const SENT = [0x00390040, 0x0e060040];
const DATA = '3701';
const NAMES = ['3707', '3704', '3001'];

const ATTACHMENT = /^__attach_version1\.0_/;
/** Addresses within Exchange say nothing to a reader. */
const IN_DIRECTORY = /^\/o=/i;
/** 100 ns between the first day of 1601 and of 1970. */
const EPOCH = 116_444_736_000_000_000n;

/** A message of Outlook, by its properties. */
export const readMsg = (file: CompoundFile): Mail => {
  const codePage = Number(fixed(file, CODE_PAGE) ?? 0n) & 0xffff;
  const decode = codePageDecoder(codePage || 1_252);
  const property = (holder: CompoundFile, id: string): string =>
    holder.read(`__substg1.0_${id}001F`)?.toString('utf16le') ??
    decode.decode(holder.read(`__substg1.0_${id}001E`) ?? NONE);
  const text = property(file, TEXT).trim();
  const html = file.read(`__substg1.0_${HTML}0102`);
  const rtf = file.read(`__substg1.0_${RTF}0102`);
  const body: EmbeddedFile[] = [];
  if (text === '' && html !== null) body.push(pageOf(decode.decode(html)));
  else if (text === '' && rtf !== null) body.push({ name: '.doc', content: unpackedRtf(rtf) });
  const sender = [property(file, SENDER), property(file, ADDRESS)].filter(
    (part) => part !== '' && !IN_DIRECTORY.test(part),
  );
  return {
    subject: property(file, SUBJECT),
    lines: [
      ['From', [...new Set(sender)].join(', ')],
      ['To', property(file, TO)],
      ['Cc', property(file, CC)],
      ['Date', sentAt(file)],
    ].map(([name, value]) => [name!, value!.replaceAll('\0', '')] as const),
    text,
    attachments: attachmentsIn(file, body, property),
  };
};

const NONE = Buffer.alloc(0);

const attachmentsIn = function* (
  file: CompoundFile,
  body: readonly EmbeddedFile[],
  property: (holder: CompoundFile, id: string) => string,
): Generator<EmbeddedFile> {
  yield* body;
  for (const path of file.storages.filter((storage) => ATTACHMENT.test(storage))) {
    const holder = file.within(path);
    const name =
      NAMES.map((id) => property(holder, id).replaceAll('\0', '')).find((found) => found !== '') ?? '';
    const data = holder.read(`__substg1.0_${DATA}0102`);
    const message = `__substg1.0_${DATA}000d`;
    if (data !== null && data.length > 0) yield { name, content: data };
    else if (holder.storages.includes(message)) yield { name, content: holder.within(message) };
  }
};

const sentAt = (file: CompoundFile): string => {
  const ticks = SENT.map((tag) => fixed(file, tag)).find((found) => found !== undefined);
  if (ticks === undefined) return '';
  const date = new Date(Number((ticks - EPOCH) / 10_000n));
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

/** A property of up to eight bytes, which stands behind its number. The head before them differs in length by where a message lies. */
const fixed = (file: CompoundFile, tag: number): bigint | undefined => {
  const properties = file.read(PROPERTIES) ?? NONE;
  for (let at = properties.length - 16; at >= 8; at -= 16)
    if (properties.readUInt32LE(at) === tag) return properties.readBigUInt64LE(at + 8);
  return undefined;
};
