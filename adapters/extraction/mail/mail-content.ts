import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { EmbeddedFile } from '../embedded/embedded-file.ts';
import { unitsWithin } from '../units-within.ts';
import { type Mail, mailsIn, readEml } from './read-mail.ts';

interface MailContent {
  readonly title: string | null;
  readonly language: null;
  readonly units: readonly TextUnit[];
  readonly attachments: readonly EmbeddedFile[];
}

/** Reads the body of a mail in its format. */
type ReadBody = (body: NonNullable<Mail['body']>) => Promise<readonly TextUnit[]>;

/** A mail with its body, under its subject as the title. */
export const mailContent = async (
  { subject, unit, body, attachments }: Mail,
  readBody: ReadBody,
): Promise<MailContent> => ({
  title: subject,
  language: null,
  units: [unit, ...(body === null ? [] : await readBody(body))],
  attachments,
});

const MAX_HEADING_CHARACTERS = 300;

/** Each mail of a mailbox under its subject. @throws {ExtractionFailure} `too_large` */
export const mailboxContent = async (
  bytes: Buffer,
  readBody: ReadBody,
  maxCharacters: number,
): Promise<MailContent> => {
  const attachments: EmbeddedFile[] = [];
  const units = await unitsWithin(maxCharacters, mailsIn(bytes), async (one) => {
    const mail = await mailContent(await readEml(one), readBody);
    attachments.push(...mail.attachments);
    const above = mail.title === null ? [] : [mail.title.slice(0, MAX_HEADING_CHARACTERS)];
    return mail.units.map((unit) => ({ ...unit, headingPath: [...above, ...unit.headingPath] }));
  });
  return { title: null, language: null, units, attachments };
};
