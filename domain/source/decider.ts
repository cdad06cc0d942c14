import type { FileReference, MetadataRecord, SourceRemoved, SourceType, SourceEvent } from './events.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Decider } from '../shared/decider.ts';

interface Visit {
  readonly dataSourceId: string;
  readonly sourceType: SourceType;
  readonly locator: string;
  readonly jobId: string;
  readonly generation: number;
  readonly at: number;
}
export interface RecordIndexed extends Visit {
  readonly type: 'record_indexed';
  readonly url: string;
  readonly title: string;
  /** BCP 47. */
  readonly language?: string;
  readonly fileType: string;
  readonly mediaType: string;
  readonly raw: FileReference;
  readonly chunkSet: FileReference & { readonly chunks: number };
  /** Metadata from the provider. Absent if the provider sends none: then the previous metadata stays. */
  readonly metadata?: readonly MetadataRecord[];
}
export interface RecordSkipped extends Visit {
  readonly type: 'record_skipped';
  readonly url?: string;
  readonly title?: string;
  readonly reason: string;
}
export interface RecordFailed extends Visit {
  readonly type: 'record_failed';
  readonly url?: string;
  readonly title?: string;
  readonly code: string;
  readonly message: string;
}
export interface Remove {
  readonly type: 'remove';
  readonly reason: SourceRemoved['reason'];
  readonly jobId: string;
  readonly generation: number;
  readonly at: number;
}
export interface ReplaceMetadata {
  readonly type: 'replace_metadata';
  readonly records: readonly MetadataRecord[];
  readonly at: number;
}
export interface DeleteMetadata {
  readonly type: 'delete_metadata';
  readonly at: number;
}
export type SourceCommand =
  | RecordIndexed
  | RecordSkipped
  | RecordFailed
  | Remove
  | ReplaceMetadata
  | DeleteMetadata;

type SourceStatus = 'indexed' | 'skipped' | 'failed';

/** Identifies the readable content: hashes, title and URL. */
interface IndexedContent {
  readonly raw: string;
  readonly chunkSet: string;
  readonly title: string;
  readonly url: string;
}

export type SourceState =
  | { readonly status: 'none' }
  | {
      readonly status: SourceStatus | 'removed';
      readonly dataSourceId: string;
      /** Number of the job that wrote the newest event; Infinity after the deletion of the data source. */
      readonly generation: number;
      /** Null while there is no readable content. */
      readonly content: IndexedContent | null;
      /** Why it was skipped or failed, as a text for comparison. */
      readonly reason: string;
      readonly metadata: readonly MetadataRecord[];
      /** The latest metadata from the provider, which callers may have replaced since. */
      readonly provided: readonly MetadataRecord[];
    };
type KnownSource = Exclude<SourceState, { status: 'none' }>;

const initial: SourceState = { status: 'none' };

const evolve = (state: SourceState, event: SourceEvent): SourceState => {
  const known = state.status === 'none' ? null : state;
  const { content: readable = null, metadata = [], provided = [] } = known ?? {};
  const unchanged = { content: readable, metadata, provided, reason: '' };
  switch (event.type) {
    case 'SourceIndexed': {
      const { dataSourceId, generation, title, url } = event;
      const content = { raw: event.raw.sha256, chunkSet: event.chunkSet.sha256, title, url };
      return { ...unchanged, status: 'indexed', dataSourceId, generation, content };
    }
    case 'SourceSkipped': {
      const { dataSourceId, generation } = event;
      const reason = skipText(event);
      return { ...unchanged, status: 'skipped', dataSourceId, generation, content: null, reason };
    }
    case 'SourceFailed': {
      const { dataSourceId, generation } = event;
      return { ...unchanged, status: 'failed', dataSourceId, generation, reason: failureText(event) };
    }
    case 'SourceRemoved': {
      const { dataSourceId, reason } = event;
      const generation = reason === 'data_source_deleted' ? Infinity : event.generation;
      return {
        status: 'removed',
        dataSourceId,
        generation,
        content: null,
        reason: '',
        metadata: [],
        provided: [],
      };
    }
    case 'SourceMetadataReplaced':
      return {
        ...existing(known),
        metadata: event.records,
        ...(event.provided && { provided: event.provided }),
      };
    case 'SourceMetadataDeleted':
      return { ...existing(known), metadata: [] };
  }
};

/** The title and URL under which a document was found. */
interface About {
  readonly title?: string;
  readonly url?: string;
}

/** A failure as a text for comparison. */
const failureText = ({
  code,
  message,
  ...about
}: About & { readonly code: string; readonly message: string }): string =>
  comparisonText(`${code}: ${message}`, about);

/** The reason of a skip as a text for comparison. */
const skipText = ({ reason, ...about }: About & { readonly reason: string }): string =>
  comparisonText(reason, about);

const comparisonText = (what: string, { title = '', url = '' }: About): string =>
  [what, title, url].join('\n').trimEnd();

const existing = (known: KnownSource | null): KnownSource => {
  if (known === null) throw new Error('metadata of a source that was never seen');
  return known;
};

/**
 * Records only changes: a page with the same content or the same failure as before causes no event. Reports of a job
 * are ignored if a newer job has written to the source: then the worker was replaced or the data source deleted,
 * without its knowledge.
 */
const decide = (command: SourceCommand, state: SourceState): readonly SourceEvent[] => {
  const known = state.status === 'none' ? null : state;
  switch (command.type) {
    case 'record_indexed': {
      if (isStale(known, command)) return [];
      const { metadata, ...facts } = command;
      return [
        ...(isUnchanged(known, command) ? [] : [{ ...facts, type: 'SourceIndexed' } as const]),
        ...providedMetadata(known, metadata, command.at),
      ];
    }
    case 'record_skipped':
      if (isStale(known, command)) return [];
      if (known?.status === 'skipped' && known.reason === skipText(command)) return [];
      return [{ ...command, type: 'SourceSkipped' }];
    case 'record_failed':
      if (isStale(known, command)) return [];
      if (known?.status === 'failed' && known.reason === failureText(command)) return [];
      return [{ ...command, type: 'SourceFailed' }];
    case 'remove':
      return remove(known, command);
    case 'replace_metadata':
      if (sameRecords(mustExist(known).metadata, command.records)) return [];
      return [{ type: 'SourceMetadataReplaced', records: command.records, at: command.at }];
    case 'delete_metadata':
      if (mustExist(known).metadata.length === 0) return [];
      return [{ type: 'SourceMetadataDeleted', at: command.at }];
  }
};

const isStale = (known: KnownSource | null, { generation }: { readonly generation: number }): boolean =>
  known !== null && generation < known.generation;

const isUnchanged = (known: KnownSource | null, { raw, chunkSet, title, url }: RecordIndexed): boolean =>
  known?.status === 'indexed' &&
  known.content?.raw === raw.sha256 &&
  known.content.chunkSet === chunkSet.sha256 &&
  known.content.title === title &&
  known.content.url === url;

/** For keys that a caller has written, the caller's values stay. */
const providedMetadata = (
  known: KnownSource | null,
  provided: readonly MetadataRecord[] | undefined,
  at: number,
): readonly SourceEvent[] => {
  const { metadata, provided: before } = known ?? { metadata: [], provided: [] };
  if (provided === undefined || sameRecords(before, provided)) return [];
  const written = metadata.filter((record) => !before.some((one) => sameRecords([one], [record])));
  const keys = new Set(written.map(({ key }) => key));
  const records = [...written, ...provided.filter(({ key }) => !keys.has(key))];
  return [{ type: 'SourceMetadataReplaced', records, provided, at }];
};

const remove = (known: KnownSource | null, command: Remove): readonly SourceEvent[] => {
  if (known === null || known.status === 'removed') return [];
  const { dataSourceId } = known;
  const { reason, jobId, generation, at } = command;
  // The sweep read its list before this job, or a newer one, recorded the source.
  if (reason === 'not_seen' && generation <= known.generation) return [];
  if (reason === 'gone' && isStale(known, command)) return [];
  // The job that recorded the source must not bring it back.
  const removedInGeneration =
    reason === 'requested' ? Math.max(generation, known.generation + 1) : generation;
  return [{ type: 'SourceRemoved', dataSourceId, reason, jobId, generation: removedInGeneration, at }];
};

const mustExist = (known: KnownSource | null): KnownSource => {
  if (known === null || known.status === 'removed')
    throw new DomainError('not_found', 'there is no such source');
  return known;
};

const sameRecords = (a: readonly MetadataRecord[], b: readonly MetadataRecord[]): boolean =>
  a.length === b.length &&
  a.every((x, i) => x.key === b[i]?.key && x.val === b[i].val && x.type === b[i].type);

export const source: Decider<SourceCommand, SourceEvent, SourceState, 'source'> = {
  category: 'source',
  initial,
  decide,
  evolve,
};
