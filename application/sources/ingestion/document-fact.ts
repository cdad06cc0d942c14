import type { SourceCommand } from '../../../domain/source/decider.ts';
import type { MetadataRecord, SourceType } from '../../../domain/source/events.ts';
import type { Job } from './job.ts';
import type { ReadText } from './read-documents.ts';

/** What a job has found out about one item. */
export type DocumentFact = {
  readonly locator: string;
  /** No event of it is stored yet, as far as is known: a guess that costs time where it is wrong. */
  readonly firstSeen: boolean;
  /** Unix milliseconds. */
  readonly at: number;
} & (
  | {
      readonly kind: 'indexed';
      readonly url: string;
      /** As the provider says; without an encoding. */
      readonly mediaType: string;
      readonly read: ReadText;
      /** As its provider gives it, ready to be kept. Absent: it gives none. */
      readonly metadata?: readonly MetadataRecord[];
    }
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      /** As it was found, ready to be kept. */
      readonly url?: string;
      readonly title?: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** As it was found, ready to be kept. */
      readonly url?: string;
      readonly title?: string;
    }
  /** It was there, and is no more. */
  | { readonly kind: 'gone' }
);

const TITLE_LENGTH = 500;

export const commandOf = (
  fact: DocumentFact,
  { dataSourceId, state: job }: Job,
  sourceType: SourceType,
): SourceCommand => {
  const { locator, at } = fact;
  const { jobId, generation } = job;
  const visit = { dataSourceId, sourceType, locator, jobId, generation, at };
  switch (fact.kind) {
    case 'indexed': {
      const { outcome, raw, chunkSet } = fact.read;
      const { language } = outcome.chunkSet.source;
      return {
        type: 'record_indexed',
        ...visit,
        url: fact.url,
        title: outcome.title.slice(0, TITLE_LENGTH),
        ...(language !== undefined && { language }),
        fileType: outcome.fileType,
        mediaType: mediaTypeOf(fact.mediaType, outcome.encoding),
        raw,
        chunkSet: { ...chunkSet, chunks: outcome.chunkSet.chunks.length },
        ...(fact.metadata !== undefined && { metadata: fact.metadata }),
      };
    }
    case 'skipped':
      return { type: 'record_skipped', reason: fact.reason, ...aboutOf(fact), ...visit };
    case 'failed': {
      const { code, message } = fact;
      return { type: 'record_failed', code, message, ...aboutOf(fact), ...visit };
    }
    case 'gone':
      return { type: 'remove', reason: 'gone', jobId, generation, at };
  }
};

interface About {
  readonly url?: string;
  readonly title?: string;
}
const aboutOf = ({ url, title }: About): About => ({
  ...(url !== undefined && { url }),
  ...(title !== undefined && { title: title.slice(0, TITLE_LENGTH) }),
});

/** With the encoding that the text was read in, whatever the server claimed; only texts have one (RFC 6838). */
const mediaTypeOf = (type: string, encoding: string | undefined): string =>
  encoding !== undefined && TEXT.test(type) ? `${type}; charset=${encoding}` : type;
const TEXT = /^(?:text\/|application\/(?:xhtml\+)?xml$)/;
