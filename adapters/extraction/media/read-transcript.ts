import { readFileSync } from 'node:fs';
import type { TextUnit } from '../../../domain/chunking/chunk.ts';
import type { MissingProvider } from '../../../application/ports/document-reader.ts';
import type { Transcript } from '../../../application/ports/transcriber.ts';

interface MediaText {
  readonly title: null;
  readonly language: string | null;
  readonly units: TextUnit[];
  readonly missing?: MissingProvider;
}

const SECONDS_PER_PAGE = 60;

/**
 * The speech of a recording: a unit per minute, whose number from 1 is the page number, with its start and end in
 * seconds as metadata. Without a transcript the title is the text.
 *
 * @param transcript path of a file with a `Transcript` in JSON
 */
export const readMedia = (transcript: string | undefined, title: string): MediaText => {
  if (transcript === undefined) {
    const message = 'what is said in it is not read: no transcription provider is set up (TRANSCRIPTION_URL)';
    const units = [{ headingPath: [], pageNumber: 0, text: title }];
    return { title: null, language: null, units, missing: { code: 'not_configured', message } };
  }
  const { language, segments } = JSON.parse(readFileSync(transcript, 'utf8')) as Transcript;
  const minutes = Map.groupBy(segments, ({ start }) => Math.floor(Math.max(0, start) / SECONDS_PER_PAGE) + 1);
  const units = [...minutes].map(([minute, said]): TextUnit => {
    const [from, to] = [said[0]!.start, said.at(-1)!.end];
    return {
      headingPath: [],
      pageNumber: minute,
      text: said.map(({ text }) => text.trim()).join(' '),
      metadata: [
        { key: 'start_seconds', val: String(from), type: 'float' },
        { key: 'end_seconds', val: String(to), type: 'float' },
      ],
    };
  });
  return { title: null, language, units };
};
