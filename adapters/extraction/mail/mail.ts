import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';

/** What a mail says, and the files with it. */
export interface Mail {
  readonly subject: string;
  /** Lines such as `From: …`; those without a value are left out. */
  readonly lines: readonly (readonly [name: string, value: string])[];
  readonly text: string;
  /** A body of HTML stands among them, where there is no text. */
  readonly attachments: Iterable<EmbeddedFile>;
}

/** Who wrote a mail to whom and when, and what. */
export const mailUnit = ({ subject, lines, text }: Mail): TextUnit => {
  const head = [['Subject', subject] as const, ...lines].flatMap(([name, value]) =>
    value.trim() === '' ? [] : `${name}: ${value.replaceAll(/\s+/g, ' ').trim()}`,
  );
  return {
    headingPath: [],
    pageNumber: 0,
    text: [head.join('\n'), text.replaceAll('\r\n', '\n').trim()].filter((part) => part !== '').join('\n\n'),
  };
};

/** A body of HTML as a file, whose mark of UTF-8 counts before what it says itself. */
export const pageOf = (html: string): EmbeddedFile => ({
  name: '.html',
  content: Buffer.from(`\ufeff${html}`, 'utf8'),
});
