import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { pageOf, type Mail } from './mail.ts';
import { readMime, type MimePart } from './mime-part.ts';
import { decodedIn } from './mime-words.ts';

/** Servers that pass a mail on put theirs before its own. */
const START_BYTES = 16_384;

/** Whether bytes are a mail as it is sent (RFC 5322): by its name, or by headers that only mails have. */
export const isEml = (bytes: Buffer, name: string): boolean => {
  const start = bytes.toString('latin1', 0, START_BYTES);
  if (!/^(?:From [^\n]{0,200}\n)?[A-Za-z][\w-]*:/.test(start)) return false;
  return /\.eml$/i.test(name) || (/^(?:message-id|mime-version):/im.test(start) && /^from:/im.test(start));
};

/** The text of a mail, and of parts that follow each other; of alternatives the plain one, where it says anything. */
export const readEml = (bytes: Buffer): Mail => {
  const mail = readMime(bytes);
  const texts: string[] = [];
  const attachments: EmbeddedFile[] = [];
  const add = (part: MimePart): void => {
    if (part.type === 'multipart/alternative') {
      const plain = part.parts.find(({ type, content }) => type === 'text/plain' && !isBlank(content));
      const chosen = plain ?? part.parts.at(-1);
      if (chosen !== undefined) add(chosen);
    } else if (part.parts.length > 0) part.parts.forEach(add);
    else if (part.type === 'message/rfc822')
      attachments.push({ name: part.fileName === '' ? 'message.eml' : part.fileName, content: part.content });
    else if (part.isAttachment || (part.fileName !== '' && !part.type.startsWith('text/')))
      attachments.push({ name: part.fileName, content: part.content });
    else if (part.type === 'text/html') attachments.push(pageOf(textOf(part)));
    else if (part.type === 'text/plain') texts.push(textOf(part));
    else if (part.fileName !== '') attachments.push({ name: part.fileName, content: part.content });
  };
  add(mail);
  return {
    subject: mail.header('subject'),
    lines: ['From', 'To', 'Cc', 'Date'].map((name) => [name, mail.header(name.toLowerCase())]),
    text: texts.join('\n\n'),
    attachments,
  };
};

const isBlank = (content: Buffer): boolean => content.toString('latin1').trim() === '';

const textOf = (part: MimePart): string => decodedIn(part.parameter('charset') ?? 'utf-8', part.content);
