import type { SourceCommand } from '../../../domain/source/decider.ts';
import type { MetadataRecord, SourceType } from '../../../domain/source/events.ts';
import type { Job } from './job.ts';
import type { ReadText } from './read-documents.ts';

/** A fact that a job found out about an item. */
export type DocumentFact = {
  readonly locator: string;
  /** The item probably has no stored event yet; a wrong guess only costs time. */
  readonly firstSeen: boolean;
  /** Unix milliseconds. */
  readonly at: number;
} & (
  | {
      readonly kind: 'indexed';
      readonly url: string;
      /** The provider's claim, without an encoding. */
      readonly mediaType: string;
      readonly read: ReadText;
      /** Metadata from the provider, redacted. Absent: none. */
      readonly metadata?: readonly MetadataRecord[];
    }
  | {
      readonly kind: 'skipped';
      readonly reason: string;
      /** Redacted, like the title. */
      readonly url?: string;
      readonly title?: string;
    }
  | {
      readonly kind: 'failed';
      readonly code: string;
      readonly message: string;
      /** Redacted, like the title. */
      readonly url?: string;
      readonly title?: string;
    }
  /** The item existed and was deleted. */
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
        mediaType: mediaTypeOf(outcome.mediaType ?? fact.mediaType, outcome.encoding),
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

/** Adds the encoding in which the text was read, whatever the server claimed; only text types have one (RFC 6838). */
const mediaTypeOf = (type: string, encoding: string | undefined): string =>
  encoding !== undefined && TEXT.test(type) ? `${type}; charset=${encoding}` : type;
const TEXT = /^(?:text\/|application\/(?:xhtml\+)?xml$)/;
